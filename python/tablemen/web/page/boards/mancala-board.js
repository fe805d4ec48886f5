// The mancala board: two rows of houses and two stores. On a narrow screen it is upright.

import { capital, count, element } from "../ui.js";
import { animationsEnabled, Board } from "./board.js";
import { afterSowing, countSeeds, Pit, Sowing } from "./mancala-pits.js";

/** @typedef {import("../api-types").MancalaBoardShape} MancalaBoardShape */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */

const EDGE_WIDTH = 0.6; // both edges together, in houses
const STORE_WIDTH = 1.1; // in houses
const MIN_HOUSE = 46; // pixels; the board is upright if the houses would be smaller
const MAX_HOUSE = 120;

/** A board with seeds in pits. */
class MancalaBoard extends Board {
  static layout = "wide";

  static ratio() {
    return 2;
  }

  /** @type {"pieces" | "seeds"} */
  contents = "seeds";
  /** @type {Map<string, Pit>} */
  pits = new Map();
  /** The seeds in each pit, after the running animation. @type {Map<string, number>} */
  counts = new Map();
  /** @type {Sowing | null} */
  sowing = null;
  isUpright = false;
  flights = element("div", { class: "flights", "aria-hidden": "true" });
  swap = element("button", { type: "button", class: "swap", hidden: true }, "Swap sides");
  wood = element("div", { class: "wood" });
  /** @type {string | null} */
  carried = null;
  observer = new ResizeObserver(() => this.fit());

  get houses() {
    return /** @type {MancalaBoardShape} */ (this.facts.board).houses;
  }

  get other() {
    return this.facts.sides.find((side) => side !== this.bottom) ?? "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer.observe(this);
    this.fit();
  }

  disconnectedCallback() {
    this.observer.disconnect();
    super.disconnectedCallback();
  }

  build() {
    this.classList.add("board");
    this.style.setProperty("--houses", String(this.houses));
    for (const side of this.facts.sides) {
      for (let house = 0; house <= this.houses; house += 1) {
        const pit = new Pit(side, house);
        this.pits.set(pit.place, pit);
        this.cells.set(pit.place, pit.cell);
      }
    }
    this.wood.append(this.grid, this.flights);
    this.append(this.wood, this.swap);
    this.swap.addEventListener("click", () => {
      if (!this.pending) {
        this.pick(this.input.touch("swap"), { animate: false });
      }
    });
    for (const name of ["pointerover", "focusin"]) {
      this.grid.addEventListener(name, (event) => this.preview(event.target));
    }
    for (const name of ["pointerout", "focusout"]) {
      this.grid.addEventListener(name, () => this.preview(null));
    }
  }

  /** Choose the direction of the board and the size of a house for the available width. */
  fit() {
    const width = this.clientWidth;
    if (!width) {
      return;
    }
    const lying = width / (this.houses + 2 * STORE_WIDTH + EDGE_WIDTH);
    const standing = Math.min(68, width / 4.4, Math.max(30, (0.66 * window.innerHeight) / (this.houses + 2.6)));
    const isUpright = lying < MIN_HOUSE && standing > lying;
    this.style.setProperty("--house", `${isUpright ? standing : Math.min(lying, MAX_HOUSE)}px`);
    if (isUpright !== this.isUpright) {
      this.isUpright = isUpright;
      this.animation.finish();
      this.layOut();
    }
  }

  layOut() {
    this.classList.toggle("upright", this.isUpright);
    const createRow = (/** @type {string[]} */ places) => {
      const cells = places.map((place) => this.cells.get(place) ?? null);
      return element("div", { role: "row", class: "rank" }, ...cells);
    };
    const [upper, lower] = this.lines();
    this.grid.replaceChildren(
      createRow([`${this.other} store`, ...upper]),
      createRow([...lower, `${this.bottom} store`]),
    );
    this.grid.setAttribute("aria-label", `${this.facts.title}, ${capital(this.bottom)} at the bottom`);
    lower.forEach((place, number) => this.pits.get(place)?.put(number + 2, 2, this.isUpright, true));
    upper.forEach((place, number) => this.pits.get(place)?.put(number + 2, 1, this.isUpright, false));
    this.pits.get(`${this.other} store`)?.put(1, 0, this.isUpright, false);
    this.pits.get(`${this.bottom} store`)?.put(this.houses + 2, 0, this.isUpright, true);
    this.moveCursor(this.cursor);
  }

  /** Return the upper and the lower row of a board that is not upright. @returns {[string[], string[]]} */
  lines() {
    const along = (/** @type {string} */ side) => Array.from({ length: this.houses }, (_, n) => `${side} ${n + 1}`);
    return [along(this.other).reverse(), along(this.bottom)];
  }

  rows() {
    const [upper, lower] = this.lines();
    const [first, last] = [`${this.other} store`, `${this.bottom} store`];
    if (!this.isUpright) {
      return [[first, ...upper, last], [first, ...lower, last]];
    }
    return [[first], ...lower.map((place, number) => [place, upper[number] ?? place]), [last]];
  }

  /** @param {string} place */
  moveName(place) {
    const [side, house = ""] = place.split(" ");
    return side === this.state?.turn && house !== "store" ? house : place;
  }

  /**
   * Return the place of a house that a move of the side to move names.
   * @param {string} name
   */
  toPlace(name) {
    return `${this.state?.turn} ${name}`;
  }

  /** @param {string} place */
  isOccupied(place) {
    return (this.counts.get(place) ?? 0) > 0;
  }

