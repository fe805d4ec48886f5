// The layers over the squares of a draughts board: animated pieces, the last capture, and arrows for moves.

import { element, picture } from "../ui.js";
import { BoardAnimation } from "./board.js";

/** @typedef {import("../api-types").DraughtsSide} DraughtsSide */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("./board.js").Arrow} Arrow */

/** @typedef {{side: string, isKing: boolean}} Piece */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{element: HTMLElement, side: string, isKing: boolean}} Disc */

const LEG_DURATION = 200; // milliseconds from stop to stop
const MAX_SLIDE_DURATION = 1400; // for a capture of many pieces
const FADE_DURATION = 160;
const ARROW_HEAD = 0.42; // squares
const CROSS_SIZE = 0.12;
const CROWN = "m12 36-4-23 11 9.5L28 6l9 16.5L48 13l-4 23z";

/**
 * Return the pieces of a position by their squares.
 * @param {PositionState | null} state
 * @returns {Map<string, Piece>}
 */
export function getPieces(state) {
  const pieces = new Map();
  for (const [side, placed] of Object.entries(state?.board ?? {})) {
    const { men, kings } = /** @type {DraughtsSide} */ (placed);
    men.forEach((name) => pieces.set(name, { side, isKing: false }));
    kings.forEach((name) => pieces.set(name, { side, isKing: true }));
  }
  return pieces;
}

/**
 * Return whether two positions have the same pieces on the same squares.
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

/** The layer with the pieces. */
export class PieceLayer {
  /** @param {(name: string) => Point} getCorner */
  constructor(getCorner) {
    this.getCorner = getCorner;
    this.layer = element("div", { class: "pieces", "aria-hidden": "true" });
    /** @type {Map<string, Disc>} */
    this.discs = new Map();
    /** @type {Disc | null} */
    this.carried = null;
  }

  /** Place each disc on its square. */
  layOut() {
    for (const [name, disc] of this.discs) {
      this.place(disc, this.getCorner(name));
    }
  }

  /**
   * @param {Disc} disc
   * @param {Point} point
   */
  place(disc, { x, y }) {
    disc.element.style.setProperty("--x", String(x));
    disc.element.style.setProperty("--y", String(y));
  }

  /**
   * Show the pieces of a new position. One piece slides from stop to stop; pieces that are gone fade out.
   * @param {Map<string, Piece>} pieces
   * @param {readonly string[]} stops
   * @param {(from: string, to: string) => string[]} between
   * @param {boolean} animate
   * @returns {BoardAnimation} an animation that is not started
   */
  change(pieces, stops, between, animate) {
    this.settle();
    const animation = new BoardAnimation();
    const left = new Map(this.discs);
    /** @type {Map<string, Disc>} */
    const next = new Map();
    const [from = "", to = ""] = [stops[0], stops.at(-1)];
    const first = left.get(from);
    const slide = stops.length > 1 && first && pieces.get(to)?.side === first.side ? { disc: first, from, to } : null;
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
    const back = slide ? null : findMoved(pieces, left, next);
    if (back) {
      left.delete(back.from);
      next.set(back.to, back.disc);
    }
    const path = slide ? stops : back ? [back.from, back.to] : [];
    const moved = slide ?? back;
    const length = moved && animate ? this.slide(animation, moved.disc, path) : 0;
    if (moved) {
      this.place(moved.disc, this.getCorner(moved.to));
    }
    for (const [name, disc] of left) {
      const leg = path.slice(1).findIndex((stop, number) => between(path[number] ?? stop, stop).includes(name));
      if (animate) {
        const delay = leg < 0 ? 0 : (length * (leg + 0.5)) / (path.length - 1);
        animation.add(disc.element, [{ opacity: 1 }, { opacity: 0 }], { duration: FADE_DURATION, delay, fill: "both" });
        animation.atEnd(() => disc.element.remove());
      } else {
        disc.element.remove();
      }
    }
    for (const [name, piece] of pieces) {
      const disc = next.get(name) ?? this.add(animation, piece, name, animate);
      this.crown(animation, disc, piece.isKing, length, animate);
      next.set(name, disc);
    }
    this.discs = next;
    return animation;
  }

  /**
   * Slide a disc from stop to stop.
   * @param {BoardAnimation} animation
   * @param {Disc} disc
   * @param {readonly string[]} path
   * @returns {number} the duration in milliseconds
   */
  slide(animation, disc, path) {
    const legs = path.length - 1;
    const duration = Math.min(LEG_DURATION * legs, MAX_SLIDE_DURATION);
    const frames = path.map((name) => {
      const { x, y } = this.getCorner(name);
      return { transform: `translate(${100 * x}%, ${100 * y}%)`, easing: legs > 1 ? "ease-in-out" : "ease-out" };
    });
    animation.add(disc.element, frames, { duration });
    disc.element.classList.add("moving");
    animation.atEnd(() => disc.element.classList.remove("moving"));
    return duration;
  }

