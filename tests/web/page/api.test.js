// Questions to the server, and what becomes of them where it does not answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchJson, fetchText, ConnectionLost, RequestError } from "../../../python/tablemen/web/page/api.js";

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
