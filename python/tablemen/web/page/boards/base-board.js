// A board that can be played on: picked, dragged, with the keys, and what it tells the page of it.

import { announce, element, playSound, toast } from "../ui.js";
import { nextPlace } from "./keys.js";
import { listenToPointers } from "./pointer-input.js";
import { ShownBoard } from "./shown-board.js";

/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("./move-input.js").MoveInput} MoveInput */

let boards = 0;

/** What boards of both families do with fingers, mice and keys. */
export class BaseBoard extends ShownBoard {
  /** @param {VariantInfo} facts */
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

  // What a kind of board defines

  /** Whether a move can begin as soon as the pointer is pressed: with a drag. */
  get canDrag() {
    return false;
  }

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
   * Whether anything lies on a place.
   * @param {string} _place
   */
  isOccupied(_place) {
    return false;
  }

  /** Whether the second of two quick clicks means nothing. */
  get isOnce() {
    return false;
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
      this.tell("refused", { place: name, isOccupied: this.isOccupied(place) });
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
        playSound("refused");
      }
      return;
    }
    this.moveCursor(/** @type {string} */ (to));
    this.pick(this.picking.touch(name), { animate: false });
  }

  /**
   * Take over what is picked, and tell the page.
   * @param {MoveInput} picking
   * @param {{animate: boolean}} options
   */
  pick(picking, { animate }) {
    const hasChanged = picking.picked.join() !== this.picking.picked.join();
    this.hold(picking);
    if (picking.several) {
      this.putBack();
      toast("Several captures end there. Go step by step.");
    }
    void this.arrange({ animate, move: picking.move });
    this.paint();
    if (picking.move) {
      this.tell("move", { move: picking.move });
    } else if (hasChanged && picking.targets.size) {
      announce(`${picking.picked.at(-1)} picked, can go to ${[...picking.targets].join(", ")}.`);
    }
  }

  /** Put back what is picked. */
  release() {
    if (this.picking.picked.length && !this.pending) {
      this.pick(this.picking.with([]), { animate: true });
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

  /** The focus goes to the square or pit that had it last. */
  focus() {
    this.cells.get(this.cursor)?.focus();
  }

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
      if (!event.repeat) {
        this.touch(this.cursor);
      }
      return true;
    }
    if (event.key === "Escape" && this.picking.picked.length && !this.pending) {
      this.release();
      return true;
    }
    if ((event.key === "Delete" || event.key === "Backspace") && this.isEditing) {
      this.tell("edit", { from: this.cursor, to: null });
      return true;
    }
    return false;
  }
}
