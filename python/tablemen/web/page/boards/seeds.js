// Seeds in a pit: each lies where it always lies, so that one more disturbs none of the others.

import { picture } from "../ui.js";

const MOST_DRAWN = 30; // in a house: a number says the rest
const TURN = Math.PI * (3 - Math.sqrt(5)); // no two seeds on one ray
const TONES = 4;
const REACH = 36; // from the middle to the outermost seeds
const HEAP = 12; // how many seeds lie in the middle

/** A pit's seeds, drawn in units of which a house has a hundred. */
export class Seeds {
  /**
   * @param {string} place its seeds lie otherwise than those of another
   * @param {number} size how many houses it is as large as
   */
  constructor(place, size) {
    this.chance = [...place].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
    this.size = size;
    this.isTall = true;
    this.drawing = picture("svg", { class: "seeds", "aria-hidden": "true" });
    this.count = 0;
    this.turn(true);
  }

  /**
   * A store is tall beside the houses, and wide above and below them.
   * @param {boolean} isTall
   */
  turn(isTall) {
    this.isTall = isTall;
    const [width, height] = isTall ? [100, 100 * this.size] : [100 * this.size, 100];
    this.drawing.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    const { count } = this;
    this.count = 0;
    this.drawing.replaceChildren();
    this.show(count);
  }

  /**
   * Draw so many seeds.
   * @param {number} count
   */
  show(count) {
    const most = Math.round(MOST_DRAWN * this.size);
    for (let number = Math.min(this.count, most); number < Math.min(count, most); number += 1) {
      this.drawing.append(this.seed(number));
    }
    for (let number = Math.min(this.count, most); number > Math.min(count, most); number -= 1) {
      this.drawing.lastElementChild?.remove();
    }
    this.count = count;
  }

  /** @param {number} number */
  seed(number) {
    // A heap: close together in the middle, and closer again at the rim.
    const distance = REACH * Math.sqrt(1 - Math.exp(-(number + 0.5) / (HEAP * this.size)));
    const angle = TURN * (number + this.chance);
    const [along, across] = this.isTall ? [1, this.size] : [this.size, 1];
    const x = distance * Math.cos(angle) * along + this.jitter(number, 1);
    const y = distance * Math.sin(angle) * across + this.jitter(number, 2);
    const place = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${Math.round(180 * this.random(number, 3))})`;
    return makeSeed(Math.floor(TONES * this.random(number, 4)), place);
  }

  /**
   * A number below 1 that is the same each time.
   * @param {number} number
   * @param {number} which
   */
  random(number, which) {
    const mixed = Math.sin(this.chance * 12.9898 + number * 78.233 + which * 37.719) * 43758.5453;
    return mixed - Math.floor(mixed);
  }

  /**
   * @param {number} number
   * @param {number} which
   */
  jitter(number, which) {
    return 5 * (this.random(number, which) - 0.5);
  }
}

/**
 * One seed, lit from above.
 * @param {number} tone
 * @param {string} transform
 */
function makeSeed(tone, transform) {
  return picture(
    "g",
    { class: `seed tone-${tone}`, transform },
    picture("ellipse", { class: "body", rx: 10, ry: 7.8 }),
    picture("ellipse", { class: "shine", cx: -2.8, cy: -2.4, rx: 3.6, ry: 2.2 }),
  );
}
