// Seeds put into the pits of a mancala board.

import { capital, count, element } from "../ui.js";

/** @typedef {import("../api-types").MancalaSide} MancalaSide */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

const MOST = 65_535; // seeds in a pit

/** A pit is chosen by a click, which may also add a seed or take one. */
export class SeedsEditor {
  /**
   * @param {VariantInfo} facts
   * @param {PositionState["board"]} board
   * @param {() => void} onChange
   */
  constructor(facts, board, onChange) {
    this.facts = facts;
    this.onChange = onChange;
    this.board = structuredClone(/** @type {Record<string, MancalaSide>} */ (board));
    this.pit = `${facts.sides[0]} 1`;
    this.step = 1;
    this.name = element("label", { for: "seeds-in-pit" });
    this.number = element("input", {
      type: "number",
      id: "seeds-in-pit",
      min: 0,
      max: MOST,
      oninput: () => this.set(Number(this.number.value)),
    });
    this.total = element("p", { class: "muted" });
    this.tools = element(
      "div",
      {},
      element(
        "fieldset",
        { class: "choice" },
        element("legend", {}, "A click on a pit"),
        this.choice("adds a seed", 1),
        this.choice("takes one", -1),
        this.choice("only chooses it", 0),
      ),
      this.name,
      element(
        "div",
        { class: "row stepper" },
        this.stepper("−", "One seed less", -1),
        this.number,
        this.stepper("+", "One seed more", 1),
      ),
      this.total,
    );
    this.draw();
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {number} step
   */
  stepper(text, label, step) {
    const onclick = () => this.add(step);
    return element("button", { type: "button", class: "icon", "aria-label": label, onclick }, text);
  }

  /**
   * @param {string} label
   * @param {number} step
   */
  choice(label, step) {
    const onchange = () => (this.step = step);
    const input = element("input", { type: "radio", name: "tool", checked: step === this.step, onchange });
    return element("label", {}, input, label);
  }

  /** @param {{place?: string, from?: string, to?: string | null}} detail */
  edit({ place, from, to }) {
    if (place !== undefined) {
      this.pit = place;
      this.add(this.step);
    } else if (from !== undefined) {
      this.pour(from, to ?? null);
    }
  }

  /**
   * All seeds of a pit go to another, or away.
   * @param {string} from
   * @param {string | null} to
   */
  pour(from, to) {
    this.pit = from;
    const seeds = this.seeds;
    this.seeds = 0;
    if (to !== null) {
      this.pit = to;
      this.seeds = Math.min(MOST, this.seeds + seeds);
    }
    this.draw();
    this.onChange();
  }

  /** @param {number} step */
  add(step) {
    this.set(this.seeds + step);
  }

  /** @param {number} seeds */
  set(seeds) {
    this.seeds = Number.isFinite(seeds) ? Math.trunc(Math.min(MOST, Math.max(0, seeds))) : 0;
    this.draw();
    this.onChange();
  }

  /** What lies in the pit that is chosen. */
  get seeds() {
    const [side = "", place] = this.pit.split(" ");
    const lies = this.board[side];
    return (place === "store" ? lies?.store : lies?.houses[Number(place) - 1]) ?? 0;
  }

  set seeds(seeds) {
    const [side = "", place] = this.pit.split(" ");
    const lies = this.board[side];
    if (lies && place === "store") {
      lies.store = seeds;
    } else if (lies) {
      lies.houses[Number(place) - 1] = seeds;
    }
  }

  draw() {
    const [side = "", place] = this.pit.split(" ");
    this.name.textContent = place === "store" ? `${capital(side)}’s store` : `${capital(side)}, house ${place}`;
    if (document.activeElement !== this.number) {
      this.number.value = String(this.seeds);
    }
    let total = 0;
    for (const { houses, store } of Object.values(this.board)) {
      total += store + houses.reduce((sum, seeds) => sum + seeds, 0);
    }
    this.total.textContent = `${count(total, "seed")} in all`;
  }

  clear() {
    for (const lies of Object.values(this.board)) {
      lies.houses.fill(0);
      lies.store = 0;
    }
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const place = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
    this.pit = place ?? this.pit;
    if (event.key === "+" || event.key === "=") {
      this.add(1);
    } else if (event.key === "-") {
      this.add(-1);
    } else if (/^\d$/.test(event.key) && place !== undefined) {
      this.set(Number(event.key));
    }
  }
}
