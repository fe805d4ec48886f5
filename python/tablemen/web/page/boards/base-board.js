// What boards of both families have in common: what is shown and picked, focus and keys, and what they tell the page.

import { element, toast } from "../dom.js";
import { nextPlace } from "./keys.js";
import { Motion } from "./motion.js";
import { Picking } from "./picking.js";
import { listenToPointers } from "./pointing.js";
import { play } from "./sounds.js";

/** @typedef {import("../wire").MoveFacts} MoveFacts */
/** @typedef {import("../wire").Scene} Scene */
/** @typedef {import("../wire").Ply} Ply */
/** @typedef {import("../wire").VariantFacts} VariantFacts */
/** @typedef {"best" | "other" | "hint"} ArrowKind */
/** @typedef {{move: MoveFacts, kind: ArrowKind}} Arrow */
/** @typedef {{move?: MoveFacts | null, side?: string | null, animate?: boolean}} ShowOptions */

let boards = 0;

/** A board; what depends on the family is left to `DraughtsBoard` and `MancalaBoard`. */
export class BaseBoard extends HTMLElement {
  /** @type {VariantFacts} */
  facts = /** @type {any} */ (null);
  /** @type {Scene | null} */
  scene = null;
  /** The last move, and who made it. @type {MoveFacts | null} */
  lastMove = null;
  /** @type {string | null} */
  lastSide = null;
  picking = new Picking([]);
  /** A move that was picked and is shown, until the page shows what became of it. @type {MoveFacts | null} */
  pending = null;
  motion = new Motion();
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

  /** @param {VariantFacts} facts */
  setUp(facts) {
    this.facts = facts;
    this.motion.finish();
    this.bottom = facts.sides[0] ?? "";
    boards += 1;
    const help = element(
      "p",
      { class: "visually-hidden", id: `board-help-${boards}` },
      "Arrow keys go over the board, Page Up and Page Down to what can be played. Enter picks, Escape puts back.",
    );
    this.grid.setAttribute("aria-describedby", help.id);
    this.build();
    this.append(help);
    this.layOut();
    this.cursor = this.rows().at(-1)?.[0] ?? "";
    listenToPointers(this.grid, this);
    this.grid.addEventListener("keydown", (event) => this.pressKey(event));
    this.grid.addEventListener("focusin", (event) => {
      const place = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
      if (place !== undefined) {
        this.moveCursor(place);
      }
    });
    this.paint();
  }

  // What a family does

  /** Make the cells and whatever is around them. */
  build() {}

  /** Put everything where it belongs as the board is turned. */
  layOut() {}

  /** Show marks, labels and values as they are now. */
  paint() {}

  /** The places row by row as they are seen, for the keys. @returns {string[][]} */
  rows() {
    return [];
  }

  /**
   * What a place is called in moves.
   * @param {string} place
   */
  pickName(place) {
    return place;
  }

  /**
   * The place that moves call so.
   * @param {string} name
   */
  placeOf(name) {
    return name;
  }

  /**
   * Whether anything lies on a place.
   * @param {string} _place
   */
  isOccupied(_place) {
    return false;
  }

  /**
   * Bring what is seen to `scene` with what is picked.
   * @param {{animate: boolean, move?: MoveFacts | null}} _options
   * @returns {Promise<void>}
   */
  arrange(_options) {
    return Promise.resolve();
  }

  /**
   * @param {number} _x
   * @param {number} _y
   * @returns {string | null}
   */
  placeAt(_x, _y) {
    return null;
  }

  /** @param {string} _place */
  lift(_place) {}

  /**
   * @param {number} _x
   * @param {number} _y
   */
  carry(_x, _y) {}

  putBack() {}

  /** Nothing is carried any more. */
  endCarrying() {}

  // What the page sets

  get orientation() {
    return this.bottom;
  }

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
   * @param {Scene | Ply} scene
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

  /** @returns {readonly MoveFacts[]} */
  get legal() {
    return this.picking.legal;
  }

  set legal(moves) {
    const isSame = moves.length === this.legal.length && moves.every((move, n) => move.full === this.legal[n]?.full);
    if (isSame && !this.pending) {
      return; // what is picked stays so
    }
    this.picking = new Picking(moves);
    if (!this.pending) {
      void this.arrange({ animate: false });
    }
    this.paint();
  }

