// Seeds that fly: sown one by one, and then what is captured to the stores.

import { element, playSound } from "../ui.js";
import { BoardAnimation } from "./animation.js";

/** @typedef {import("../api-types").MancalaSide} MancalaSide */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("./pit.js").Pit} Pit */

const STEP = 120; // milliseconds from seed to seed
const LONGEST = 1400; // for all that are sown
const FLIGHT = 240;
const MOST_GATHERED = 12; // of one pit fly as drawn seeds; the others come along

/**
 * The seeds of a scene by their pits.
 * @param {PositionState} scene
 * @returns {Map<string, number>}
 */
export function countsOf(scene) {
  const counts = new Map();
  for (const [side, lies] of Object.entries(scene.board)) {
    const { houses, store } = /** @type {MancalaSide} */ (lies);
    houses.forEach((seeds, number) => counts.set(`${side} ${number + 1}`, seeds));
    counts.set(`${side} store`, store);
  }
  return counts;
}

/**
 * What lies when the seeds of a move have been sown, before anything is captured.
 * @param {Map<string, number>} counts
 * @param {MoveInfo} move
 * @param {string} origin
 * @returns {Map<string, number>}
 */
export function afterSowing(counts, move, origin) {
  const sown = new Map(counts);
  if (move.sowing.length) {
    sown.set(origin, 0);
    move.sowing.forEach((place) => sown.set(place, (sown.get(place) ?? 0) + 1));
  }
  return sown;
}

/** A move as it is shown. `goal` is what lies at the end; it may be given while the seeds still fly. */
export class Sowing {
  /**
   * @param {Map<string, Pit>} pits
   * @param {HTMLElement} layer where seeds fly
   * @param {Map<string, number>} shown
   * @param {Map<string, number>} goal
   * @param {MoveInfo} move
   * @param {string} origin
   * @param {number} pace how long it takes, where 1 is usual
   */
  constructor(pits, layer, shown, goal, move, origin, pace) {
    this.pace = pace;
    this.pits = pits;
    this.layer = layer;
    this.shown = new Map(shown);
    this.goal = goal;
    this.move = move;
    this.origin = origin;
    this.isWaiting = false; // for what the page says became of it
    this.motion = new BoardAnimation();
    this.motion.atEnd(() => {
      layer.replaceChildren();
      pits.forEach((pit, place) => pit.show(this.goal.get(place) ?? 0));
    });
  }

  /** Sow the seeds one by one, and gather what is captured. */
  sow() {
    const { sowing } = this.move;
    if (!sowing.length || this.shown.get(this.origin) !== sowing.length) {
      this.motion.finish(); // something else is shown than what the move began with
      return this.motion.done;
    }
    const step = this.pace * Math.min(STEP, LONGEST / sowing.length);
    sowing.forEach((place, number) => {
      const isLast = number === sowing.length - 1;
      this.fly(this.origin, place, number * step, 1, isLast ? () => void this.gatherRest() : undefined);
    });
    return this.motion.start();
  }

  /** Bring what is still elsewhere to the stores. */
  gather() {
    this.gatherRest();
    return this.motion.start();
  }

  gatherRest() {
    const from = [...this.shown].map(([place, count]) => ({ place, rest: count - (this.goal.get(place) ?? 0) }));
    const givers = from.filter(({ rest }) => rest > 0);
    const takers = from.filter(({ rest }) => rest < 0);
    givers.forEach((giver) => {
      for (const taker of takers) {
        const count = Math.min(giver.rest, -taker.rest);
        giver.rest -= count;
        taker.rest += count;
        this.flyMany(giver.place, taker.place, count);
      }
    });
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {number} count
   */
  flyMany(from, to, count) {
    const flights = Math.min(count, MOST_GATHERED);
    for (let number = 0; number < flights; number += 1) {
      const seeds = Math.floor((count * (number + 1)) / flights) - Math.floor((count * number) / flights);
      this.fly(from, to, this.pace * (150 + 35 * number), seeds);
    }
  }

  /**
   * A seed that flies, with others that are not drawn.
   * @param {string} from
   * @param {string} to
   * @param {number} delay
   * @param {number} count
   * @param {() => void} [then]
   */
  fly(from, to, delay, count, then) {
    const seed = element("span", { class: "flying-seed" });
    this.layer.append(seed);
    const start = this.centre(from);
    const end = this.centre(to);
    const at = (/** @type {{x: number, y: number}} */ { x, y }, /** @type {number} */ scale) => ({
      transform: `translate(${x}px, ${y}px) scale(${scale})`,
    });
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - 0.3 * this.height() };
    const frames = [
      { ...at(start, 1), opacity: 0 },
      { ...at(start, 1), opacity: 1, offset: 0.01, easing: "ease-out" },
      { ...at(middle, 1.35), easing: "ease-in" },
      at(end, 1),
    ];
    if (delay > 0) {
      this.motion.after(seed, delay, () => this.add(from, -count));
    } else {
      this.add(from, -count);
    }
    this.motion.add(seed, frames, { duration: this.pace * FLIGHT, delay }, () => {
      seed.remove();
      this.add(to, count);
      playSound("sow");
      then?.();
    });
  }

  /**
   * @param {string} place
   * @param {number} count
   */
  add(place, count) {
    const seeds = (this.shown.get(place) ?? 0) + count;
    this.shown.set(place, seeds);
    this.pits.get(place)?.show(seeds);
  }

  /** @param {string} place */
  centre(place) {
    const around = this.layer.getBoundingClientRect();
    const { left, top, width, height } = this.pits.get(place)?.hollow.getBoundingClientRect() ?? around;
    return { x: left + width / 2 - around.left, y: top + height / 2 - around.top };
  }

  height() {
    return this.pits.get(this.origin)?.hollow.getBoundingClientRect().height ?? 0;
  }
}
