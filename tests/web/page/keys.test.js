// Where the keys lead on a board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nextPlace } from "../../../python/tablemen/web/page/boards/keys.js";

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
