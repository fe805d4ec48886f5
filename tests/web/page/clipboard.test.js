// What is copied, and what a page without a secure address does instead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { copy } from "../../../python/tablemen/web/page/ui.js";

test("what a browser does not let a page copy is shown, to be copied by hand", async () => {
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
