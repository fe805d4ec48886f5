// What the start page says of variants.

import assert from "node:assert/strict";
import { test } from "node:test";

import { noteWords } from "../../../python/tablemen/web/page/play/words.js";

test("a note is told without the names that its rules have for scripts", () => {
  assert.equal(noteWords("Who begins is drawn by lot (`first`); so it is."), "Who begins is drawn by lot; so it is.");
  assert.equal(noteWords("Two accounts (as here), or equal (`king_landing`, `precedence`)."), "Two accounts (as here), or equal.");
  assert.equal(noteWords("The rules of `irving`."), "The rules of irving.");
});
