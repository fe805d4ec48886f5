// The bars above and below the board: who plays, what was captured, and the clock.

import { capital, count, element } from "../ui.js";
import { otherSide, playerName, strength } from "./text.js";

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("./record.js").Record} GameRecord */

/** A bar for whichever side is there. */
export class PlayerBar {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.name = element("span", { class: "player-name" });
    this.detail = element("span", { class: "player-detail muted" });
    this.taken = element("span", { class: "taken" });
    this.clock = element("span", { class: "clock digits", role: "timer", hidden: true });
    this.mark = element("span", { class: "player-mark", "aria-hidden": "true" });
    place.setAttribute("role", "group");
    place.replaceChildren(
      this.mark,
      element("span", { class: "player-words" }, this.name, this.detail),
      this.taken,
      this.clock,
    );
  }

  /**
   * @param {string} side
   * @param {GameRecord} record
   * @param {number} at how many moves of it are shown
   * @param {boolean} isLosing whether the one with the least wins
   */
  show(side, record, at, isLosing) {
    const { state } = record;
    const seat = state.players[side];
    const name = playerName(state, side);
    const isAway = seat?.kind === "person" && !seat.connected && !state.you.includes(side);
    this.place.setAttribute("aria-label", `${capital(side)}: ${name}`);
    this.place.dataset.side = side;
    this.place.classList.toggle("is-turn", !state.outcome && state.turn === side);
    this.place.classList.toggle("is-away", isAway);
    this.place.classList.toggle("is-winner", state.outcome?.winner === side);
    this.name.textContent = name;
    this.detail.textContent = detail(state, side, name, isAway);
    this.showTaken(side, record, at, isLosing);
  }

  /**
   * @param {string} side
   * @param {GameRecord} record
   * @param {number} at
   * @param {boolean} isLosing
   */
  showTaken(side, record, at, isLosing) {
    const scene = record.scene(at);
    const other = otherSide(record.state, side);
    const final = at === record.plies.length ? (record.state.outcome?.score ?? null) : null;
    const worth = (/** @type {string} */ name) => final?.[name] ?? strength(scene, name);
    const lead = worth(side) - worth(other);
    const balance = lead > 0 && !isLosing ? element("span", { class: "balance digits" }, `+${lead}`) : null;
    const lies = scene.board[side];
    if (lies && "store" in lies) {
      const seeds = element("span", { class: "digits" }, final ? count(worth(side), "seed") : `${lies.store} in store`);
      this.taken.replaceChildren(...[seeds, balance].filter((part) => part !== null));
      return;
    }
    const { men, kings } = record.captured(side, at);
    const discs = [...Array(men).fill("man"), ...Array(kings).fill("king")].map((kind) =>
      element("span", { class: `taken-piece ${kind}`, "data-side": other }),
    );
    const words = [men && count(men, "man", "men"), kings && count(kings, "king")].filter((part) => part);
    const said = element("span", { class: "visually-hidden" }, words.length ? `captured ${words.join(" and ")}` : "");
    const row = element("span", { class: "discs", "aria-hidden": "true" }, ...discs);
    this.taken.replaceChildren(...[said, row, balance].filter((part) => part !== null));
  }
}

/**
 * @param {GameState} state
 * @param {string} side
 * @param {string} name
 * @param {boolean} isAway
 */
function detail(state, side, name, isAway) {
  const seat = state.players[side];
  const parts = [
    name === capital(side) ? "" : capital(side),
    seat?.kind === "computer" ? `level ${seat.level}` : seat?.kind === "engine" ? "program" : "",
    isAway ? "not here" : "",
  ];
  return parts.filter((part) => part).join(" · ");
}
