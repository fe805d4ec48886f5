// Moves in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { announcedMove, shortScore, writeValues } from "../../../python/tablemen/web/page/analyse/text.js";

const DEFAULTS = { captured: [], crowns: false, sowing: [], captured_seeds: 0, extra_turn: false };

test("moves are said as people say them", () => {
  const said = (side, facts, comment = "") => announcedMove({ side, comment, move: { ...DEFAULTS, ...facts } });
  assert.equal(said("white", { places: ["32", "28"] }), "White: 32 to 28");
  assert.equal(
    said("black", { places: ["19", "28", "37"], captured: ["23", "32"] }),
    "Black: 19 takes 28 takes 37, 2 captured",
  );
  assert.equal(said("white", { places: ["a7", "b8"], crowns: true }, "at last"), "White: a7 to b8, crowned, at last");
  assert.equal(said("south", { places: ["3"], extra_turn: true }), "South: house 3, moves again");
  assert.equal(said("north", { places: ["6"], captured_seeds: 5 }), "North: house 6, captures 5 seeds");
  assert.equal(said("north", { places: ["swap"] }), "North: swaps sides");
  assert.equal(announcedMove({ side: "", comment: "", move: null }), "Start");
});

test("a score is short where there is little room", () => {
  const short = (text, value, plies, chances) => shortScore({ text, value, plies, exact: plies !== null }, chances);
  assert.equal(short("+0.35", 0.35, null, 0.6), "+0.35");
  assert.equal(short("-0.35", -0.35, null, 0.4), "−0.35");
  assert.equal(short("drawn", 0, null, 0.5), "drawn");
  assert.equal(short("White wins in 9 plies", null, 9, 1), "+#5");
  assert.equal(short("Black wins in 10 plies", null, 10, 0), "−#5");
  assert.equal(short("White has won", null, 0, 1), "1–0");
  assert.equal(short("Black has won", null, 0, 0), "0–1");
});

test("values of moves are those of the first side, as scores are", () => {
  assert.deepEqual(writeValues({ 1: 6, 2: -4, 3: 0 }, true), { 1: "+6", 2: "−4", 3: "0" });
  assert.deepEqual(writeValues({ 1: 6, 2: -4, 3: 0 }, false), { 1: "−6", 2: "+4", 3: "0" });
});
