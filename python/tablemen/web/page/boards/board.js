// The base class of the board elements: display, input and animations.
//
// `draughts-board.js` and `mancala-board.js` define the elements `draughts-board` and `mancala-board`. Boards of other
// families are shown as text.

import { announce, element, playSound, toast } from "../ui.js";
import { listenToPointers, MoveInput, nextPlace } from "./move-input.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {{move: MoveInfo, kind: "best" | "other" | "hint"}} Arrow */
/** @typedef {{move?: MoveInfo | null, side?: string | null, animate?: boolean}} ShowOptions */

let boards = 0;

/** Return whether to animate. Nothing is animated on a hidden page, or if the user prefers reduced motion. */
export function animationsEnabled() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A group of animations. The elements have their final state from the start, so that a group can be cancelled. */
export class BoardAnimation {
  constructor() {
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {(() => void)[]} */
    this.endings = [];
    this.isOver = false;
    /** @type {() => void} */
    this.resolve = () => {};
    /** Resolves when the animations have ended or are cancelled. @type {Promise<void>} */
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /**
   * Animate an element towards its current state.
   * @param {Element} target
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   * @param {() => void} [onEnd] called at the end, but not after a cancellation
   */
  add(target, frames, timing, onEnd) {
    const animation = target.animate(frames, { fill: "backwards", ...timing });
    this.animations.push(animation);
    if (onEnd) {
      animation.finished.then(onEnd, () => {});
    }
  }

  /**
   * Add a callback for the end or the cancellation.
   * @param {() => void} ending
   */
  atEnd(ending) {
    this.endings.push(ending);
  }

  /** Run until all animations have ended, including animations that are added meanwhile. */
  start() {
    const before = this.animations.length;
    Promise.allSettled(this.animations.map((animation) => animation.finished)).then(() => {
      if (this.animations.length > before) {
        this.start();
      } else {
        this.finish();
      }
    });
    return this.done;
  }

  /** Cancel the animations. */
  finish() {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.animations.forEach((animation) => animation.cancel());
    this.endings.forEach((ending) => ending());
    this.resolve();
  }
}

/**
 * The base class of the boards. It fires `move` when the user has entered a move, `refused` when a place cannot be
 * played, and `edit` when the user edits the position.
 */
export class Board extends HTMLElement {
  /** @type {VariantInfo} */
  facts = /** @type {any} */ (null);
  /** @type {PositionState | null} */
  state = null;
  /** @type {MoveInfo | null} */
  lastMove = null;
  /** The side that made the last move. @type {string | null} */
  lastSide = null;
  input = new MoveInput([]);
  /** The user's complete move, until the page shows the position after it. @type {MoveInfo | null} */
  pending = null;
  animation = new BoardAnimation();
  grid = element("div", { role: "grid", class: "grid" });
  /** The cells by the names of their places. @type {Map<string, HTMLElement>} */
  cells = new Map();
  /** The place that gets the focus when the board is focused. */
  cursor = "";
  bottom = "";
  /** @type {Arrow[]} */
  shownArrows = [];
  /** @type {Record<string, string>} */
  shownValues = {};
  isEditing = false;
  /** The factor for the duration of sowing. */
  pace = 1;
  finishAnimation = () => this.animation.finish();

  connectedCallback() {
    document.addEventListener("visibilitychange", this.finishAnimation);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.finishAnimation);
    this.finishAnimation();
  }

