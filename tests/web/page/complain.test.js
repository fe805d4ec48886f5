// What of that which goes wrong is told to whoever uses the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, Lost, Refused } from "../../../python/tablemen/web/page/api.js";
import { wordsOf } from "../../../python/tablemen/web/page/complain.js";

test("what the server refuses is told, and that it is lost; a mistake of the page is not", () => {
  assert.equal(wordsOf(new Refused("there is no game called 'x'", 404, [])), "There is no game called 'x'");
  assert.equal(wordsOf(new Lost(null)), "The server cannot be reached.");
  assert.equal(wordsOf(new TypeError("board is undefined")), null);
  assert.equal(wordsOf("nonsense"), null);
});

test("a server that does not answer is lost, in every browser's words; one that is left is not", async (context) => {
  for (const [error, kind] of [
    [new TypeError("Failed to fetch"), Lost],
    [new TypeError("Load failed"), Lost],
    [new DOMException("left", "AbortError"), DOMException],
  ]) {
    context.mock.method(globalThis, "fetch", () => Promise.reject(error));
    await assert.rejects(ask("GET", "/api/variants"), kind);
  }
});
