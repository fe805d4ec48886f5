// The pits of a mancala board, their seeds, and the animation of sowing and captures.

import { capital, element, picture, playSound } from "../ui.js";
import { BoardAnimation } from "./board.js";

/** @typedef {import("../api-types").MancalaSide} MancalaSide */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */

const ARROW_KINDS = ["best", "other", "hint"];
const STORE_SIZE = 2.2; // in houses

const MAX_SEEDS = 30; // drawn in a house; its label shows the full number
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const TONES = 4;
const HEAP_RADIUS = 36; // distance of the outermost seeds from the middle
const HEAP_SIZE = 12; // seeds in the middle of a house

const SOWING_INTERVAL = 120; // milliseconds from seed to seed
const MAX_SOWING_DURATION = 1400;
const FLIGHT_DURATION = 240;
const MAX_FLIGHTS = 12; // flying seeds from one pit to another; each may stand for several

/** A house or a store. */
export class Pit {
  /**
   * @param {string} side
   * @param {number} house 0 is the store
   */
  constructor(side, house) {
    this.side = side;
    this.house = house;
    this.place = `${side} ${house || "store"}`;
    this.seeds = new Seeds(this.place, house ? 1 : STORE_SIZE);
    this.value = element("span", { class: "value", "data-text": "" });
    this.hollow = element("span", { class: "hollow", "aria-hidden": "true" }, this.seeds.drawing, this.value);
    this.number = element("span", { class: "count digits", "aria-hidden": "true", "data-text": "0" });
    this.cell = element(
      "div",
      { role: "gridcell", class: house ? "pit house" : "pit store", "data-place": this.place, tabindex: "-1" },
      this.hollow,
      this.number,
      element("span", { class: "name", "aria-hidden": "true", "data-text": house || capital(side) }),
    );
  }

  /**
   * Place the pit in the grid. Rows and columns are exchanged if the board is upright.
   * @param {number} column from 1
   * @param {number} row 1 or 2, or 0 for both rows
   * @param {boolean} isUpright
   * @param {boolean} isOwn whether it is a pit of the side at the bottom
   */
  put(column, row, isUpright, isOwn) {
    const across = row === 0 ? "1 / span 2" : String(isUpright ? 3 - row : row);
    this.cell.style.setProperty("grid-row", isUpright ? String(column) : across);
    this.cell.style.setProperty("grid-column", isUpright ? across : String(column));
    this.cell.classList.toggle("own", isOwn);
    if (!this.house) {
      this.seeds.turn(!isUpright);
    }
  }

  /**
   * Show a number of seeds.
   * @param {number} count
   */
  show(count) {
    this.seeds.show(count);
    this.number.dataset.text = String(count);
  }

  /** @param {{canPlay: boolean, isLast: boolean, arrow: string | null, isEditable: boolean, value: string}} marks */
  mark({ canPlay, isLast, arrow, isEditable, value }) {
    const { classList } = this.cell;
    classList.toggle("can-play", canPlay);
    classList.toggle("last", isLast);
    classList.toggle("editable", isEditable);
    ARROW_KINDS.forEach((kind) => classList.toggle(`arrow-${kind}`, kind === arrow));
    this.value.dataset.text = value;
  }
}

/** The drawing of a pit's seeds. A house is 100 wide. Each seed has a fixed place, so that a new seed moves no other. */
class Seeds {
  /**
   * @param {string} place also the seed of the random numbers
   * @param {number} size in houses
   */
  constructor(place, size) {
    this.seedNumber = [...place].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
    this.size = size;
    this.isTall = true;
    this.drawing = picture("svg", { class: "seeds", "aria-hidden": "true" });
    this.count = 0;
    this.turn(true);
  }

  /**
   * Draw a store tall beside the houses, or wide above and below them.
   * @param {boolean} isTall
   */
  turn(isTall) {
    this.isTall = isTall;
    const [width, height] = isTall ? [100, 100 * this.size] : [100 * this.size, 100];
    this.drawing.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    this.drawing.replaceChildren();
    this.show(this.count);
  }

  /**
   * Draw a number of seeds.
   * @param {number} count
   */
  show(count) {
    const drawn = Math.min(count, Math.round(MAX_SEEDS * this.size));
    while (this.drawing.childElementCount < drawn) {
      this.drawing.append(this.seed(this.drawing.childElementCount));
    }
    while (this.drawing.childElementCount > drawn) {
      this.drawing.lastElementChild?.remove();
    }
    this.count = count;
  }

