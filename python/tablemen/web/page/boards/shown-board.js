// The displayed state of a board: position, last move, legal moves, arrows, values, orientation.

import { element } from "../dom.js";
import { BoardAnimation } from "./animation.js";
import { MoveInput } from "./move-input.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {"best" | "other" | "hint"} ArrowKind */
/** @typedef {{move: MoveInfo, kind: ArrowKind}} Arrow */
/** @typedef {{move?: MoveInfo | null, side?: string | null, animate?: boolean}} ShowOptions */

/** A board of any family; `DraughtsBoard` and `MancalaBoard` draw it. */
export class ShownBoard extends HTMLElement {
  /** @type {VariantInfo} */
  facts = /** @type {any} */ (null);
  /** @type {PositionState | null} */
  scene = null;
  /** The last move and its side. @type {MoveInfo | null} */
  lastMove = null;
  /** @type {string | null} */
  lastSide = null;
  picking = new MoveInput([]);
  /** A move that was input and is shown until the page confirms or rejects it. @type {MoveInfo | null} */
  pending = null;
  motion = new BoardAnimation();
  grid = element("div", { role: "grid", class: "grid" });
  /** The cells by the names of their places. @type {Map<string, HTMLElement>} */
  cells = new Map();
  /** The place that has the focus when the board has it. */
  cursor = "";
  bottom = "";
  /** @type {Arrow[]} */
  shownArrows = [];
  /** @type {Record<string, string>} */
  shownValues = {};
  isEditing = false;
  /** The duration of sowing, relative to the default: shorter while a clock runs. */
  pace = 1;
  /** Skip animations when the page is hidden. */
  finish = () => this.motion.finish();

  connectedCallback() {
    document.addEventListener("visibilitychange", this.finish);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.finish);
    this.finish();
  }

  // What a kind of board defines

  /** How the page is laid out around the board: `square`, or `wide`. */
  static layout = "square";

  /**
   * The width of the board divided by its height.
   * @param {VariantInfo} _facts
   */
  static ratio(_facts) {
    return 1;
  }

  /** The contents of the board. @type {"pieces" | "seeds"} */
  contents = "pieces";

  /** Create the cells and what surrounds them. */
  build() {}

  /** Lay out the cells for the orientation. */
  layOut() {}

  /** Update marks, labels and values. */
  paint() {}

  /**
   * Update the contents to `scene` and the input.
   * @param {{animate: boolean, move?: MoveInfo | null}} _options
   * @returns {Promise<void>}
   */
  arrange(_options) {
    return Promise.resolve();
  }

  // Properties that the page sets

  /** The side at the bottom. @param {string} side */
  set orientation(side) {
    if (side === this.bottom || !this.facts.sides.includes(side)) {
      return;
    }
    this.motion.finish();
    this.bottom = side;
    const hadFocus = this.grid.contains(document.activeElement);
    this.layOut();
    this.paint();
    if (hadFocus) {
      this.focus();
    }
  }

  /**
   * Show a position; `move` is the one that led to it.
   * @param {PositionState | PlyState} scene
   * @param {ShowOptions} [options]
   * @returns {Promise<void>} resolves when the animation has ended
   */
  show(scene, { move = "move" in scene ? scene.move : null, side, animate = false } = {}) {
    const isSame = this.scene?.position === scene.position && this.pending === null;
    this.lastMove = move;
    this.lastSide = side ?? ("side" in scene ? scene.side : null);
    this.scene = scene;
    this.pending = null;
    if (!isSame) {
      this.picking = this.picking.with([]);
    }
    const done = this.arrange({ animate, move: isSame ? null : move });
    this.paint();
    return done;
  }

  /** @returns {readonly MoveInfo[]} */
  get legal() {
    return this.picking.legal;
  }

  set legal(moves) {
    const isSame = moves.length === this.legal.length && moves.every((move, n) => move.full === this.legal[n]?.full);
    if (isSame && !this.pending) {
      return; // the input is kept
    }
    this.picking = new MoveInput(moves);
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

  /** The values of moves, by their texts. @param {Record<string, string>} values */
  set values(values) {
    this.shownValues = { ...values };
    this.paint();
  }

  /** Whether the board is being edited. @param {boolean} isEditing */
  set editing(isEditing) {
    this.isEditing = isEditing;
    this.reset();
  }

  /** Cancel the input and show the last position again. */
  reset() {
    this.pending = null;
    this.picking = this.picking.with([]);
    void this.arrange({ animate: true });
    this.paint();
  }

  /**
   * Set the input; a complete move is shown until the page confirms or rejects it.
   * @param {MoveInput} picking
   */
  hold(picking) {
    this.picking = picking;
    this.pending = picking.move;
  }

  /**
   * Start an animation, and end the one before.
   * @param {BoardAnimation} motion
   */
  begin(motion) {
    this.motion.finish();
    this.motion = motion;
  }
}
