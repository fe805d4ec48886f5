// Tests of text helpers and the clipboard. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { capital, copy, count, moveText } from "../../../python/tablemen/web/page/ui.js";

const QUIET = { captured: [], crowns: false, sowing: [], captured_seeds: 0, extra_turn: false };

test("capital changes only the first letter", () => {
  assert.equal(capital("white wins"), "White wins");
  assert.equal(capital(""), "");
});

test("count uses the plural except for 1", () => {
  assert.equal(count(1, "seed"), "1 seed");
  assert.equal(count(0, "seed"), "0 seeds");
  assert.equal(count(2, "inaccuracy", "inaccuracies"), "2 inaccuracies");
});

test("moves of both families are described in words", () => {
  const text = (facts) => moveText({ ...QUIET, ...facts });
  assert.equal(text({ places: ["19", "28", "37"], captured: ["23", "32"] }), "19 takes 28 takes 37, 2 captured");
  assert.equal(text({ places: ["a7", "b8"], crowns: true }), "a7 to b8, crowned");
  assert.equal(text({ places: ["3"], captured_seeds: 1, extra_turn: true }), "house 3, captures 1 seed, moves again");
  assert.equal(text({ places: ["swap"] }), "swaps sides");
});

test("a text is shown if the clipboard is not available", async () => {
  const shown = [];
  const navigator = { clipboard: { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  Object.assign(globalThis, { prompt: (...given) => shown.push(given) });
  await copy("W:W1:B50", "Position");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  await copy("https://here/", "Link");
  assert.deepEqual(shown, [
    ["Position:", "W:W1:B50"],
    ["Link:", "https://here/"],
  ]);
});