  /** @param {VariantInfo} facts */
  setUp(facts) {
    this.facts = facts;
    this.bottom = facts.sides[0] ?? "";
    boards += 1;
    const help = element(
      "p",
      { class: "visually-hidden", id: `board-help-${boards}` },
      "Arrow keys move the cursor, Page Up and Page Down jump to playable places, Enter selects, Escape deselects.",
    );
    this.grid.setAttribute("aria-describedby", help.id);
    this.build();
    this.append(help);
    this.layOut();
    this.cursor = this.rows().at(-1)?.[0] ?? "";
    listenToPointers(this.grid, this);
    this.grid.addEventListener("keydown", (event) => {
      if (!event.altKey && !event.metaKey && this.useKey(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    this.grid.addEventListener("focusin", (event) => {
      const place = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
      if (place !== undefined) {
        this.moveCursor(place);
      }
    });
    this.paint();
  }

  // Overridden by each kind of board

  /** The layout of the page around the board: `square` or `wide`. */
  static layout = "square";

  /**
   * Return the width of the board divided by its height.
   * @param {VariantInfo} _facts
   */
  static ratio(_facts) {
    return 1;
  }

  /** What is on the board. @type {"pieces" | "seeds" | "text"} */
  contents = "pieces";

  /** Whether a drag can begin a move. */
  get canDrag() {
    return false;
  }

  /** Whether to ignore the second click of a double click. */
  get ignoresDoubleClicks() {
    return false;
  }

  /** Create the cells and the elements around them. */
  build() {}

  /** Arrange all elements for the orientation of the board. */
  layOut() {}

  /** Draw the marks, labels and values. */
  paint() {}

  /**
   * Draw the pieces or seeds of the position, with the selected or pending move.
   * @param {{animate: boolean, move?: MoveInfo | null}} _options
   * @returns {Promise<void>}
   */
  arrange(_options) {
    return Promise.resolve();
  }

  /** Return the places row by row in the current orientation. @returns {string[][]} */
  rows() {
    return [];
  }

  /**
   * Return the name of a place in moves.
   * @param {string} place
   */
  moveName(place) {
    return place;
  }

  /**
   * Return whether there is a piece or a seed on a place.
   * @param {string} _place
   */
  isOccupied(_place) {
    return false;
  }

  /**
   * Return the place at a point of the window.
   * @param {number} _x
   * @param {number} _y
   * @returns {string | null}
   */
  placeAt(_x, _y) {
    return null;
  }

  /**
   * Start to drag the piece or seeds on a place.
   * @param {string} _place
   */
  lift(_place) {}

  /**
   * Drag to a point of the window.
   * @param {number} _x
   * @param {number} _y
   */
  carry(_x, _y) {}

  /** Put a dragged piece back. */
  putBack() {
    this.endCarrying();
  }

  /** Remove the marks of a drag. */
  endCarrying() {}

  // Set by the page

  /** The side at the bottom. @param {string} side */
  set orientation(side) {
    if (side === this.bottom || !this.facts.sides.includes(side)) {
      return;
    }
    this.animation.finish();
    this.bottom = side;
    const hadFocus = this.grid.contains(document.activeElement);
    this.layOut();
    this.paint();
    if (hadFocus) {
      this.focus();
    }
  }

  /**
   * Show a position. `move` is the move that led to it.
   * @param {PositionState | PlyState} state
   * @param {ShowOptions} [options]
   * @returns {Promise<void>} resolves after the animation
   */
  show(state, { move = "move" in state ? state.move : null, side, animate = false } = {}) {
    const isSame = this.state?.position === state.position && this.pending === null;
    this.lastMove = move;
    this.lastSide = side ?? ("side" in state ? state.side : null);
    this.state = state;
    this.pending = null;
    if (!isSame) {
      this.input = this.input.with([]);
    }
    const done = this.arrange({ animate, move: isSame ? null : move });
    this.paint();
    return done;
  }

  /** @returns {readonly MoveInfo[]} */
  get legal() {
    return this.input.legal;
  }

  set legal(moves) {
    const isSame = moves.length === this.legal.length && moves.every((move, n) => move.full === this.legal[n]?.full);
    if (isSame && !this.pending) {
      return; // keep the selected places
    }
    this.input = new MoveInput(moves);
    if (!this.pending) {
      void this.arrange({ animate: false });
    }
    this.paint();
  }

  /** @param {readonly Arrow[]} arrows */
  set arrows(arrows) {
    this.shownArrows = [...arrows];
    this.paint();
  }

  /** The values of moves by their texts. @param {Record<string, string>} values */
  set values(values) {
    this.shownValues = { ...values };
    this.paint();
  }

  /** Whether the user edits the position. @param {boolean} isEditing */
  set editing(isEditing) {
    this.isEditing = isEditing;
    this.reset();
  }

  /** Discard the selected or pending move. */
  reset() {
    this.pending = null;
    this.input = this.input.with([]);
    void this.arrange({ animate: true });
    this.paint();
  }

  /**
   * Start an animation. The previous one must have ended.
   * @param {BoardAnimation} animation
   */
  run(animation) {
    this.animation = animation;
    return animation.start();
  }

  // Input

  /**
   * Return whether a drag can begin on a place.
   * @param {string} place
   */
  canLift(place) {
    if (this.isEditing) {
      return this.isOccupied(place);
    }
    const name = this.moveName(place);
    return this.input.starts.has(name) || (this.input.picked.length > 0 && name === this.input.picked.at(-1));
  }

  /**
   * Return whether the selected move can continue to a place.
   * @param {string} name
   */
  isOpen(name) {
    return this.input.targets.has(name) || this.input.ends.has(name);
  }

  /**
   * Select a place on pointerdown.
   * @param {string} place
   * @returns {boolean} whether to ignore the click that follows
   */
  press(place) {
    const name = this.moveName(place);
    if (this.isEditing || this.pending || this.input.picked.includes(name) || this.isOpen(name)) {
      return false;
    }
    this.pick(this.input.touch(name), { animate: true });
    return true;
  }

  /**
   * Select a place after a click, a tap or a key press.
   * @param {string} place
   */
  touch(place) {
    this.moveCursor(place);
    if (this.isEditing) {
      this.emit("edit", { place });
      return;
    }
    if (this.pending) {
      return;
    }
    const name = this.moveName(place);
    const { picked, starts } = this.input;
    const isKnown = this.isOpen(name) || starts.has(name) || picked.includes(name);
    this.pick(this.input.touch(name), { animate: true });
    if (!isKnown && this.legal.length && (!picked.length || this.isOccupied(place))) {
      this.emit("refused", { place: name, isOccupied: this.isOccupied(place) });
    }
  }

  /**
   * End a drag.
   * @param {string} from
   * @param {string | null} to
   */
  drop(from, to) {
    this.endCarrying();
    if (this.isEditing) {
      this.putBack();
      if (to !== from) {
        this.emit("edit", { from, to });
      }
      return;
    }
    const name = to === null ? null : this.moveName(to);
    if (name === null || this.pending || !this.isOpen(name)) {
      this.putBack();
      if (name !== null && to !== from) {
        playSound("refused");
      }
      return;
    }
    this.moveCursor(/** @type {string} */ (to));
    this.pick(this.input.touch(name), { animate: false });
  }

  /**
   * Set the input, and notify the page if the move is complete.
   * @param {MoveInput} input
   * @param {{animate: boolean}} options
   */
  pick(input, { animate }) {
    const hasChanged = input.picked.join() !== this.input.picked.join();
    this.input = input;
    this.pending = input.move;
    if (input.isAmbiguous) {
      this.putBack();
      toast("Several captures end there. Enter the capture jump by jump.");
    }
    void this.arrange({ animate, move: input.move });
    this.paint();
    if (input.move) {
      this.emit("move", { move: input.move });
    } else if (hasChanged && input.targets.size) {
      announce(`${input.picked.at(-1)} selected, can move to ${[...input.targets].join(", ")}.`);
    }
  }

  /** Deselect all places. @returns {boolean} whether any were selected */
  release() {
    if (!this.input.picked.length || this.pending) {
      return false;
    }
    this.pick(this.input.with([]), { animate: true });
    return true;
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** Focus the cell of the cursor. */
  focus() {
    this.cells.get(this.cursor)?.focus();
  }

  /** @param {string} place */
  moveCursor(place) {
    this.cells.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = place;
    this.cells.get(place)?.setAttribute("tabindex", "0");
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key has a function on the board
   */
  useKey(event) {
    const { key } = event;
    const isNext = (/** @type {string} */ place) => {
      const name = this.moveName(place);
      return this.input.picked.length ? this.isOpen(name) : this.input.starts.has(name);
    };
    const next = nextPlace(event, this.rows(), this.cursor, isNext);
    if (next !== null) {
      this.moveCursor(next);
      this.focus();
      return true;
    }
    if (event.ctrlKey) {
      return false;
    }
    if (key === "Enter" || key === " ") {
      if (!event.repeat) {
        this.touch(this.cursor);
      }
      return true;
    }
    if ((key === "Delete" || key === "Backspace") && this.isEditing) {
      this.emit("edit", { from: this.cursor, to: null });
      return true;
    }
    return key === "Escape" && this.release();
  }
}

/** The board of a family without an element of its own: the text of the position, and a button for each legal move. */
class TextBoard extends Board {
  static layout = "wide";
  /** @type {"pieces" | "seeds" | "text"} */
  contents = "text";
  text = element("output", { class: "position-text digits" });
  moves = element("div", { class: "row", role: "group", "aria-label": "Legal moves" });

  /** @param {VariantInfo} facts */
  setUp(facts) {
    super.setUp(facts);
    this.querySelector(".visually-hidden")?.remove(); // the keys of a grid
  }

  build() {
    this.classList.add("board", "text-board");
    const note = `This page has no board for ${this.facts.title}. The position is shown as text.`;
    this.append(element("p", { class: "muted" }, note), this.text, this.moves);
  }

  /** @returns {Promise<void>} */
  arrange() {
    this.text.textContent = this.state?.position ?? "";
    return Promise.resolve();
  }

  paint() {
    const hints = new Set(this.shownArrows.map(({ move }) => move.full));
    const buttons = (this.pending ? [] : this.legal).map((move) => {
      const pressed = hints.has(move.full) ? "true" : null;
      const choose = () => this.choose(move);
      return element("button", { type: "button", "aria-pressed": pressed, onclick: choose }, move.text);
    });
    this.moves.replaceChildren(...buttons);
  }

  /** @param {MoveInfo} move */
  choose(move) {
    this.pending = move;
    void this.arrange();
    this.paint();
    this.emit("move", { move });
  }

  focus() {
    this.moves.querySelector("button")?.focus();
  }
}

customElements.define("text-board", TextBoard);

/** @param {VariantInfo} facts */
function boardClass({ board }) {
  return /** @type {typeof Board} */ (customElements.get(`${board.kind}-board`) ?? TextBoard);
}

/**
 * Create the empty board of a variant.
 * @param {VariantInfo} facts
 */
export function createBoard(facts) {
  const board = new (boardClass(facts))();
  board.setUp(facts);
  return board;
}

/**
 * Lay out the frame of a board for its proportions.
 * @param {HTMLElement} frame
 * @param {VariantInfo} facts
 */
export function layOutFrame(frame, facts) {
  const board = boardClass(facts);
  frame.dataset.layout = board.layout;
  frame.style.setProperty("--ratio", String(board.ratio(facts)));
}
