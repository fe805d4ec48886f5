// Where squares are on a board of draughts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Geometry } from "../../../python/tablemen/web/page/boards/geometry.js";

/** A board of four rows and four columns, whose dark squares are numbered from 1 to 8. */
const DARK = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => {
  const row = Math.floor((number - 1) / 2);
  return { name: String(number), row, column: 2 * ((number - 1) % 2) + ((row + 1) % 2) };
});
const board = new Geometry(DARK, 4, 4);

test("rows are those that are seen", () => {
  assert.deepEqual(board.rows(false), [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]);
  assert.deepEqual(board.rows(true), [["8", "7"], ["6", "5"], ["4", "3"], ["2", "1"]]);
});

test("a square is found where it is seen", () => {
  for (const isFlipped of [false, true]) {
    for (const { name } of DARK) {
      const { x, y } = board.seenAt(name, isFlipped);
      assert.equal(board.nameAt({ x: x + 0.9, y: y + 0.1 }, isFlipped), name);
    }
  }
  assert.deepEqual(board.seenAt("1", true), { x: 2, y: 3 });
});

test("there is no square where none is played on, nor outside", () => {
  assert.equal(board.nameAt({ x: 0.5, y: 0.5 }, false), null);
  assert.equal(board.nameAt({ x: -0.5, y: 1.5 }, false), null);
  assert.equal(board.nameAt({ x: 4.5, y: 0.5 }, true), null);
});

test("squares between two are on a line with them", () => {
  assert.deepEqual(board.between("7", "2"), ["5", "4"]);
  assert.deepEqual(board.between("2", "7"), ["4", "5"]);
  assert.deepEqual(board.between("7", "5"), []);
  assert.deepEqual(board.between("7", "4"), ["5"]);
  assert.deepEqual(board.between("7", "6"), []);
  assert.deepEqual(board.between("7", "7"), []);
});

test("where all squares are played on, lines go straight too", () => {
  const all = [..."abc"].flatMap((letter, column) => [3, 2, 1].map((n, row) => ({ name: `${letter}${n}`, row, column })));
  const whole = new Geometry(all, 3, 3);
  assert.deepEqual(whole.between("a1", "a3"), ["a2"]);
  assert.deepEqual(whole.between("c2", "a2"), ["b2"]);
  assert.deepEqual(whole.between("a1", "c2"), []);
});
