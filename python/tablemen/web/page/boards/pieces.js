// The discs of draughts in a layer of their own, so that they can slide from square to square.

import { element, picture } from "../ui.js";
import { BoardAnimation } from "./animation.js";

/** @typedef {import("../api-types").DraughtsSide} DraughtsSide */
/** @typedef {import("../api-types").PositionState} PositionState */

/** @typedef {{side: string, isKing: boolean}} Piece */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{element: HTMLElement, side: string, isKing: boolean}} Disc */

const LEG = 200; // milliseconds from stop to stop
const LONGEST = 1400; // for a whole capture
const FADE = 160;
const CROWN = "m12 36-4-23 11 9.5L28 6l9 16.5L48 13l-4 23z";

/**
 * The pieces of a scene by their squares.
 * @param {PositionState | null} scene
 * @returns {Map<string, Piece>}
 */
export function piecesOf(scene) {
  const pieces = new Map();
  for (const [side, lies] of Object.entries(scene?.board ?? {})) {
    const { men, kings } = /** @type {DraughtsSide} */ (lies);
    men.forEach((name) => pieces.set(name, { side, isKing: false }));
    kings.forEach((name) => pieces.set(name, { side, isKing: true }));
  }
  return pieces;
}

/**
 * Whether the same lies on the same squares.
 * @param {Map<string, Piece>} some
 * @param {Map<string, Piece>} others
 */
export function samePieces(some, others) {
  /** @param {[string, Piece]} entry */
  const isThere = ([name, { side, isKing }]) => {
    const other = others.get(name);
    return other !== undefined && other.side === side && other.isKing === isKing;
  };
  return some.size === others.size && [...some].every(isThere);
}

export class PieceSet {
  /** @param {(name: string) => Point} seenAt */
  constructor(seenAt) {
    this.seenAt = seenAt;
    this.layer = element("div", { class: "pieces", "aria-hidden": "true" });
    /** @type {Map<string, Disc>} */
    this.discs = new Map();
    /** @type {Disc | null} */
    this.carried = null;
  }

  /** Put every disc where its square is. */
  layOut() {
    for (const [name, disc] of this.discs) {
      this.put(disc, this.seenAt(name));
    }
  }

  /**
   * @param {Disc} disc
   * @param {Point} point
   */
  put(disc, { x, y }) {
    disc.element.style.setProperty("--x", String(x));
    disc.element.style.setProperty("--y", String(y));
  }

  /** @param {Piece} piece @param {string} name @returns {Disc} */
  make({ side, isKing }, name) {
    const crown = picture("svg", { class: "crown", viewBox: "0 0 56 44" }, picture("path", { d: CROWN }));
    const made = element("div", { class: `piece ${side}` }, element("span", { class: "disc" }, crown));
    made.classList.toggle("king", isKing);
    this.layer.append(made);
    const disc = { element: made, side, isKing };
    this.put(disc, this.seenAt(name));
    return disc;
  }

  /**
   * Change what lies on the board: one piece goes from stop to stop, what is missing then has been jumped.
   * @param {Map<string, Piece>} pieces
   * @param {readonly string[]} stops
   * @param {(from: string, to: string) => string[]} between
   * @param {boolean} animate
   * @returns {BoardAnimation} not started yet
   */
  change(pieces, stops, between, animate) {
    this.settle();
    const motion = new BoardAnimation();
    const left = new Map(this.discs);
    /** @type {Map<string, Disc>} */
    const next = new Map();
    const slide = this.slideOf(pieces, left, stops);
    if (slide) {
      left.delete(slide.from);
      next.set(slide.to, slide.disc);
    }
    for (const [name, piece] of pieces) {
      const disc = left.get(name);
      if (disc?.side === piece.side && !next.has(name)) {
        left.delete(name);
        next.set(name, disc);
      }
    }
    const back = slide ? null : matched(pieces, left, next);
    if (back) {
      left.delete(back.from);
      next.set(back.to, back.disc);
    }
    const path = slide ? stops : back ? [back.from, back.to] : [];
    const moved = slide ?? back;
    const length = moved && animate ? this.slide(motion, moved.disc, path) : 0;
    if (moved) {
      this.put(moved.disc, this.seenAt(moved.to));
    }
    for (const [name, disc] of left) {
      const leg = path.slice(1).findIndex((stop, number) => between(path[number] ?? stop, stop).includes(name));
      this.remove(motion, disc, leg < 0 ? 0 : (length * (leg + 0.5)) / (path.length - 1), animate);
    }
    for (const [name, piece] of pieces) {
      const disc = next.get(name) ?? this.appear(motion, piece, name, animate);
      this.crown(motion, disc, piece.isKing, length, animate);
      next.set(name, disc);
    }
    this.discs = next;
    return motion;
  }

