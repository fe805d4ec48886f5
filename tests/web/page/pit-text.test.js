// Pits in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describePit } from "../../../python/tablemen/web/page/boards/pit-text.js";

const house = { side: "south", house: 3, seeds: 4, canPlay: false, isLast: false, value: "" };

test("a house and a store, with what lies there", () => {
  assert.equal(describePit(house), "South, house 3, 4 seeds");
  assert.equal(describePit({ ...house, side: "north", house: 0, seeds: 1 }), "North's store, 1 seed");
});

test("what can be done with a house, what was done, and what it is worth", () => {
  assert.equal(describePit({ ...house, canPlay: true, value: "−6" }), "South, house 3, 4 seeds, can be played, value −6");
  assert.equal(describePit({ ...house, seeds: 0, isLast: true }), "South, house 3, 0 seeds, last move");
});