  /**
   * Add a disc.
   * @param {BoardAnimation} animation
   * @param {Piece} piece
   * @param {string} name
   * @param {boolean} animate
   * @returns {Disc}
   */
  add(animation, { side, isKing }, name, animate) {
    const crown = picture("svg", { class: "crown", viewBox: "0 0 56 44" }, picture("path", { d: CROWN }));
    const made = element("div", { class: `piece ${side}` }, element("span", { class: "disc" }, crown));
    made.classList.toggle("king", isKing);
    this.layer.append(made);
    const disc = { element: made, side, isKing };
    this.place(disc, this.getCorner(name));
    if (animate) {
      animation.add(made, [{ opacity: 0 }, { opacity: 1 }], { duration: FADE_DURATION });
    }
    return disc;
  }

  /**
   * Crown a disc, or remove its crown.
   * @param {BoardAnimation} animation
   * @param {Disc} disc
   * @param {boolean} isKing
   * @param {number} delay
   * @param {boolean} animate
   */
  crown(animation, disc, isKing, delay, animate) {
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
      animation.add(crown, frames, { duration: 1.6 * FADE_DURATION, delay, easing: "ease-out" });
    }
  }

  /** @param {Set<string>} jumped */
  markJumped(jumped) {
    for (const [name, { element: disc }] of this.discs) {
      disc.classList.toggle("jumped", jumped.has(name));
    }
  }

  /**
   * Begin to drag the disc of a square.
   * @param {string} name
   */
  lift(name) {
    this.carried = this.discs.get(name) ?? null;
    this.carried?.element.classList.add("carried");
  }

  /** @param {Point} point the upper left corner of the dragged disc */
  carry(point) {
    if (this.carried) {
      this.place(this.carried, point);
    }
  }

  /**
   * End a drag: put the dragged disc on its square.
   * @param {boolean} [animate] whether the disc slides there
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
      disc.element.animate([{ transform, zIndex: 3 }, {}], { duration: FADE_DURATION, easing: "ease-out" });
    }
  }
}

/**
 * Find a disc that moved, for example when a move is taken back: a side has one disc too many and lacks one elsewhere.
 * @param {Map<string, Piece>} pieces
 * @param {Map<string, Disc>} left
 * @param {Map<string, Disc>} next
 */
function findMoved(pieces, left, next) {
  const missing = [...pieces].filter(([name]) => !next.has(name));
  for (const [from, disc] of left) {
    const places = missing.filter(([, { side }]) => side === disc.side);
    const others = [...left.values()].filter(({ side }) => side === disc.side);
    const [place] = places;
    if (place && places.length === 1 && others.length === 1) {
      return { disc, from, to: place[0] };
    }
  }
  return null;
}

/** The layers for lines under and over the pieces. Their unit is a square. */
export class LineLayers {
  /** @param {(name: string) => Point} getCorner */
  constructor(getCorner) {
    this.getCorner = getCorner;
    this.under = picture("svg", { class: "drawing under", "aria-hidden": "true" });
    this.over = picture("svg", { class: "drawing over", "aria-hidden": "true" });
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  setSize(columns, rows) {
    for (const layer of [this.under, this.over]) {
      layer.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
    }
  }

  /** @param {string} name @returns {Point} */
  centre(name) {
    const { x, y } = this.getCorner(name);
    return { x: x + 0.5, y: y + 0.5 };
  }

  /**
   * Draw the path of a capture, and crosses on the captured pieces.
   * @param {MoveInfo | null} move
   */
  showLast(move) {
    if (!move?.captured.length) {
      this.under.replaceChildren();
      return;
    }
    const path = move.places.map((name) => this.centre(name));
    const line = picture("path", { class: "way", d: `M${path.map(({ x, y }) => `${x} ${y}`).join("L")}` });
    const crosses = move.captured.map((name) => this.centre(name)).map(({ x, y }) => {
      const [left, right, top, bottom] = [x - CROSS_SIZE, x + CROSS_SIZE, y - CROSS_SIZE, y + CROSS_SIZE];
      return `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
    });
    this.under.replaceChildren(line, picture("path", { class: "taken", d: crosses.join("") }));
  }

  /**
   * Draw arrows along the paths of moves, with the best move on top.
   * @param {readonly Arrow[]} arrows
   */
  showArrows(arrows) {
    const rank = { other: 0, best: 1, hint: 2 };
    const sorted = [...arrows].sort((a, b) => rank[a.kind] - rank[b.kind]);
    this.over.replaceChildren(...sorted.map((arrow) => this.arrow(arrow)));
  }

  /** @param {Arrow} arrow */
  arrow({ move, kind }) {
    const path = move.places.map((name) => this.centre(name));
    const head = ARROW_HEAD * (kind === "other" ? 0.75 : 1);
    const end = path.at(-1) ?? { x: 0, y: 0 };
    const before = path.at(-2) ?? end;
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const along = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
    const neck = { x: end.x - head * along.x, y: end.y - head * along.y };
    const side = { x: (-along.y * head) / 2, y: (along.x * head) / 2 };
    const line = [...path.slice(0, -1), neck].map(({ x, y }) => `${x} ${y}`).join("L");
    const corners = [
      `${end.x} ${end.y}`,
      `${neck.x + side.x} ${neck.y + side.y}`,
      `${neck.x - side.x} ${neck.y - side.y}`,
    ];
    return picture(
      "g",
      { class: `arrow ${kind}` },
      picture("path", { class: "shaft", d: `M${line}` }),
      picture("path", { class: "head", d: `M${corners.join("L")}z` }),
    );
  }
}
