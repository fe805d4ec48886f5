// Moves picked place by place, and the cursor keys of a board. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MoveInput, nextPlace } from "../../../python/tablemen/web/page/boards/move-input.js";

/**
 * A move through these places.
 * @param {string} places
 * @param {string} [captured]
 */
function move(places, captured = "") {
  const stops = places.split(" ");
  return {
    text: `${stops[0]}-${stops.at(-1)}`,
    full: stops.join("-"),
    places: stops,
    captured: captured ? captured.split(" ") : [],
    crowns: false,
    sowing: [],
    captured_seeds: 0,
    extra_turn: false,
  };
}

const STEPS = [move("32 28"), move("32 27"), move("33 28")];
const JUMPS = [move("32 23 14", "28 19"), move("32 23 12", "28 18")];

test("nothing is picked at first, and the starts are those of the moves", () => {
  const picking = new MoveInput(STEPS);
  assert.deepEqual([...picking.starts].sort(), ["32", "33"]);
  assert.equal(picking.targets.size, 0);
  assert.equal(picking.ends.size, 0);
  assert.equal(picking.move, null);
});

test("a step is picked with its start and its end", () => {
  const picking = new MoveInput(STEPS).touch("32");
  assert.deepEqual([...picking.targets].sort(), ["27", "28"]);
  assert.equal(picking.move, null);
  assert.equal(picking.touch("28").move, STEPS[0]);
});

test("another start is picked instead, and what no move has drops what was picked", () => {
  const picking = new MoveInput(STEPS).touch("32");
  assert.deepEqual(picking.touch("33").picked, ["33"]);
  assert.deepEqual(picking.touch("1").picked, []);
});

test("what is touched twice is put back", () => {
  assert.deepEqual(new MoveInput(STEPS).touch("32").touch("32").picked, []);
  assert.deepEqual(new MoveInput(JUMPS).touch("32").touch("23").touch("23").picked, []);
  assert.deepEqual(new MoveInput(JUMPS).touch("32").touch("23").touch("32").picked, []);
});

test("a capture is picked jump by jump", () => {
  const picking = new MoveInput(JUMPS).touch("32");
  assert.deepEqual([...picking.targets], ["23"]);
  assert.deepEqual([...picking.ends].sort(), ["12", "14"]);
  const further = picking.touch("23");
  assert.deepEqual([...further.targets].sort(), ["12", "14"]);
  assert.equal(further.move, null);
  assert.equal(further.touch("12").move, JUMPS[1]);
});

test("a capture is picked by where it ends, and has its whole way then", () => {
  const picking = new MoveInput(JUMPS).touch("32").touch("14");
  assert.equal(picking.move, JUMPS[0]);
  assert.deepEqual(picking.picked, ["32", "23", "14"]);
});

test("captures that differ and end on the same square are not guessed at", () => {
  const around = [move("32 21 12 3", "27 17 8"), move("32 23 12 3", "28 18 8")];
  const picking = new MoveInput(around).touch("32").touch("3");
  assert.equal(picking.isAmbiguous, true);
  assert.equal(picking.move, null);
  assert.deepEqual(picking.picked, ["32"]);
  assert.equal(picking.touch("21").touch("3").move, around[0]);
  assert.equal(picking.touch("21").isAmbiguous, false);
});

test("ways that take the same pieces are one move", () => {
  const ways = [move("46 23 5 46", "37 14 10"), move("46 5 23 46", "10 14 37")];
  assert.equal(new MoveInput([...ways, move("1 7")]).touch("46").touch("5").move, null);
  const same = [move("32 21 12 3", "27 17 8"), move("32 23 12 3", "8 17 27")];
  assert.equal(new MoveInput(same).touch("32").touch("3").move, same[0]);
});

test("a capture that ends where it began is picked by going around", () => {
  const [circle] = [move("32 23 14 21 32", "28 19 17 27")];
  const half = new MoveInput([circle]).touch("32").touch("23").touch("14").touch("21");
  assert.equal(half.move, null);
  assert.equal(half.touch("32").move, circle);
});

test("a whole move leaves nothing to go on to", () => {
  const whole = new MoveInput(STEPS).touch("33").touch("28");
  assert.equal(whole.targets.size, 0);
  assert.equal(whole.ends.size, 0);
});

test("what captures on the way is told from a step", () => {
  assert.equal(new MoveInput(STEPS).touch("32").takes("28"), false);
  const picking = new MoveInput(JUMPS).touch("32");
  assert.equal(picking.takes("23"), true);
  assert.equal(picking.takes("14"), true);
});

test("a house is a whole move, and so is the swap", () => {
  const picking = new MoveInput([move("3"), move("swap")]);
  assert.equal(picking.touch("3").move?.full, "3");
  assert.equal(picking.touch("swap").move?.full, "swap");
  assert.equal(picking.touch("4").move, null);
});

const ROWS = [
  ["1", "2"],
  ["3", "4"],
  ["5", "6"],
];

/**
 * @param {string} key
 * @param {string} cursor
 * @param {boolean} [ctrlKey]
 */
function press(key, cursor, ctrlKey = false) {
  return nextPlace({ key, ctrlKey }, ROWS, cursor, (place) => place === "2" || place === "5");
}

test("arrows go along rows and from row to row, and stay at the edges", () => {
  assert.equal(press("ArrowRight", "3"), "4");
  assert.equal(press("ArrowRight", "4"), "4");
  assert.equal(press("ArrowLeft", "4"), "3");
  assert.equal(press("ArrowUp", "4"), "2");
  assert.equal(press("ArrowUp", "2"), "2");
  assert.equal(press("ArrowDown", "4"), "6");
});

test("Home and End lead to the ends of a row, and of the board", () => {
  assert.equal(press("Home", "4"), "3");
  assert.equal(press("End", "3"), "4");
  assert.equal(press("Home", "4", true), "1");
  assert.equal(press("End", "3", true), "6");
});

test("Page Up and Page Down lead to what can be picked, around the board", () => {
  assert.equal(press("PageDown", "3"), "5");
  assert.equal(press("PageDown", "5"), "2");
  assert.equal(press("PageUp", "3"), "2");
  assert.equal(press("PageUp", "2"), "5");
});

test("a place of two rows counts as one of the lower", () => {
  const rows = [
    ["north store", "north 1", "south store"],
    ["north store", "south 1", "south store"],
  ];
  const from = (/** @type {string} */ key) => nextPlace({ key, ctrlKey: false }, rows, "north store", () => false);
  assert.equal(from("ArrowRight"), "south 1");
  assert.equal(from("PageDown"), "north store");
});

test("other keys lead nowhere", () => {
  assert.equal(press("a", "3"), null);
});
