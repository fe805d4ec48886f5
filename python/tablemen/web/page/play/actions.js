// The buttons for everything that is no move on the board.

import { announce, capital, find, toast } from "../dom.js";
import { opponentOf } from "./words.js";

/** @typedef {import("../wire").Action} Action */
/** @typedef {import("../wire").GameState} GameState */

const NAMES = /** @type {const} */ (["takeback", "hint", "draw", "resign"]);
const ASKED_FOR = 5000; // milliseconds that a question stays

/** Take back, hint, draw and resign, as far as the server allows them. */
export class Actions {
  /** @param {(action: Action["action"]) => void} act */
  constructor(act) {
    this.act = act;
    this.timer = 0;
    this.isAsked = false;
    for (const name of NAMES) {
      button(name).addEventListener("click", () => (name === "resign" ? this.resign() : this.act(name)));
    }
    button("claim-draw").addEventListener("click", () => this.act("draw"));
    button("resign").addEventListener("blur", () => this.calmDown());
    button("resign").addEventListener("keydown", ({ key }) => key === "Escape" && this.calmDown());
  }

  /**
   * @param {GameState} state
   * @param {boolean} isOpen whether there is a connection
   */
  show(state, isOpen) {
    find("#actions", HTMLElement).classList.toggle("is-watching", !state.you.length);
    for (const name of NAMES) {
      const each = button(name);
      each.disabled = !isOpen || !state.actions.includes(name);
      each.hidden = !state.you.length || (name === "hint" && opponentOf(state) === "link");
    }
    showRematch(state, isOpen);
    const words = drawWords(state);
    label("draw", words.short, words.long);
    const asks = opponentOf(state) === "link" && !state.offers.takeback;
    label("takeback", "Take back", asks ? "Ask to take back a move" : "Take back a move");
    if (!this.isAsked) {
      label("resign", "Resign", opponentOf(state) === "screen" ? `${capital(state.turn)} resigns` : "Resign");
    }
  }

  /** The first press asks, the second does it. */
  resign() {
    if (this.isAsked) {
      this.calmDown();
      this.act("resign");
      return;
    }
    this.isAsked = true;
    button("resign").classList.add("is-asking");
    label("resign", "Really?", "Press again to resign");
    announce("Press again to resign.");
    this.timer = setTimeout(() => this.calmDown(), ASKED_FOR);
  }

  calmDown() {
    clearTimeout(this.timer);
    this.isAsked = false;
    button("resign").classList.remove("is-asking");
    label("resign", "Resign", "Resign");
  }
}

/**
 * A rematch between two with a link is asked for; the others have theirs at once.
 * @param {GameState} state
 * @param {boolean} isOpen
 */
function showRematch(state, isOpen) {
  const isAskedFor = opponentOf(state) === "link";
  const asker = state.offers.rematch;
  const rematch = button("rematch");
  rematch.hidden = !state.you.length || state.next !== null;
  rematch.disabled = isAskedFor && (!isOpen || !state.actions.includes("rematch"));
  rematch.textContent = asker && !state.you.includes(asker) ? "Accept the rematch" : "Rematch";
}

/** @param {GameState} state */
function drawWords(state) {
  if (state.claims.length) {
    return { short: "Claim draw", long: `Claim a draw: ${state.claims.join(", ")}` };
  }
  const offered = state.offers.draw;
  if (offered && !state.you.includes(offered)) {
    return { short: "Accept draw", long: "Accept the draw" };
  }
  if (opponentOf(state) === "screen") {
    return { short: "Draw", long: "Agree on a draw" };
  }
  return opponentOf(state) === "link"
    ? { short: "Offer draw", long: "Offer a draw" }
    : { short: "Draw", long: "Claim a draw, when there is a reason for one" };
}

/** @param {string} name */
function button(name) {
  return find(`#${name}`, HTMLButtonElement);
}

/**
 * @param {string} name
 * @param {string} short
 * @param {string} long
 */
function label(name, short, long) {
  const each = button(name);
  find(":scope > span:last-child", HTMLElement, each).textContent = short;
  each.title = long;
}

/**
 * Copy a text, and say so.
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text); // a page without a secure address may not copy by itself
  }
}
