// What of that which goes wrong is told to whoever uses the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Lost, Refused } from "../../../python/tablemen/web/page/api.js";
import { wordsOf } from "../../../python/tablemen/web/page/complain.js";

test("what the server refuses is told, and that it is lost; a mistake of the page is not", () => {
  assert.equal(wordsOf(new Refused("there is no game called 'x'", 404, [])), "There is no game called 'x'");
  assert.equal(wordsOf(new Lost(null)), "The server cannot be reached.");
  assert.equal(wordsOf(new TypeError("board is undefined")), null);
  assert.equal(wordsOf("nonsense"), null);
});
