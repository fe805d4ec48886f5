// Tests of requests to the server, the socket of a game, and errors. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionLost, errorText, fetchJson, fetchText, fetchVariant, GameConnection, RequestError, toQuery } from "../../../python/tablemen/web/page/api.js";

test("network errors of all browsers become ConnectionLost, aborts do not", async (context) => {
  for (const [error, kind] of [
    [new TypeError("Failed to fetch"), ConnectionLost],
    [new TypeError("Load failed"), ConnectionLost],
    [new DOMException("aborted", "AbortError"), DOMException],
  ]) {
    context.mock.method(globalThis, "fetch", () => Promise.reject(error));
    await assert.rejects(fetchJson("GET", "/api/variants"), kind);
  }
});

test("a response that breaks off throws ConnectionLost", async (context) => {
  const breakOff = () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    return Promise.resolve(new Response(body));
  };
  context.mock.method(globalThis, "fetch", breakOff);
  await assert.rejects(fetchJson("GET", "/api/variants"), ConnectionLost);
  await assert.rejects(fetchText("/api/board.svg"), ConnectionLost);
});

test("RequestError has the server's message, or the status text without one", async (context) => {
  const responses = [
    new Response('{"error": "no such game", "problems": ["a"]}', { status: 404 }),
    new Response("<html>", { status: 502, statusText: "Bad Gateway" }),
  ];
  context.mock.method(globalThis, "fetch", () => Promise.resolve(responses.shift()));
  const isRequestError = (message, status, problems) => (error) => {
    assert.ok(error instanceof RequestError);
    assert.deepEqual([error.message, error.status, error.problems], [message, status, problems]);
    return true;
  };
  await assert.rejects(fetchJson("GET", "/api/games/x"), isRequestError("no such game", 404, ["a"]));
  await assert.rejects(fetchText("/api/board.svg"), isRequestError("Bad Gateway", 502, []));
});

test("only errors of requests have a text for the user", () => {
  assert.equal(errorText(new RequestError("refused: 'x'", 404, [])), "Refused: 'x'");
  assert.notEqual(errorText(new ConnectionLost(null)), null);
  assert.equal(errorText(new TypeError("board is undefined")), null);
  assert.equal(errorText("nonsense"), null);
});

test("empty values are left out of a query", () => {
  assert.equal(String(toQuery({ variant: "russian", houses: null, position: "" })), "variant=russian");
  const more = { size: 200, orientation: "" };
  assert.equal(String(toQuery({ variant: "kalah", houses: 4, seeds: 3 }, more)), "variant=kalah&houses=4&seeds=3&size=200");
});

test("the request for a variant contains the board size, if there is one", async (context) => {
  const paths = [];
  context.mock.method(globalThis, "fetch", (path) => {
    paths.push(path);
    return Promise.resolve(new Response("{}"));
  });
  await fetchVariant({ variant: "kalah", houses: 4, seeds: 3 });
  await fetchVariant({ variant: "a/b", houses: null });
  assert.deepEqual(paths, ["/api/variants/kalah?houses=4&seeds=3", "/api/variants/a%2Fb"]);
});

const HEARTBEAT = { type: "heartbeat" };
const MOVE = { action: "move", move: "32-28", ply: 0 };

/** A fake WebSocket that the test opens and closes. */
class FakeSocket extends EventTarget {
  static OPEN = 1;
  static all = [];

  constructor() {
    super();
    this.readyState = 0;
    this.sent = [];
    FakeSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosing = true; // the event of a stalled connection comes much later
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  receive(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  disconnect() {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { reason: "" }));
  }
}

/** Create a connection to the game "a", and the list of its connection changes. */
function connect(context) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  Object.assign(globalThis, { WebSocket: FakeSocket, location: { protocol: "http:", host: "localhost" } });
  FakeSocket.all = [];
  const changes = [];
  const handlers = { onState: () => {}, onChange: (isOpen) => changes.push(isOpen) };
  const connection = new GameConnection("a", "key", handlers);
  return { connection, changes };
}

/** Open the newest socket, send the first state of the game, and return the socket. */
function openSocket() {
  const socket = FakeSocket.all.at(-1);
  socket.open();
  assert.deepEqual(socket.sent, [{ type: "hello", key: "key", device: socket.sent[0].device }]);
  socket.receive({ type: "state" });
  return socket;
}

test("a move made before the connection is sent after the first state", async (context) => {
  const { connection } = connect(context);
  const reply = connection.request(MOVE);
  const socket = openSocket();
  assert.deepEqual(socket.sent.slice(1), [{ ...MOVE, id: 1 }]);
  socket.receive({ type: "answer", id: 1, error: null, hint: null });
  assert.equal((await reply).error, null);
  socket.receive({ type: "state" });
  assert.equal(socket.sent.length, 2); // the move is sent once
});

