// The board of mancala: two rows of houses and the stores. On a narrow screen it stands upright.

import { capital, element } from "../ui.js";
import { animationsEnabled } from "./animation.js";
import { BaseBoard } from "./base-board.js";
import { describePit } from "./pit-text.js";
import { Pit } from "./pit.js";
import { afterSowing, countsOf, Sowing } from "./sowing.js";

/** @typedef {import("../api-types").MancalaBoardShape} MancalaBoardShape */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */

const EDGE = 0.6; // the wood at both ends, in houses
const STORE = 1.1; // how wide a store is, in houses
const SMALLEST = 46; // pixels of a house that lies; a smaller one makes the board stand
const LARGEST = 120;

export class MancalaBoard extends BaseBoard {
  static layout = "wide";

  static ratio() {
    return 2;
  }

  /** @type {"pieces" | "seeds"} */
  contents = "seeds";
  /** @type {Map<string, Pit>} */
  pits = new Map();
  /** What lies, or will lie when the seeds that fly have fallen. @type {Map<string, number>} */
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
        this.pick(this.picking.touch("swap"), { animate: false });
      }
    });
    for (const name of ["pointerover", "focusin"]) {
      this.grid.addEventListener(name, (event) => this.preview(event.target));
    }
    for (const name of ["pointerout", "focusout"]) {
      this.grid.addEventListener(name, () => this.preview(null));
    }
  }

  /** Choose how the board lies, and how large a house is, by the room that there is. */
  fit() {
    const room = this.clientWidth;
    if (!room) {
      return;
    }
    const lying = room / (this.houses + 2 * STORE + EDGE);
    const standing = Math.min(68, room / 4.4, Math.max(30, (0.66 * window.innerHeight) / (this.houses + 2.6)));
    const isUpright = lying < SMALLEST && standing > lying;
    this.style.setProperty("--house", `${isUpright ? standing : Math.min(lying, LARGEST)}px`);
    if (isUpright !== this.isUpright) {
      this.isUpright = isUpright;
      this.motion.finish();
      this.layOut();
    }
  }

  layOut() {
    this.classList.toggle("upright", this.isUpright);
    const rowOf = (/** @type {string[]} */ places) => {
      const cells = places.map((place) => this.cells.get(place) ?? null);
      return element("div", { role: "row", class: "rank" }, ...cells);
    };
    const [upper, lower] = this.lines();
    this.grid.replaceChildren(
      rowOf([`${this.other} store`, ...upper]),
      rowOf([...lower, `${this.bottom} store`]),
    );
    this.grid.setAttribute("aria-label", `${this.facts.title}, ${capital(this.bottom)} at the bottom`);
    lower.forEach((place, number) => this.pits.get(place)?.put(number + 2, 2, this.isUpright, true));
    upper.forEach((place, number) => this.pits.get(place)?.put(number + 2, 1, this.isUpright, false));
    this.pits.get(`${this.other} store`)?.put(1, 0, this.isUpright, false);
    this.pits.get(`${this.bottom} store`)?.put(this.houses + 2, 0, this.isUpright, true);
    this.moveCursor(this.cursor);
  }

  /** The houses as they are seen when the board lies: the upper row, and the lower one. @returns {[string[], string[]]} */
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
  pickName(place) {
    const [side, house = ""] = place.split(" ");
    return side === this.scene?.turn && house !== "store" ? house : place;
  }

  /**
   * The place that moves call so.
   * @param {string} name
   */
  placeOf(name) {
    return `${this.scene?.turn} ${name}`;
  }

  /** @param {string} place */
  isOccupied(place) {
    return (this.counts.get(place) ?? 0) > 0;
  }

  /** @param {string} place */
  canLift(place) {
    return this.isEditing && this.isOccupied(place);
  }

  get isOnce() {
    return !this.isEditing; // the second click of two would sow again
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

  // Seeds

  /** @param {{animate: boolean, move?: MoveInfo | null}} options */
  arrange({ animate, move = null }) {
    if (!this.scene) {
      return this.motion.done;
    }
    const before = countsOf(this.scene);
    const counts = this.pending ? afterSowing(before, this.pending, this.placeOf(this.pending.places[0] ?? "")) : before;
    const isGoingOn = !this.motion.isOver && this.sowing !== null;
    if (isGoingOn && sameCounts(counts, this.counts)) {
      return this.motion.done;
    }
    const isOwn = !this.pending && this.sowing?.isWaiting === true && this.sowing.move.full === move?.full;
    if (isOwn && isGoingOn && animate && this.sowing) {
      this.counts = counts;
      this.sowing.isWaiting = false;
      this.sowing.goal = counts; // the seeds that were sown here go on to fall, and then what is captured goes
      return this.motion.done;
    }
    this.motion.finish();
    const shown = this.counts;
    this.counts = counts;
    if (!animate || !animationsEnabled() || move === null || !shown.size) {
      this.sowing = null;
      this.pits.forEach((pit, place) => pit.show(counts.get(place) ?? 0));
      return this.motion.done;
    }
    const side = this.pending ? this.scene.turn : (this.lastSide ?? "");
    this.sowing = new Sowing(this.pits, this.flights, shown, counts, move, `${side} ${move.places[0]}`, this.pace);
    this.sowing.isWaiting = this.pending !== null;
    this.begin(this.sowing.motion);
    return isOwn ? this.sowing.gather() : this.sowing.sow();
  }

  // Dragging, when the board is edited

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

  putBack() {
    this.endCarrying();
  }

  // Marks and labels

  /** @param {EventTarget | null} target what is pointed at: the pit where the last of its seeds falls is marked */
  preview(target) {
    const cell = target instanceof Element ? target.closest("[data-place]") : null;
    const name = cell instanceof HTMLElement ? this.pickName(cell.dataset.place ?? "") : null;
    const move = this.pending || this.isEditing ? undefined : this.legal.find(({ places }) => places[0] === name);
    const end = move?.sowing.at(-1);
    for (const [place, each] of this.cells) {
      each.classList.toggle("falls-here", place === end);
    }
  }

  paint() {
    const isFree = !this.pending && !this.isEditing;
    const last = this.pending ? this.placeOf(this.pending.places[0] ?? "") : this.lastPlace();
    const marked = new Map(this.shownArrows.map(({ move, kind }) => [this.placeOf(move.places[0] ?? ""), kind]));
    for (const [place, pit] of this.pits) {
      const name = this.pickName(place);
      const canPlay = isFree && this.picking.starts.has(name);
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
    this.swap.hidden = !(isFree && this.picking.starts.has("swap"));
    this.swap.textContent = "swap" in this.shownValues ? `Swap sides (${this.shownValues.swap})` : "Swap sides";
    this.swap.classList.toggle("marked", marked.has(this.placeOf("swap")));
    this.moveCursor(this.cursor);
  }

  lastPlace() {
    return this.lastMove && this.lastSide ? `${this.lastSide} ${this.lastMove.places[0]}` : null;
  }
}

/**
 * @param {Map<string, number>} some
 * @param {Map<string, number>} others
 */
function sameCounts(some, others) {
  return some.size === others.size && [...some].every(([place, count]) => others.get(place) === count);
}
