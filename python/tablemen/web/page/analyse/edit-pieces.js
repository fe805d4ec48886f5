// Men and kings put on a draughts board.

import { announce, capital, element } from "../ui.js";

/** @typedef {import("../api-types").DraughtsSide} DraughtsSide */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/** @typedef {"men" | "kings"} Kind */
/** @typedef {{side: string, kind: Kind}} Piece */

/** A tool is a piece that is put on squares, the eraser, or the hand, which only moves pieces about. */
export class PiecesEditor {
  /**
   * @param {VariantInfo} facts
   * @param {PositionState["board"]} board
   * @param {() => void} onChange
   */
  constructor(facts, board, onChange) {
    this.facts = facts;
    this.onChange = onChange;
    /** @type {Map<string, Piece>} */
    this.pieces = new Map();
    for (const [side, lies] of Object.entries(/** @type {Record<string, DraughtsSide>} */ (board))) {
      lies.men.forEach((square) => this.pieces.set(square, { side, kind: "men" }));
      lies.kings.forEach((square) => this.pieces.set(square, { side, kind: "kings" }));
    }
    /** @type {Piece | "erase" | "hand"} */
    this.tool = "hand";
    /** A piece that was clicked, to be moved by the next click. @type {string | undefined} */
    this.lifted = undefined;
    this.tools = element(
      "fieldset",
      { class: "choice pieces" },
      element("legend", {}, "A click on a square"),
      this.choice("moves pieces", "hand", true),
      ...facts.sides.flatMap((side) => [
        this.choice(`${capital(side)} man`, { side, kind: "men" }, false),
        this.choice(`${capital(side)} king`, { side, kind: "kings" }, false),
      ]),
      this.choice("takes away", "erase", false),
    );
  }

  /**
   * @param {string} label
   * @param {Piece | "erase" | "hand"} tool
   * @param {boolean} checked
   */
  choice(label, tool, checked) {
    const { onChange } = this;
    const onchange = () => {
      this.tool = tool;
      this.lifted = undefined;
      onChange();
    };
    const input = element("input", { type: "radio", name: "tool", checked, onchange });
    const isPiece = typeof tool === "object";
    const number = isPiece ? this.facts.sides.indexOf(tool.side) : 0;
    const disc = isPiece ? element("span", { class: `disc side-${number} ${tool.kind}`, "aria-hidden": "true" }) : null;
    return element("label", {}, input, disc, label);
  }

  /** What lies where, side by side. */
  get board() {
    /** @type {Record<string, DraughtsSide>} */
    const board = {};
    for (const side of this.facts.sides) {
      board[side] = { men: this.squares(side, "men"), kings: this.squares(side, "kings") };
    }
    return board;
  }

  /**
   * @param {string} side
   * @param {Kind} kind
   */
  squares(side, kind) {
    return [...this.pieces].filter(([, piece]) => piece.side === side && piece.kind === kind).map(([square]) => square);
  }

  /** @param {{place?: string, from?: string, to?: string | null}} detail */
  edit({ place, from, to }) {
    if (from !== undefined) {
      this.move(from, to ?? null);
    } else if (place !== undefined) {
      this.touch(place);
    }
    this.onChange();
  }

  /**
   * @param {string} from
   * @param {string | null} to
   */
  move(from, to) {
    const piece = this.pieces.get(from);
    this.lifted = undefined;
    this.pieces.delete(from);
    if (piece && to !== null) {
      this.pieces.set(to, piece);
    }
    if (piece) {
      announce(to === null ? `${nameOf(piece)} taken from ${from}` : `${nameOf(piece)} on ${to}`);
    }
  }

  /** @param {string} place */
  touch(place) {
    const { tool } = this;
    const there = this.pieces.get(place);
    if (tool === "hand") {
      if (this.lifted !== undefined && this.lifted !== place) {
        this.move(this.lifted, place); // a click on a piece, and one where it goes
      } else {
        const isLifted = there && this.lifted !== place;
        this.lifted = isLifted ? place : undefined;
        if (there) {
          announce(isLifted ? `${nameOf(there)} on ${place} picked` : `${nameOf(there)} put back on ${place}`);
        }
      }
    } else if (tool === "erase" || (there && there.side === tool.side && there.kind === tool.kind)) {
      this.pieces.delete(place);
      announce(there ? `${nameOf(there)} taken from ${place}` : `Nothing lies on ${place}`);
    } else {
      this.pieces.set(place, tool);
      announce(`${nameOf(tool)} on ${place}`);
    }
  }

  clear() {
    this.pieces.clear();
    this.lifted = undefined;
  }

  hear() {}
}

/** @param {Piece} piece */
function nameOf({ side, kind }) {
  return `${capital(side)} ${kind === "men" ? "man" : "king"}`;
}
