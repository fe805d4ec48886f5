// What a board shows, as the page sets it: a position and its last move, what is legal, arrows, values, which side is below.

import { element } from "../ui.js";
import { BoardAnimation } from "./animation.js";
import { MoveInput } from "./move-input.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/** @typedef {"best" | "other" | "hint"} ArrowKind */
/** @typedef {{move: MoveInfo, kind: ArrowKind}} Arrow */
/** @typedef {{move?: MoveInfo | null, side?: string | null, animate?: boolean}} ShowOptions */

/** A board of any family; how it is drawn is left to `DraughtsBoard` and `MancalaBoard`. */
export class ShownBoard extends HTMLElement {
  /** @type {VariantInfo} */
  facts = /** @type {any} */ (null);
  /** @type {PositionState | null} */
  scene = null;
  /** The last move, and who made it. @type {MoveInfo | null} */
  lastMove = null;
  /** @type {string | null} */
  lastSide = null;
  picking = new MoveInput([]);
  /** A move that was picked and is shown, until the page shows what became of it. @type {MoveInfo | null} */
  pending = null;
  motion = new BoardAnimation();
  grid = element("div", { role: "grid", class: "grid" });
  /** Every place by its name. @type {Map<string, HTMLElement>} */
  cells = new Map();
  /** The place that has the focus when the board has it. */
  cursor = "";
  bottom = "";
  /** @type {Arrow[]} */
  shownArrows = [];
  /** @type {Record<string, string>} */
  shownValues = {};
  isEditing = false;
  /** How long seeds are sown, where 1 is usual: less while somebody's time runs. */
  pace = 1;
  /** What moves is at its end now; nobody waits for it while the page is hidden. */
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

  /** What lies on the board. @type {"pieces" | "seeds"} */
  contents = "pieces";

  /** Make the cells and whatever is around them. */
  build() {}

  /** Put everything where it belongs as the board is turned. */
  layOut() {}

  /** Show marks, labels and values as they are now. */
  paint() {}

  /**
   * Bring what is seen to `scene` with what is picked.
   * @param {{animate: boolean, move?: MoveInfo | null}} _options
   * @returns {Promise<void>}
   */
  arrange(_options) {
    return Promise.resolve();
  }

  // What the page sets

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
   * @returns {Promise<void>} when nothing moves any more
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
      return; // what is picked stays so
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

  /** What moves are worth, by their texts. @param {Record<string, string>} values */
  set values(values) {
    this.shownValues = { ...values };
    this.paint();
  }

  /** Whether what lies on it is put together. @param {boolean} isEditing */
  set editing(isEditing) {
    this.isEditing = isEditing;
    this.reset();
  }

  /** Drop what is picked and show the last scene again. */
  reset() {
    this.pending = null;
    this.picking = this.picking.with([]);
    void this.arrange({ animate: true });
    this.paint();
  }

  /**
   * This is picked from now on; a whole move is shown until the page shows what became of it.
   * @param {MoveInput} picking
   */
  hold(picking) {
    this.picking = picking;
    this.pending = picking.move;
  }

  /**
   * Something moves from now on, and nothing else.
   * @param {BoardAnimation} motion
   */
  begin(motion) {
    this.motion.finish();
    this.motion = motion;
  }
}
