// Squares in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { describeSquare } from "../../../python/tablemen/web/page/boards/square-text.js";

const empty = { label: "c3", piece: null, isJumped: false, marks: {}, value: "" };

test("an empty square, and one that a move leads to", () => {
  assert.equal(describeSquare(empty), "c3, empty");
  assert.equal(describeSquare({ ...empty, marks: { target: true } }), "c3, empty, target");
  assert.equal(describeSquare({ ...empty, marks: { end: true, takes: true } }), "c3, empty, target, captures");
});

test("a piece, and what can be done with it", () => {
  const man = { ...empty, label: "square 32", piece: { side: "white", isKing: false } };
  assert.equal(describeSquare({ ...man, marks: { "can-move": true } }), "square 32, white man, can move");
  assert.equal(describeSquare({ ...man, marks: { picked: true } }), "square 32, white man, picked");
  const king = { ...man, piece: { side: "black", isKing: true }, marks: { last: true }, value: "+2" };
  assert.equal(describeSquare(king), "square 32, black king, last move, value +2");
  assert.equal(describeSquare({ ...king, isJumped: true, marks: {}, value: "" }), "square 32, black king, will be captured");
});
