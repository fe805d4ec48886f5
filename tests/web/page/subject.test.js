// What the server is asked about.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askVariant, queryOf } from "../../../python/tablemen/web/page/subject.js";

test("what is usual is left out of an address", () => {
  assert.equal(String(queryOf({ variant: "russian", houses: null, position: "" })), "variant=russian");
  const more = { size: 200, orientation: "" };
  assert.equal(String(queryOf({ variant: "kalah", houses: 4, seeds: 3 }, more)), "variant=kalah&houses=4&seeds=3&size=200");
});

test("a variant is asked for on a board of some size, or of its own", async (context) => {
  const asked = [];
  context.mock.method(globalThis, "fetch", (path) => {
    asked.push(path);
    return Promise.resolve(new Response("{}"));
  });
  await askVariant({ variant: "kalah", houses: 4, seeds: 3 });
  await askVariant({ variant: "a/b", houses: null });
  assert.deepEqual(asked, ["/api/variants/kalah?houses=4&seeds=3", "/api/variants/a%2Fb"]);
});
