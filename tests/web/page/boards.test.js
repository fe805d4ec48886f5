// Tests of the geometry of a draughts board, and of the labels of squares and pits. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./custom-elements.js";
import { describeSquare, Geometry } from "../../../python/tablemen/web/page/boards/draughts-board.js";
import { describePit } from "../../../python/tablemen/web/page/boards/mancala-board.js";

/** The dark squares of a board with four rows and four columns, numbered from 1 to 8. */
const DARK = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => {
  const row = Math.floor((number - 1) / 2);
  return { name: String(number), row, column: 2 * ((number - 1) % 2) + ((row + 1) % 2) };
});
const board = new Geometry(DARK, 4, 4);

test("rows depend on the orientation", () => {
  assert.deepEqual(board.rows(false), [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]);
  assert.deepEqual(board.rows(true), [["8", "7"], ["6", "5"], ["4", "3"], ["2", "1"]]);
});

test("a square is found by a point on it in both orientations", () => {
  for (const isFlipped of [false, true]) {
    for (const { name } of DARK) {
      const { x, y } = board.getCorner(name, isFlipped);
      assert.equal(board.squareAtPoint({ x: x + 0.9, y: y + 0.1 }, isFlipped), name);
    }
  }
  assert.deepEqual(board.getCorner("1", true), { x: 2, y: 3 });
});

test("light squares and points outside the board have no name", () => {
  assert.equal(board.squareAtPoint({ x: 0.5, y: 0.5 }, false), null);
  assert.equal(board.squareAtPoint({ x: -0.5, y: 1.5 }, false), null);
  assert.equal(board.squareAtPoint({ x: 4.5, y: 0.5 }, true), null);
});

test("squares between two squares are on their diagonal", () => {
  assert.deepEqual(board.between("7", "2"), ["5", "4"]);
  assert.deepEqual(board.between("2", "7"), ["4", "5"]);
  assert.deepEqual(board.between("7", "5"), []);
  assert.deepEqual(board.between("7", "4"), ["5"]);
  assert.deepEqual(board.between("7", "6"), []);
  assert.deepEqual(board.between("7", "7"), []);
});

test("on a board with all squares, rows and columns are lines too", () => {
  const all = [..."abc"].flatMap((letter, column) => [3, 2, 1].map((n, row) => ({ name: `${letter}${n}`, row, column })));
  const whole = new Geometry(all, 3, 3);
  assert.deepEqual(whole.between("a1", "a3"), ["a2"]);
  assert.deepEqual(whole.between("c2", "a2"), ["b2"]);
  assert.deepEqual(whole.between("a1", "c2"), []);
});

const empty = { label: "c3", piece: null, isJumped: false, marks: {}, value: "" };

test("the label of an empty square names its role as a target", () => {
  assert.equal(describeSquare(empty), "c3, empty");
  assert.equal(describeSquare({ ...empty, marks: { target: true } }), "c3, empty, target");
  assert.equal(describeSquare({ ...empty, marks: { end: true, takes: true } }), "c3, empty, target, captures");
});

test("the label of an occupied square names the piece and its state", () => {
  const man = { ...empty, label: "square 32", piece: { side: "white", isKing: false } };
  assert.equal(describeSquare({ ...man, marks: { "can-move": true } }), "square 32, white man, can move");
  assert.equal(describeSquare({ ...man, marks: { picked: true } }), "square 32, white man, selected");
  const king = { ...man, piece: { side: "black", isKing: true }, marks: { last: true }, value: "+2" };
  assert.equal(describeSquare(king), "square 32, black king, last move, value +2");
  assert.equal(describeSquare({ ...king, isJumped: true, marks: {}, value: "" }), "square 32, black king, will be captured");
});

const house = { side: "south", house: 3, seeds: 4, canPlay: false, isLast: false, value: "" };

test("the label of a house or a store has the number of seeds", () => {
  assert.equal(describePit(house), "South, house 3, 4 seeds");
  assert.equal(describePit({ ...house, side: "north", house: 0, seeds: 1 }), "North's store, 1 seed");
});

test("the label of a house names its state and its value", () => {
  assert.equal(describePit({ ...house, canPlay: true, value: "−6" }), "South, house 3, 4 seeds, can be played, value −6");
  assert.equal(describePit({ ...house, seeds: 0, isLast: true }), "South, house 3, 0 seeds, last move");
});
