// The buttons for everything that is no move on the board.

import { announce, capital, find } from "../ui.js";
import { opponentOf } from "./text.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").GameState} GameState */

const NAMES = /** @type {const} */ (["takeback", "hint", "draw", "resign"]);
const ASKED_FOR = 5000; // milliseconds that a question stays
const REALLY = /** @type {const} */ (["Really?", "Press again to do it"]);

/** Take back, hint, draw and resign, as far as the server allows them. */
export class Actions {
  /** @param {(action: Action["action"]) => void} act */
  constructor(act) {
    this.act = act;
    this.timer = 0;
    /** What was asked for once, and is done when it is asked for again. @type {"draw" | "resign" | null} */
    this.asked = null;
    /** @type {GameState | null} */
    this.state = null;
    for (const name of NAMES) {
      button(name).addEventListener("click", () => this.press(name));
    }
    button("claim-draw").addEventListener("click", () => this.act("draw"));
    for (const name of /** @type {const} */ (["draw", "resign"])) {
      button(name).addEventListener("blur", () => this.calmDown());
      button(name).addEventListener("keydown", (event) => {
        if (event.key === "Escape" && this.asked) {
          event.stopPropagation();
          this.calmDown();
        }
      });
    }
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
    this.state = state;
    this.showLabels();
  }

  showLabels() {
    const { state } = this;
    if (!state) {
      return;
    }
    const asks = opponentOf(state) === "link" && !state.offers.takeback;
    label("takeback", "Take back", asks ? "Ask to take back a move" : "Take back a move");
    const words = drawWords(state);
    const who = opponentOf(state) === "screen" ? `${capital(state.turn)} resigns` : "Resign";
    label("draw", ...(this.asked === "draw" ? REALLY : /** @type {const} */ ([words.short, words.long])));
    label("resign", ...(this.asked === "resign" ? REALLY : /** @type {const} */ ([who, who])));
    for (const name of ["draw", "resign"]) {
      button(name).classList.toggle("is-asking", this.asked === name);
    }
  }

  /** @param {typeof NAMES[number]} name */
  press(name) {
    const isAlone = this.state !== null && opponentOf(this.state) === "screen" && !this.state.claims.length;
    if (name === "resign" || (name === "draw" && isAlone)) {
      this.confirm(name);
    } else {
      this.act(name);
    }
  }

  /**
   * The first press asks, the second does it.
   * @param {"draw" | "resign"} name
   */
  confirm(name) {
    if (this.asked === name) {
      this.calmDown();
      this.act(name);
      return;
    }
    this.calmDown();
    this.asked = name;
    this.showLabels();
    announce(name === "draw" ? "Press again to end the game as a draw." : "Press again to resign.");
    this.timer = setTimeout(() => this.calmDown(), ASKED_FOR);
  }

  calmDown() {
    clearTimeout(this.timer);
    if (this.asked) {
      this.asked = null;
      this.showLabels();
    }
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
