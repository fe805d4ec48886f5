// Requests to the server: JSON, text and line streams, sockets that reconnect, and their errors.

import { announce, capital, toast } from "./ui.js";

/** @typedef {import("./api-types").Action} Action */
/** @typedef {import("./api-types").ActionReply} ActionReply */
/** @typedef {import("./api-types").GameState} GameState */
/** @typedef {import("./api-types").PlaceExplanation} PlaceExplanation */
/** @typedef {import("./api-types").PlaceQuery} PlaceQuery */
/** @typedef {import("./api-types").PositionSpec} PositionSpec */
/** @typedef {import("./api-types").VariantInfo} VariantInfo */

const FIRST_RECONNECT_DELAY = 250; // milliseconds
const MAX_RECONNECT_DELAY = 5000;
const CONNECT_TIMEOUT = 4500;
const HEARTBEAT_INTERVAL = 2000; // from the reply to the next heartbeat
const HEARTBEAT_TIMEOUT = 2500; // for the reply; with the interval, a loss is shown after 4.5 seconds of silence
const SLOW_RESPONSE = 4500; // milliseconds without a response until the user is informed
const EXPLANATION_INTERVAL = 5000; // milliseconds before the same explanation is shown again

/** A random name for this page, by which the server distinguishes a reconnect from a second device. */
const DEVICE = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("-");

/** The error for a request that the server refused. */
export class RequestError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {string[]} problems
   */
  constructor(message, status, problems) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

/** The error for a server that cannot be reached. */
export class ConnectionLost extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The server cannot be reached.", { cause });
  }
}

/**
 * Send a request and return the JSON response. Throws `RequestError` if the server refuses the request, and
 * `ConnectionLost` if the server cannot be reached.
 * @template T
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {{body?: unknown, key?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<T>}
 */
export async function fetchJson(method, path, { body, key, signal } = {}) {
  const response = await send(method, path, { body, key, signal });
  return /** @type {T} */ (await convertNetworkErrors(response.json()));
}

/**
 * Fetch a resource as text.
 * @param {string} path
 */
export async function fetchText(path) {
  const response = await send("GET", path, {});
  return convertNetworkErrors(response.text());
}

/**
 * Send a request whose response is a stream of lines, each a JSON value.
 * @template T
 * @param {string} path
 * @param {unknown} body
 * @param {(line: T) => void} onLine
 * @param {AbortSignal} [signal]
 */
export async function fetchLines(path, body, onLine, signal) {
  const response = await send("POST", path, { body, signal });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await convertNetworkErrors(reader.read());
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = lines.pop() ?? "";
    lines.filter((line) => line).forEach((line) => onLine(JSON.parse(line)));
    if (done) {
      return;
    }
  }
}

/**
 * Send a request. While the server does not respond, say so.
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, key?: string, signal?: AbortSignal}} options
 */
async function send(method, path, { body, key, signal }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
  }
  if (key) {
    headers.Authorization = `Bearer ${key}`;
  }
  const timer = setInterval(() => toast("Waiting for the server…"), SLOW_RESPONSE);
  const request = fetch(path, { method, headers, body: JSON.stringify(body), signal });
  const response = await convertNetworkErrors(request).finally(() => clearInterval(timer));
  if (!response.ok) {
    const { error = response.statusText, problems = [] } = await response.json().catch(() => ({}));
    throw new RequestError(error, response.status, problems);
  }
  return response;
}

/**
 * Convert network errors to `ConnectionLost`. Their messages differ between browsers.
 * @template T
 * @param {Promise<T>} response
 */
async function convertNetworkErrors(response) {
  try {
    return await response;
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost(error) : error;
  }
}

/**
 * A WebSocket that reconnects until `close` is called. It sends heartbeats: a connection that does not answer one in
 * time is lost, even if the browser has not noticed that.
 */
export class ReconnectingSocket {
  /**
   * @param {string} path
   * @param {object} handlers
   * @param {(message: any) => void} handlers.onMessage
   * @param {() => void} [handlers.onOpen] called after each connect, to send the first message
   * @param {(isOpen: boolean, reason: string) => void} [handlers.onChange] called after each connect and loss
   */
  constructor(path, { onMessage, onOpen, onChange }) {
    this.path = path;
    this.onMessage = onMessage;
    this.onOpen = onOpen;
    this.onChange = onChange;
    this.delay = FIRST_RECONNECT_DELAY;
    /** For the next heartbeat, the reply to it, or the next connect. @type {number | undefined} */
    this.timer = undefined;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    /** @type {WebSocket | null} */
    this.socket = socket;
    /** @param {() => void} handle */
    const ifCurrent = (handle) => socket === this.socket && handle();
    socket.addEventListener("open", () => ifCurrent(() => {
      this.setTimer(() => this.sendHeartbeat(), HEARTBEAT_INTERVAL);
      this.onOpen?.();
      this.onChange?.(true, "");
    }));
    socket.addEventListener("message", ({ data }) => ifCurrent(() => this.receive(JSON.parse(data))));
    socket.addEventListener("close", ({ reason }) => ifCurrent(() => this.reconnect(reason)));
    this.setTimer(() => this.reconnect(), CONNECT_TIMEOUT);
  }

  /** @param {any} message */
  receive(message) {
    this.delay = FIRST_RECONNECT_DELAY;
    if (message.type === "heartbeat") {
      this.setTimer(() => this.sendHeartbeat(), HEARTBEAT_INTERVAL);
    } else {
      this.onMessage(message);
    }
  }