test("a move without a reply is sent again after a reconnect, and a new move is queued", async (context) => {
  const { connection, changes } = connect(context);
  const reply = connection.request(MOVE);
  openSocket().disconnect();
  context.mock.timers.tick(250);
  assert.equal(FakeSocket.all.length, 2);
  const second = openSocket();
  assert.deepEqual(second.sent.slice(1), [{ ...MOVE, id: 1 }]);
  second.receive({ type: "answer", id: 1, error: null, hint: null });
  assert.equal((await reply).error, null);
  second.disconnect();
  const later = connection.request({ ...MOVE, ply: 2 });
  context.mock.timers.tick(250);
  const third = openSocket();
  assert.deepEqual(third.sent.slice(1), [{ ...MOVE, ply: 2, id: 2 }]);
  third.receive({ type: "answer", id: 2, error: "no", hint: null });
  assert.equal((await later).error, "no");
  assert.deepEqual(changes, [true, false, true, false, true]);
});

test("other actions fail without a connection, and are not sent again", async (context) => {
  const { connection } = connect(context);
  assert.notEqual((await connection.request({ action: "draw" })).error, null);
  const socket = openSocket();
  const reply = connection.request({ action: "draw" });
  assert.equal(socket.sent.length, 2);
  socket.disconnect();
  assert.notEqual((await reply).error, null);
  context.mock.timers.tick(250);
  assert.equal(openSocket().sent.length, 1);
});

test("a connection that does not answer a heartbeat is lost within 5 seconds, and its late messages are ignored", async (context) => {
  const { connection, changes } = connect(context);
  const stalled = openSocket();
  for (let beats = 1; beats <= 3; beats += 1) {
    context.mock.timers.tick(2000);
    assert.equal(stalled.sent.length, beats + 1);
    assert.deepEqual(stalled.sent.at(-1), HEARTBEAT);
    context.mock.timers.tick(2000); // a slow reply
    stalled.receive(HEARTBEAT);
  }
  const reply = connection.request(MOVE);
  context.mock.timers.tick(2000);
  context.mock.timers.tick(2499);
  assert.deepEqual(changes, [true]);
  context.mock.timers.tick(1);
  assert.deepEqual(changes, [true, false]);
  assert.ok(stalled.isClosing);
  context.mock.timers.tick(250);
  const second = openSocket();
  assert.equal(second.sent[0].device, stalled.sent[0].device);
  assert.deepEqual(second.sent.slice(1), [{ ...MOVE, id: 1 }]);
  stalled.receive({ type: "answer", id: 1, error: "late", hint: null });
  stalled.disconnect();
  assert.deepEqual(changes, [true, false, true]);
  second.receive({ type: "answer", id: 1, error: null, hint: null });
  assert.equal((await reply).error, null);
});

test("other messages do not replace the reply to a heartbeat", (context) => {
  const { changes } = connect(context);
  const socket = openSocket();
  for (let second = 0; second < 5; second += 1) {
    context.mock.timers.tick(1000);
    socket.receive({ type: "state" });
  }
  assert.deepEqual(changes, [true, false]);
});

test("a connect that takes too long is repeated, with a growing delay until a message arrives", (context) => {
  const { changes } = connect(context);
  for (const delay of [250, 500, 1000, 2000, 4000, 5000, 5000]) {
    const count = FakeSocket.all.length;
    context.mock.timers.tick(4500);
    assert.equal(changes.length, count);
    context.mock.timers.tick(delay - 1);
    assert.equal(FakeSocket.all.length, count);
    context.mock.timers.tick(1);
    assert.equal(FakeSocket.all.length, count + 1);
  }
  FakeSocket.all.at(-1).open();
  FakeSocket.all.at(-1).disconnect(); // refused after the handshake
  context.mock.timers.tick(4999);
  const count = FakeSocket.all.length;
  context.mock.timers.tick(1);
  assert.equal(FakeSocket.all.length, count + 1);
  openSocket().disconnect();
  context.mock.timers.tick(250);
  assert.equal(FakeSocket.all.length, count + 2);
});

test("a page that was suspended checks the connection before it reconnects", (context) => {
  const { changes } = connect(context);
  const socket = openSocket();
  context.mock.timers.tick(2000);
  context.mock.timers.tick(3_600_000); // runs the timer late
  assert.deepEqual(changes, [true]);
  assert.deepEqual(socket.sent.slice(1), [HEARTBEAT, HEARTBEAT]);
  context.mock.timers.tick(2500);
  assert.deepEqual(changes, [true, false]);
});

test("a closed socket does not reconnect", (context) => {
  const { connection, changes } = connect(context);
  const socket = openSocket();
  connection.socket.close();
  socket.disconnect();
  context.mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 1);
  assert.deepEqual(changes, [true]);
});
