// Requests to the server and their errors. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionLost, errorText, fetchJson, fetchText, fetchVariant, RequestError, toQuery } from "../../../python/tablemen/web/page/api.js";

test("a server that does not answer is lost, in every browser's words; one that is left is not", async (context) => {
  for (const [error, kind] of [
    [new TypeError("Failed to fetch"), ConnectionLost],
    [new TypeError("Load failed"), ConnectionLost],
    [new DOMException("left", "AbortError"), DOMException],
  ]) {
    context.mock.method(globalThis, "fetch", () => Promise.reject(error));
    await assert.rejects(fetchJson("GET", "/api/variants"), kind);
  }
});

test("a server that is lost in the middle of its answer is lost", async (context) => {
  const cutShort = () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    return Promise.resolve(new Response(body));
  };
  context.mock.method(globalThis, "fetch", cutShort);
  await assert.rejects(fetchJson("GET", "/api/variants"), ConnectionLost);
  await assert.rejects(fetchText("/api/board.svg"), ConnectionLost);
});

test("what the server refuses has its reason, or at least its status", async (context) => {
  const answers = [
    new Response('{"error": "no such game", "problems": ["a"]}', { status: 404 }),
    new Response("<html>", { status: 502, statusText: "Bad Gateway" }),
  ];
  context.mock.method(globalThis, "fetch", () => Promise.resolve(answers.shift()));
  const refused = (message, status, problems) => (error) => {
    assert.ok(error instanceof RequestError);
    assert.deepEqual([error.message, error.status, error.problems], [message, status, problems]);
    return true;
  };
  await assert.rejects(fetchJson("GET", "/api/games/x"), refused("no such game", 404, ["a"]));
  await assert.rejects(fetchText("/api/board.svg"), refused("Bad Gateway", 502, []));
});

test("what the server refuses is told, and that it is lost; a mistake of the page is not", () => {
  assert.equal(errorText(new RequestError("there is no game called 'x'", 404, [])), "There is no game called 'x'");
  assert.equal(errorText(new ConnectionLost(null)), "The server cannot be reached.");
  assert.equal(errorText(new TypeError("board is undefined")), null);
  assert.equal(errorText("nonsense"), null);
});

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