  get arrows() {
    return this.shownArrows;
  }

  set arrows(arrows) {
    this.shownArrows = [...arrows];
    this.paint();
  }

  get values() {
    return this.shownValues;
  }

  set values(values) {
    this.shownValues = { ...values };
    this.paint();
  }

  get editing() {
    return this.isEditing;
  }

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
   * Something moves from now on, and nothing else.
   * @param {Motion} motion
   */
  begin(motion) {
    this.motion.finish();
    this.motion = motion;
  }

  /** The focus goes to the square or pit that had it last. */
  focus() {
    this.cells.get(this.cursor)?.focus();
  }

  // Picking

  /**
   * Whether a place can be picked up and carried.
   * @param {string} place
   */
  canLift(place) {
    if (this.isEditing) {
      return this.isOccupied(place);
    }
    const name = this.pickName(place);
    return this.picking.starts.has(name) || (this.picking.picked.length > 0 && name === this.picking.picked.at(-1));
  }

  /** @param {string} place */
  press(place) {
    const name = this.pickName(place);
    if (this.isEditing || this.pending || this.picking.picked.includes(name) || this.isOpen(name)) {
      return false;
    }
    this.pick(this.picking.touch(name), { animate: true });
    return true;
  }

  /**
   * Whether what is picked can go on to here.
   * @param {string} name
   */
  isOpen(name) {
    return this.picking.targets.has(name) || this.picking.ends.has(name);
  }

  /** @param {string} place */
  touch(place) {
    this.moveCursor(place);
    if (this.isEditing) {
      this.tell("edit", { place });
      return;
    }
    if (this.pending) {
      return;
    }
    const name = this.pickName(place);
    const { picked, starts } = this.picking;
    const isKnown = this.isOpen(name) || starts.has(name) || picked.includes(name);
    this.pick(this.picking.touch(name), { animate: true });
    if (!isKnown && this.legal.length && (!picked.length || this.isOccupied(place))) {
      this.tell("refused", { place: name });
    }
  }

  /**
   * @param {string} from
   * @param {string | null} to
   */
  drop(from, to) {
    this.endCarrying();
    if (this.isEditing) {
      this.putBack();
      if (to !== from) {
        this.tell("edit", { from, to });
      }
      return;
    }
    const name = to === null ? null : this.pickName(to);
    if (name === null || this.pending || !this.isOpen(name)) {
      this.putBack();
      if (name !== null && to !== from) {
        play("refused");
      }
      return;
    }
    this.moveCursor(/** @type {string} */ (to));
    this.pick(this.picking.touch(name), { animate: false });
  }

  /**
   * Take over what is picked, and tell the page.
   * @param {Picking} picking
   * @param {{animate: boolean}} options
   */
  pick(picking, { animate }) {
    const hasChanged = picking.picked.join() !== this.picking.picked.join();
    this.picking = picking;
    this.pending = picking.move;
    if (picking.several) {
      this.putBack();
      toast("Several captures end there. Go step by step.");
    }
    void this.arrange({ animate, move: picking.move });
    this.paint();
    if (hasChanged) {
      this.tell("pick", { places: [...picking.picked] });
    }
    if (picking.move) {
      this.tell("move", { move: picking.move });
    }
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  // Focus and keys

  /** @param {string} place */
  moveCursor(place) {
    this.cells.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = place;
    this.cells.get(place)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    if (!event.altKey && !event.metaKey && this.useKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** @param {KeyboardEvent} event */
  useKey(event) {
    const isNext = (/** @type {string} */ place) => {
      const name = this.pickName(place);
      return this.picking.picked.length ? this.isOpen(name) : this.picking.starts.has(name);
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
    if (event.key === "Enter" || event.key === " ") {
      this.touch(this.cursor);
      return true;
    }
    if (event.key === "Escape" && this.picking.picked.length && !this.pending) {
      this.pick(this.picking.with([]), { animate: true });
      return true;
    }
    if ((event.key === "Delete" || event.key === "Backspace") && this.isEditing) {
      this.tell("edit", { from: this.cursor, to: null });
      return true;
    }
    return false;
  }
}
