// What the server is asked about.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchVariant, toQuery } from "../../../python/tablemen/web/page/position-spec.js";

test("what is usual is left out of an address", () => {
  assert.equal(String(toQuery({ variant: "russian", houses: null, position: "" })), "variant=russian");
  const more = { size: 200, orientation: "" };
  assert.equal(String(toQuery({ variant: "kalah", houses: 4, seeds: 3 }, more)), "variant=kalah&houses=4&seeds=3&size=200");
});

test("a variant is asked for on a board of some size, or of its own", async (context) => {
  const asked = [];
  context.mock.method(globalThis, "fetch", (path) => {
    asked.push(path);
    return Promise.resolve(new Response("{}"));
  });
  await fetchVariant({ variant: "kalah", houses: 4, seeds: 3 });
  await fetchVariant({ variant: "a/b", houses: null });
  assert.deepEqual(asked, ["/api/variants/kalah?houses=4&seeds=3", "/api/variants/a%2Fb"]);
});
