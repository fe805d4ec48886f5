// The list of the moves: numbered as players number them, and each can be looked at.

import { element } from "../ui.js";

/** @typedef {import("./record.js").Record} GameRecord */

/** The moves of a game as buttons; one of them is the one that is shown. */
export class MoveList {
  /**
   * @param {HTMLElement} place
   * @param {string} first the side that begins in this variant
   * @param {(at: number) => void} onGo
   */
  constructor(place, first, onGo) {
    this.place = place;
    this.first = first;
    /** @type {HTMLButtonElement[]} by the number of the ply */
    this.buttons = [];
    this.at = 0;
    new ResizeObserver(() => this.mark(this.at)).observe(place); // what is shown stays in view
    place.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) {
        onGo(Number(target.dataset.ply));
      }
    });
  }

  /** @param {GameRecord} record */
  fill(record) {
    this.buttons = [];
    const rounds = record.rounds(this.first).map(({ cells }, number) =>
      element(
        "li",
        { class: "round" },
        element("span", { class: "number muted" }, `${number + 1}.`),
        ...cells.map((plies, column) => this.cell(plies, record, column === 0 && !plies.length)),
      ),
    );
    this.place.replaceChildren(...rounds);
  }

  /**
   * @param {number[]} plies
   * @param {GameRecord} record
   * @param {boolean} isMissing whether the other side began this round
   */
  cell(plies, record, isMissing) {
    const buttons = plies.map((ply) => {
      const text = record.plies[ply - 1]?.move.text ?? "";
      const attributes = { type: "button", class: "ply quiet digits", "data-ply": ply, tabindex: -1 };
      const button = element("button", attributes, text);
      this.buttons[ply] = button;
      return button;
    });
    return element("span", { class: "cell" }, isMissing ? "…" : null, ...buttons);
  }

  /**
   * Mark the move that is shown, and bring it into view.
   * @param {number} at
   */
  mark(at) {
    this.at = at;
    for (const button of this.place.querySelectorAll("[aria-current]")) {
      button.removeAttribute("aria-current");
      button.setAttribute("tabindex", "-1");
    }
    const button = this.buttons[at];
    button?.setAttribute("aria-current", "true");
    (button ?? this.buttons[1])?.setAttribute("tabindex", "0");
    if (!button) {
      this.place.scrollTo({ top: 0, left: 0 });
      return;
    }
    // Only the list is scrolled: scrollIntoView would move the page under the board.
    const [frame, box] = [this.place.getBoundingClientRect(), button.getBoundingClientRect()];
    this.place.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
    this.place.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
  }
}
