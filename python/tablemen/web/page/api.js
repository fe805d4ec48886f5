// The client of the server: requests, streams of JSON lines, and a WebSocket that reconnects.

/** A request that the server refused, with the reason. */
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

/** The server does not respond. */
export class ConnectionLost extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The server cannot be reached.", { cause });
  }
}

/**
 * Send a request. Throws `RequestError` if the server refuses it, and `ConnectionLost` if it does not respond.
 * @template T
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {{body?: unknown, key?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<T>}
 */
export async function fetchJson(method, path, { body, key, signal } = {}) {
  const response = await send(method, path, { body, key, signal });
  return /** @type {T} */ (await answered(response.json()));
}

/**
 * Fetch a text that is not JSON.
 * @param {string} path
 */
export async function fetchText(path) {
  const response = await send("GET", path, {});
  return answered(response.text());
}

/**
 * Fetch a stream of JSON values, one per line.
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
    const { done, value } = await answered(reader.read());
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = lines.pop() ?? "";
    lines.filter((line) => line).forEach((line) => onLine(JSON.parse(line)));
    if (done) {
      return;
    }
  }
}

/**
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
  const response = await answered(fetch(path, { method, headers, body: JSON.stringify(body), signal }));
  if (!response.ok) {
    const { error = response.statusText, problems = [] } = await response.json().catch(() => ({}));
    throw new RequestError(error, response.status, problems);
  }
  return response;
}

/**
 * Wait for the network; browsers differ in their errors for an unreachable server.
 * @template T
 * @param {Promise<T>} answer
 */
async function answered(answer) {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionLost(error) : error;
  }
}

const FIRST_WAIT = 250;
const MAX_WAIT = 5000;

/** A WebSocket that reconnects until it is closed on purpose. */
export class Link {
  /**
   * @param {string} path
   * @param {object} handlers
   * @param {(message: any) => void} handlers.onMessage
   * @param {() => void} [handlers.onOpen] called after each connection, to send the first message
   * @param {(isOpen: boolean, reason: string) => void} [handlers.onChange] called when the connection is lost or restored
   */
  constructor(path, { onMessage, onOpen, onChange }) {
    this.path = path;
    this.onMessage = onMessage;
    this.onOpen = onOpen;
    this.onChange = onChange;
    this.wait = FIRST_WAIT;
    this.isClosed = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.onOpen?.();
      this.onChange?.(true, "");
    });
    socket.addEventListener("message", (event) => this.onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (this.isClosed) {
        return;
      }
      this.onChange?.(false, event.reason);
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, MAX_WAIT);
    });
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Send a message if the connection is open.
   * @param {object} message
   * @returns {boolean} whether it was
   */
  send(message) {
    if (!this.isOpen) {
      return false;
    }
    this.socket?.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
