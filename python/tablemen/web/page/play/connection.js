// The socket of a game: states come, requests go, and what was not answered is not lost.

import { ReconnectingSocket } from "../api.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").ActionReply} ActionReply */
/** @typedef {import("../api-types").GameState} GameState */

/** @typedef {{action: Action, give: (answer: ActionReply) => void}} Asked */

/** A game's socket that answers requests. A move waits for the connection, and goes again where its answer was lost. */
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
    this.link = new ReconnectingSocket(`/api/games/${encodeURIComponent(id)}/socket`, {
      onOpen: () => this.link.send({ type: "hello", key }),
      onMessage: (message) => this.hear(message),
      onChange: (isOpen, reason) => isOpen || this.lose(reason),
    });
  }

  /**
   * Ask for something; the answer says what became of it.
   * @param {Action} action
   * @returns {Promise<ActionReply>}
   */
  request(action) {
    const id = ++this.last;
    return new Promise((give) => {
      this.asked.set(id, { action, give });
      if (this.isReady) {
        this.link.send({ ...action, id }); // where it does not go, the connection is about to be lost
      } else if (action.action !== "move") {
        this.answer({ type: "answer", id, error: "There is no connection to the server.", hint: null });
      }
    });
  }

  /** @param {GameState | ActionReply} message */
  hear(message) {
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

  /** What waits are moves: each names its ply, so that the server never plays it twice. */
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