  /** @param {string} place */
  canLift(place) {
    return this.isEditing && this.isOccupied(place);
  }

  get ignoresDoubleClicks() {
    return !this.isEditing; // the second click would sow again
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    for (const [place, cell] of this.cells) {
      const { left, right, top, bottom } = cell.getBoundingClientRect();
      if (x >= left && x < right && y >= top && y < bottom) {
        return place;
      }
    }
    return null;
  }

  /** @param {{animate: boolean, move?: MoveInfo | null}} options */
  arrange({ animate, move = null }) {
    if (!this.state) {
      return this.animation.done;
    }
    const before = countSeeds(this.state);
    const { pending } = this;
    const counts = pending ? afterSowing(before, pending, this.toPlace(pending.places[0] ?? "")) : before;
    const isGoingOn = !this.animation.isOver && this.sowing !== null;
    if (isGoingOn && sameCounts(counts, this.counts)) {
      return this.animation.done;
    }
    const isOwn = !this.pending && this.sowing?.isPending === true && this.sowing.move.full === move?.full;
    if (isOwn && isGoingOn && animate && this.sowing) {
      this.counts = counts;
      this.sowing.isPending = false;
      this.sowing.goal = counts; // the captures follow when the last seed is sown
      return this.animation.done;
    }
    this.animation.finish();
    const shown = this.counts;
    this.counts = counts;
    if (!animate || !animationsEnabled() || move === null || !shown.size) {
      this.sowing = null;
      this.pits.forEach((pit, place) => pit.show(counts.get(place) ?? 0));
      return this.animation.done;
    }
    const side = this.pending ? this.state.turn : (this.lastSide ?? "");
    this.sowing = new Sowing(this.pits, this.flights, shown, counts, move, `${side} ${move.places[0]}`, this.pace);
    this.sowing.isPending = this.pending !== null;
    if (isOwn) {
      this.sowing.capture();
    } else {
      this.sowing.sow();
    }
    return this.run(this.sowing.animation);
  }

  /** @param {string} place */
  lift(place) {
    this.carried = place;
    this.classList.add("carrying");
    this.flights.replaceChildren(element("span", { class: "carried-seed" }));
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  carry(x, y) {
    const { left, top } = this.flights.getBoundingClientRect();
    const seed = /** @type {HTMLElement | null} */ (this.flights.firstElementChild);
    seed?.style.setProperty("transform", `translate(${x - left}px, ${y - top}px)`);
  }

  endCarrying() {
    this.classList.remove("carrying");
    if (this.carried !== null) {
      this.carried = null;
      this.flights.replaceChildren();
    }
  }

  /**
   * Mark the pit that gets the last seed of a house.
   * @param {EventTarget | null} target the house under the pointer or with the focus
   */
  preview(target) {
    const cell = target instanceof Element ? target.closest("[data-place]") : null;
    const name = cell instanceof HTMLElement ? this.moveName(cell.dataset.place ?? "") : null;
    const move = this.pending || this.isEditing ? undefined : this.legal.find(({ places }) => places[0] === name);
    const end = move?.sowing.at(-1);
    for (const [place, each] of this.cells) {
      each.classList.toggle("falls-here", place === end);
    }
  }

  paint() {
    const isFree = !this.pending && !this.isEditing;
    const lastMove = this.pending ?? this.lastMove;
    const last = lastMove && `${this.pending ? this.state?.turn : this.lastSide} ${lastMove.places[0]}`;
    const marked = new Map(this.shownArrows.map(({ move, kind }) => [this.toPlace(move.places[0] ?? ""), kind]));
    for (const [place, pit] of this.pits) {
      const name = this.moveName(place);
      const canPlay = isFree && this.input.starts.has(name);
      const value = name === place ? "" : (this.shownValues[name] ?? "");
      const isLast = place === last;
      pit.mark({ canPlay, isLast, arrow: marked.get(place) ?? null, isEditable: this.isEditing, value });
      const { side, house } = pit;
      const seeds = this.counts.get(place) ?? 0;
      pit.cell.setAttribute("aria-label", describePit({ side, house, seeds, canPlay, isLast, value }));
    }
    if (this.pending) {
      this.preview(null);
    }
    this.swap.hidden = !(isFree && this.input.starts.has("swap"));
    this.swap.textContent = "swap" in this.shownValues ? `Swap sides (${this.shownValues.swap})` : "Swap sides";
    this.swap.classList.toggle("marked", marked.has(this.toPlace("swap")));
    this.moveCursor(this.cursor);
  }
}

/**
 * @param {Map<string, number>} some
 * @param {Map<string, number>} others
 */
function sameCounts(some, others) {
  return some.size === others.size && [...some].every(([place, count]) => others.get(place) === count);
}

/**
 * Describe a pit for screen readers: its seeds and the possible actions.
 * @param {{side: string, house: number, seeds: number, canPlay: boolean, isLast: boolean, value: string}} pit `house` is 0
 *   for the store
 */
export function describePit({ side, house, seeds, canPlay, isLast, value }) {
  const parts = [house ? `${capital(side)}, house ${house}` : `${capital(side)}'s store`, count(seeds, "seed")];
  if (canPlay) {
    parts.push("can be played");
  }
  if (isLast) {
    parts.push("last move");
  }
  if (value) {
    parts.push(`value ${value}`);
  }
  return parts.join(", ");
}

customElements.define("mancala-board", MancalaBoard);
