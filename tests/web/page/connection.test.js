// A game's socket: moves wait for it, and nothing else does. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { GameConnection } from "../../../python/tablemen/web/page/api.js";

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
