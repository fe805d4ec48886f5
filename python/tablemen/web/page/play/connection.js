// The WebSocket of a game: receives states, sends requests, and resends unanswered moves.

import { Link } from "../api.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").ActionReply} ActionReply */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {{action: Action, give: (answer: ActionReply) => void}} Asked */

/** A game's WebSocket with replies to requests. A move waits for the connection, and is resent if its reply was lost. */
export class Connection {
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
    this.last = 0;
    this.isReady = false;
    /** @type {Map<number, Asked>} */
    this.asked = new Map();
    this.link = new Link(`/api/games/${encodeURIComponent(id)}/socket`, {
      onOpen: () => this.link.send({ type: "hello", key }),
      onMessage: (message) => this.handleMessage(message),
      onChange: (isOpen, reason) => isOpen || this.lose(reason),
    });
  }

  /**
   * Send a request and return its reply.
   * @param {Action} action
   * @returns {Promise<ActionReply>}
   */
  request(action) {
    const id = ++this.last;
    return new Promise((give) => {
      this.asked.set(id, { action, give });
      if (this.isReady) {
        this.link.send({ ...action, id }); // if it fails, the connection is about to be lost
      } else if (action.action !== "move") {
        this.answer({ type: "answer", id, error: "There is no connection to the server.", hint: null });
      }
    });
  }

  /** @param {GameState | ActionReply} message */
  handleMessage(message) {
    if (message.type === "answer") {
      this.answer(message);
      return;
    }
    const isFirst = !this.isReady;
    this.isReady = true;
    this.onState(message);
    if (isFirst) {
      this.onChange(true, "");
      this.sendWaiting();
    }
  }

  /** @param {ActionReply} answer */
  answer(answer) {
    const asked = this.asked.get(answer.id);
    this.asked.delete(answer.id);
    asked?.give(answer);
  }

  /** Only moves are pending: each names its ply, so that the server never plays it twice. */
  sendWaiting() {
    for (const [id, { action }] of this.asked) {
      this.link.send({ ...action, id });
    }
  }

  /** @param {string} reason */
  lose(reason) {
    this.isReady = false;
    for (const [id, { action }] of this.asked) {
      if (action.action !== "move") {
        this.answer({ type: "answer", id, error: "The connection was lost.", hint: null });
      }
    }
    this.onChange(false, reason);
  }
}
