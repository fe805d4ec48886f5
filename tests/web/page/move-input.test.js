// Tests of the selection of moves, and of the cursor keys of a board. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MoveInput, nextPlace } from "../../../python/tablemen/web/page/boards/move-input.js";

/**
 * Create a move through some places.
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

test("an empty input has starts and no targets", () => {
  const input = new MoveInput(STEPS);
  assert.deepEqual([...input.starts].sort(), ["32", "33"]);
  assert.equal(input.targets.size, 0);
  assert.equal(input.ends.size, 0);
  assert.equal(input.move, null);
});

test("a quiet move is entered by its start and its end", () => {
  const input = new MoveInput(STEPS).touch("32");
  assert.deepEqual([...input.targets].sort(), ["27", "28"]);
  assert.equal(input.move, null);
  assert.equal(input.touch("28").move, STEPS[0]);
});

test("another start replaces the selection, and any other place clears it", () => {
  const input = new MoveInput(STEPS).touch("32");
  assert.deepEqual(input.touch("33").picked, ["33"]);
  assert.deepEqual(input.touch("1").picked, []);
});

test("a second touch of a place clears the selection", () => {
  assert.deepEqual(new MoveInput(STEPS).touch("32").touch("32").picked, []);
  assert.deepEqual(new MoveInput(JUMPS).touch("32").touch("23").touch("23").picked, []);
  assert.deepEqual(new MoveInput(JUMPS).touch("32").touch("23").touch("32").picked, []);
});

test("a capture is entered jump by jump", () => {
  const input = new MoveInput(JUMPS).touch("32");
  assert.deepEqual([...input.targets], ["23"]);
  assert.deepEqual([...input.ends].sort(), ["12", "14"]);
  const further = input.touch("23");
  assert.deepEqual([...further.targets].sort(), ["12", "14"]);
  assert.equal(further.move, null);
  assert.equal(further.touch("12").move, JUMPS[1]);
});

test("a capture entered by its last place has its whole path", () => {
  const input = new MoveInput(JUMPS).touch("32").touch("14");
  assert.equal(input.move, JUMPS[0]);
  assert.deepEqual(input.picked, ["32", "23", "14"]);
});

test("a last place of different captures is ambiguous", () => {
  const around = [move("32 21 12 3", "27 17 8"), move("32 23 12 3", "28 18 8")];
  const input = new MoveInput(around).touch("32").touch("3");
  assert.equal(input.isAmbiguous, true);
  assert.equal(input.move, null);
  assert.deepEqual(input.picked, ["32"]);
  assert.equal(input.touch("21").touch("3").move, around[0]);
  assert.equal(input.touch("21").isAmbiguous, false);
});

test("paths that capture the same pieces are one move", () => {
  const paths = [move("46 23 5 46", "37 14 10"), move("46 5 23 46", "10 14 37")];
  assert.equal(new MoveInput([...paths, move("1 7")]).touch("46").touch("5").move, null);
  const same = [move("32 21 12 3", "27 17 8"), move("32 23 12 3", "8 17 27")];
  assert.equal(new MoveInput(same).touch("32").touch("3").move, same[0]);
});

test("a capture that ends where it began is entered jump by jump", () => {
  const [circle] = [move("32 23 14 21 32", "28 19 17 27")];
  const half = new MoveInput([circle]).touch("32").touch("23").touch("14").touch("21");
  assert.equal(half.move, null);
  assert.equal(half.touch("32").move, circle);
});

test("a complete move has no further targets", () => {
  const complete = new MoveInput(STEPS).touch("33").touch("28");
  assert.equal(complete.targets.size, 0);
  assert.equal(complete.ends.size, 0);
});

test("targets of captures differ from targets of quiet moves", () => {
  assert.equal(new MoveInput(STEPS).touch("32").takes("28"), false);
  const input = new MoveInput(JUMPS).touch("32");
  assert.equal(input.takes("23"), true);
  assert.equal(input.takes("14"), true);
});

test("a house or the swap is a complete move", () => {
  const input = new MoveInput([move("3"), move("swap")]);
  assert.equal(input.touch("3").move?.full, "3");
  assert.equal(input.touch("swap").move?.full, "swap");
  assert.equal(input.touch("4").move, null);
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

test("arrow keys stop at the edges of the board", () => {
  assert.equal(press("ArrowRight", "3"), "4");
  assert.equal(press("ArrowRight", "4"), "4");
  assert.equal(press("ArrowLeft", "4"), "3");
  assert.equal(press("ArrowUp", "4"), "2");
  assert.equal(press("ArrowUp", "2"), "2");
  assert.equal(press("ArrowDown", "4"), "6");
});

test("Home and End go to the ends of a row, with Ctrl to the ends of the board", () => {
  assert.equal(press("Home", "4"), "3");
  assert.equal(press("End", "3"), "4");
  assert.equal(press("Home", "4", true), "1");
  assert.equal(press("End", "3", true), "6");
});

test("Page Up and Page Down go to the previous and next playable place", () => {
  assert.equal(press("PageDown", "3"), "5");
  assert.equal(press("PageDown", "5"), "2");
  assert.equal(press("PageUp", "3"), "2");
  assert.equal(press("PageUp", "2"), "5");
});

test("a place in two rows belongs to the lower row", () => {
  const rows = [
    ["north store", "north 1", "south store"],
    ["north store", "south 1", "south store"],
  ];
  const from = (/** @type {string} */ key) => nextPlace({ key, ctrlKey: false }, rows, "north store", () => false);
  assert.equal(from("ArrowRight"), "south 1");
  assert.equal(from("PageDown"), "north store");
});

test("other keys do not move the cursor", () => {
  assert.equal(press("a", "3"), null);
});