  sendHeartbeat() {
    const sent = Date.now();
    this.send({ type: "heartbeat" });
    this.setTimer(() => {
      const wasSuspended = Date.now() - sent >= 2 * HEARTBEAT_TIMEOUT; // the reply may be in the browser's queue
      if (wasSuspended) {
        this.sendHeartbeat();
      } else {
        this.reconnect();
      }
    }, HEARTBEAT_TIMEOUT);
  }

  /**
   * Abandon the connection, and connect again after a delay. A stalled connection takes long to close, so its events
   * are ignored from now on.
   * @param {string} [reason] the server's reason for the loss
   */
  reconnect(reason = "") {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.setTimer(() => this.open(), this.delay);
    this.delay = Math.min(2 * this.delay, MAX_RECONNECT_DELAY);
    this.onChange?.(false, reason);
  }

  /**
   * @param {() => void} act
   * @param {number} delay
   */
  setTimer(act, delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, delay);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a message if the socket is open.
   * @param {object} message
   * @returns {boolean} whether the socket is open
   */
  send(message) {
    if (!this.isOpen) {
      return false;
    }
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  close() {
    const { socket } = this;
    this.socket = null;
    clearTimeout(this.timer);
    socket?.close();
  }
}

/**
 * The socket of a game. Moves are queued until there is a connection, and sent again if the reply was lost. Each move
 * has its ply number, so the server plays it only once. Other actions fail without a connection.
 */
export class GameConnection {
  /**
   * @param {string} id
   * @param {string | null} key
   * @param {object} handlers
   * @param {(state: GameState) => void} handlers.onState
   * @param {(isOpen: boolean, reason: string) => void} handlers.onChange
   */
  constructor(id, key, { onState, onChange }) {
    this.onState = onState;
    this.onChange = onChange;
    this.lastId = 0;
    this.isReady = false;
    /** @type {Map<number, {action: Action, resolve: (reply: ActionReply) => void}>} */
    this.requests = new Map();
    this.socket = new ReconnectingSocket(`/api/games/${encodeURIComponent(id)}/socket`, {
      onOpen: () => this.socket.send({ type: "hello", key, device: DEVICE }),
      onMessage: (message) => this.receive(message),
      onChange: (isOpen, reason) => isOpen || this.fail(reason),
    });
  }

  /**
   * Send an action and return the reply.
   * @param {Action} action
   * @returns {Promise<ActionReply>}
   */
  request(action) {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.requests.set(id, { action, resolve });
      if (this.isReady) {
        this.socket.send({ ...action, id });
      } else if (action.action !== "move") {
        this.resolve({ type: "answer", id, error: "Not connected to the server.", hint: null });
      }
    });
  }

  /** @param {GameState | ActionReply} message */
  receive(message) {
    if (message.type === "answer") {
      this.resolve(message);
      return;
    }
    const isFirst = !this.isReady;
    this.isReady = true;
    this.onState(message);
    if (isFirst) {
      this.onChange(true, "");
      for (const [id, { action }] of this.requests) {
        this.socket.send({ ...action, id });
      }
    }
  }

  /** @param {ActionReply} reply */
  resolve(reply) {
    const request = this.requests.get(reply.id);
    this.requests.delete(reply.id);
    request?.resolve(reply);
  }

  /** @param {string} reason */
  fail(reason) {
    this.isReady = false;
    for (const [id, { action }] of this.requests) {
      if (action.action !== "move") {
        this.resolve({ type: "answer", id, error: "The connection was lost.", hint: null });
      }
    }
    this.onChange(false, reason);
  }
}

/**
 * Return the query for a position, without the moves: `variant=…&houses=…`. Empty values are left out.
 * @param {PositionSpec} spec
 * @param {Record<string, string | number>} [more]
 */
export function toQuery({ variant, houses, seeds, position }, more = {}) {
  const query = new URLSearchParams({ variant });
  for (const [name, value] of Object.entries({ houses, seeds, position, ...more })) {
    if (value !== null && value !== undefined && value !== "") {
      query.set(name, String(value));
    }
  }
  return query;
}

/**
 * Fetch the description of a variant with the board size of a position.
 * @param {PositionSpec} spec
 */
export function fetchVariant({ variant, houses, seeds }) {
  const query = toQuery({ variant, houses, seeds });
  query.delete("variant");
  const path = [`/api/variants/${encodeURIComponent(variant)}`, String(query)].filter(Boolean).join("?");
  return /** @type {Promise<VariantInfo>} */ (fetchJson("GET", path));
}

/**
 * Return the message of a request error for the user, or null if the error is a bug in the page.
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof RequestError || error instanceof ConnectionLost ? capital(error.message) : null;
}

/**
 * Show a request error to the user, and log any other error to the console.
 * @param {unknown} error
 */
export function showError(error) {
  const text = errorText(error);
  if (text === null) {
    console.error(error);
  } else {
    toast(text, "bad");
  }
}

let lastPlaceQuery = 0;
let shownExplanation = "";
let explanationTimer = 0;

/**
 * Explain why a place cannot be played. The explanation is announced. It is also shown if the place is occupied, unless
 * the same explanation was shown a moment ago.
 * @param {PlaceQuery} query
 * @param {boolean} isOccupied
 */
export async function explainPlace(query, isOccupied) {
  const number = ++lastPlaceQuery;
  /** @type {PlaceExplanation} */
  const { reason } = await fetchJson("POST", "/api/positions/objection", { body: query });
  if (reason === null || number !== lastPlaceQuery) {
    return;
  }
  const text = `${capital(reason)}.`;
  if (!isOccupied || text === shownExplanation) {
    announce(text);
    return;
  }
  toast(text);
  shownExplanation = text;
  clearTimeout(explanationTimer);
  explanationTimer = setTimeout(() => (shownExplanation = ""), EXPLANATION_INTERVAL);
}