  /**
   * Draw one seed.
   * @param {number} number
   */
  seed(number) {
    // Seeds are dense in the middle and at the rim, as in a heap.
    const distance = HEAP_RADIUS * Math.sqrt(1 - Math.exp(-(number + 0.5) / (HEAP_SIZE * this.size)));
    const angle = GOLDEN_ANGLE * (number + this.seedNumber);
    const jitter = (/** @type {number} */ which) => 5 * (this.random(number, which) - 0.5);
    const [along, across] = this.isTall ? [1, this.size] : [this.size, 1];
    const x = distance * Math.cos(angle) * along + jitter(1);
    const y = distance * Math.sin(angle) * across + jitter(2);
    const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${Math.round(180 * this.random(number, 3))})`;
    return picture(
      "g",
      { class: `seed tone-${Math.floor(TONES * this.random(number, 4))}`, transform },
      picture("ellipse", { class: "body", rx: 10, ry: 7.8 }),
      picture("ellipse", { class: "shine", cx: -2.8, cy: -2.4, rx: 3.6, ry: 2.2 }),
    );
  }

  /**
   * Return a pseudo-random number from 0 to 1, the same on each call.
   * @param {number} number
   * @param {number} which
   */
  random(number, which) {
    const mixed = Math.sin(this.seedNumber * 12.9898 + number * 78.233 + which * 37.719) * 43758.5453;
    return mixed - Math.floor(mixed);
  }
}

/**
 * Return the number of seeds in each pit of a position.
 * @param {PositionState} state
 * @returns {Map<string, number>}
 */
export function countSeeds(state) {
  const counts = new Map();
  for (const [side, placed] of Object.entries(state.board)) {
    const { houses, store } = /** @type {MancalaSide} */ (placed);
    houses.forEach((seeds, number) => counts.set(`${side} ${number + 1}`, seeds));
    counts.set(`${side} store`, store);
  }
  return counts;
}

/**
 * Return the number of seeds in each pit after a move is sown, before its captures.
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

/** The animation of a move. `goal` is the number of seeds at its end, and may change while seeds are in flight. */
export class Sowing {
  /**
   * @param {Map<string, Pit>} pits
   * @param {HTMLElement} layer for the seeds in flight
   * @param {Map<string, number>} shown
   * @param {Map<string, number>} goal
   * @param {MoveInfo} move
   * @param {string} origin
   * @param {number} pace a factor for the duration
   */
  constructor(pits, layer, shown, goal, move, origin, pace) {
    this.pace = pace;
    this.pits = pits;
    this.layer = layer;
    this.shown = new Map(shown);
    this.goal = goal;
    this.move = move;
    this.origin = origin;
    this.isPending = false; // whether the page has not confirmed the move yet
    this.animation = new BoardAnimation();
    this.animation.atEnd(() => {
      layer.replaceChildren();
      pits.forEach((pit, place) => pit.show(this.goal.get(place) ?? 0));
    });
  }

  /** Sow the seeds one by one, then move the captured seeds. */
  sow() {
    const { sowing } = this.move;
    if (!sowing.length || this.shown.get(this.origin) !== sowing.length) {
      this.animation.finish(); // the shown position is not the one before the move
      return;
    }
    const step = this.pace * Math.min(SOWING_INTERVAL, MAX_SOWING_DURATION / sowing.length);
    sowing.forEach((place, number) => {
      const isLast = number === sowing.length - 1;
      this.fly(this.origin, place, number * step, 1, isLast ? () => this.capture() : undefined);
    });
  }

  /** Move the captured seeds, and all others that must still be moved to reach the goal. */
  capture() {
    const from = [...this.shown].map(([place, count]) => ({ place, rest: count - (this.goal.get(place) ?? 0) }));
    const givers = from.filter(({ rest }) => rest > 0);
    const takers = from.filter(({ rest }) => rest < 0);
    givers.forEach((giver) => {
      for (const taker of takers) {
        const count = Math.min(giver.rest, -taker.rest);
        giver.rest -= count;
        taker.rest += count;
        const flights = Math.min(count, MAX_FLIGHTS);
        for (let number = 0; number < flights; number += 1) {
          const seeds = Math.floor((count * (number + 1)) / flights) - Math.floor((count * number) / flights);
          this.fly(giver.place, taker.place, this.pace * (150 + 35 * number), seeds);
        }
      }
    });
  }

  /**
   * Move some seeds as one flying seed.
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
    const height = this.pits.get(this.origin)?.hollow.getBoundingClientRect().height ?? 0;
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - 0.3 * height };
    const frames = [
      { ...at(start, 1), opacity: 0 },
      { ...at(start, 1), opacity: 1, offset: 0.01, easing: "ease-out" },
      { ...at(middle, 1.35), easing: "ease-in" },
      at(end, 1),
    ];
    if (delay > 0) {
      this.animation.add(seed, [], { duration: delay }, () => this.add(from, -count));
    } else {
      this.add(from, -count);
    }
    this.animation.add(seed, frames, { duration: this.pace * FLIGHT_DURATION, delay }, () => {
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
}
