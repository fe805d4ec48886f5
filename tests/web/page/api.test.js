// Requests to the server, the socket of a game, and errors. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionLost, errorText, fetchJson, fetchText, fetchVariant, GameConnection, RequestError, toQuery } from "../../../python/tablemen/web/page/api.js";

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

const MOVE = { action: "move", move: "32-28", ply: 0 };

/** A socket that is opened, heard and lost as the test wants it. */
class Socket extends EventTarget {
  static OPEN = 1;
  static all = [];

  constructor() {
    super();
    this.readyState = 0;
    this.sent = [];
    Socket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = Socket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  say(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  lose() {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { reason: "" }));
  }
}

/** A connection of the game "a", and what it tells. */
function connect(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { WebSocket: Socket, location: { protocol: "http:", host: "here" } });
  Socket.all = [];
  const told = [];
  const handlers = { onState: () => {}, onChange: (isOpen) => told.push(isOpen) };
  const connection = new GameConnection("a", "key", handlers);
  return { connection, told };
}

/** The newest socket says that the game is there. */
function welcome() {
  const socket = Socket.all.at(-1);
  socket.open();
  assert.deepEqual(socket.sent, [{ type: "hello", key: "key" }]);
  socket.say({ type: "state" });
  return socket;
}

test("a move that is made before the socket is open is sent when the game is there", async (context) => {
  const { connection } = connect(context);
  const answer = connection.request(MOVE);
  const socket = welcome();
  assert.deepEqual(socket.sent.slice(1), [{ ...MOVE, id: 1 }]);
  socket.say({ type: "answer", id: 1, error: null, hint: null });
  assert.equal((await answer).error, null);
  socket.say({ type: "state" });
  assert.equal(socket.sent.length, 2); // it goes once
});

test("a move goes again when its answer was lost, and one that is made meanwhile waits", async (context) => {
  const { connection, told } = connect(context);
  const answer = connection.request(MOVE);
  welcome().lose();
  context.mock.timers.tick(250);
  assert.equal(Socket.all.length, 2);
  const second = welcome();
  assert.deepEqual(second.sent.slice(1), [{ ...MOVE, id: 1 }]);
  second.say({ type: "answer", id: 1, error: null, hint: null });
  assert.equal((await answer).error, null);
  second.lose();
  const later = connection.request({ ...MOVE, ply: 2 });
  context.mock.timers.tick(250);
  const third = welcome();
  assert.deepEqual(third.sent.slice(1), [{ ...MOVE, ply: 2, id: 2 }]);
  third.say({ type: "answer", id: 2, error: "no", hint: null });
  assert.equal((await later).error, "no");
  assert.deepEqual(told, [true, false, true, false, true]);
});

test("everything else is refused without a connection", async (context) => {
  const { connection } = connect(context);
  assert.match((await connection.request({ action: "draw" })).error, /no connection/);
  const socket = welcome();
  const answer = connection.request({ action: "draw" });
  socket.lose();
  assert.match((await answer).error, /lost/);
  context.mock.timers.tick(250);
  assert.equal(welcome().sent.length, 1);
});