  /**
   * The disc that goes along the stops, if it is there and belongs there.
   * @param {Map<string, Piece>} pieces
   * @param {Map<string, Disc>} discs
   * @param {readonly string[]} stops
   */
  slideOf(pieces, discs, stops) {
    const from = stops[0] ?? "";
    const to = stops.at(-1) ?? "";
    const disc = discs.get(from);
    return stops.length > 1 && disc && pieces.get(to)?.side === disc.side ? { disc, from, to } : null;
  }

  /**
   * Let a disc go from stop to stop.
   * @param {BoardAnimation} motion
   * @param {Disc} disc
   * @param {readonly string[]} path
   * @returns {number} how long it takes
   */
  slide(motion, disc, path) {
    const legs = path.length - 1;
    const duration = Math.min(LEG * legs, LONGEST);
    const frames = path.map((name) => {
      const { x, y } = this.seenAt(name);
      return { transform: `translate(${100 * x}%, ${100 * y}%)`, easing: legs > 1 ? "ease-in-out" : "ease-out" };
    });
    motion.add(disc.element, frames, { duration });
    disc.element.classList.add("moving");
    motion.atEnd(() => disc.element.classList.remove("moving"));
    return duration;
  }

  /**
   * @param {BoardAnimation} motion
   * @param {Disc} disc
   * @param {number} delay
   * @param {boolean} animate
   */
  remove(motion, disc, delay, animate) {
    if (!animate) {
      disc.element.remove();
      return;
    }
    const frames = [{ opacity: 1 }, { opacity: 0 }];
    motion.add(disc.element, frames, { duration: FADE, delay, fill: "both" });
    motion.atEnd(() => disc.element.remove());
  }

  /**
   * @param {BoardAnimation} motion
   * @param {Piece} piece
   * @param {string} name
   * @param {boolean} animate
   */
  appear(motion, piece, name, animate) {
    const disc = this.make(piece, name);
    if (animate) {
      motion.add(disc.element, [{ opacity: 0 }, { opacity: 1 }], { duration: FADE });
    }
    return disc;
  }

  /**
   * @param {BoardAnimation} motion
   * @param {Disc} disc
   * @param {boolean} isKing
   * @param {number} delay
   * @param {boolean} animate
   */
  crown(motion, disc, isKing, delay, animate) {
    if (disc.isKing === isKing) {
      return;
    }
    disc.isKing = isKing;
    disc.element.classList.toggle("king", isKing);
    const crown = disc.element.querySelector(".crown");
    if (isKing && animate && crown) {
      const frames = [
        { opacity: 0, transform: "scale(2.2)" },
        { opacity: 1, transform: "scale(1)" },
      ];
      motion.add(crown, frames, { duration: 1.6 * FADE, delay, easing: "ease-out" });
    }
  }

  /** @param {Set<string>} jumped */
  markJumped(jumped) {
    for (const [name, { element: disc }] of this.discs) {
      disc.classList.toggle("jumped", jumped.has(name));
    }
  }

  // A disc that is carried

  /** @param {string} name */
  lift(name) {
    this.carried = this.discs.get(name) ?? null;
    this.carried?.element.classList.add("carried");
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  carry(x, y) {
    if (this.carried) {
      this.put(this.carried, { x, y });
    }
  }

  /**
   * Nothing is carried any more: every disc lies on its square.
   * @param {boolean} [animate] whether the one that was carried goes back there by and by
   */
  settle(animate = false) {
    const disc = this.carried;
    if (!disc) {
      return;
    }
    const { transform } = getComputedStyle(disc.element);
    disc.element.classList.remove("carried");
    this.carried = null;
    this.layOut();
    if (animate) {
      disc.element.animate([{ transform, zIndex: 3 }, {}], { duration: FADE, easing: "ease-out" });
    }
  }
}

/**
 * The one disc that is too many and the one place of its side that lacks one, as when a move is taken back.
 * @param {Map<string, Piece>} pieces
 * @param {Map<string, Disc>} left
 * @param {Map<string, Disc>} next
 */
function matched(pieces, left, next) {
  const lacking = [...pieces].filter(([name]) => !next.has(name));
  for (const [from, disc] of left) {
    const places = lacking.filter(([, { side }]) => side === disc.side);
    const others = [...left.values()].filter(({ side }) => side === disc.side);
    const [place] = places;
    if (place && places.length === 1 && others.length === 1) {
      return { disc, from, to: place[0] };
    }
  }
  return null;
}
