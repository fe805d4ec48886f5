// The draughts board: a grid of squares with labels for screen readers, and layers with pieces and arrows.

import { element, find, playSound } from "../ui.js";
import { animationsEnabled, Board } from "./board.js";
import { getPieces, LineLayers, PieceLayer, samePieces } from "./draughts-pieces.js";

/** @typedef {import("../api-types").DraughtsBoardShape} DraughtsBoardShape */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").SquareInfo} SquareInfo */
/** @typedef {import("./draughts-pieces.js").Piece} Piece */

/** A board with pieces on squares. */
class DraughtsBoard extends Board {
  /** @param {import("../api-types").VariantInfo} facts */
  static ratio({ board }) {
    const { columns, rows } = /** @type {DraughtsBoardShape} */ (board);
    return columns / rows;
  }

  geometry = new Geometry([], 0, 0);
  lines = new LineLayers((name) => this.getCorner(name));
  pieces = new PieceLayer((name) => this.getCorner(name));
  /** The pieces that are shown. @type {Map<string, Piece>} */
  shown = new Map();
  /** The path of the selected piece. @type {readonly string[]} */
  path = [];
  /** The squares of the pieces that are jumped on this path. @type {Set<string>} */
  jumped = new Set();
  /** The square under a dragged piece. @type {string | null} */
  over = null;

  get board() {
    return /** @type {DraughtsBoardShape} */ (this.facts.board);
  }

  get canDrag() {
    return true;
  }

  get isFlipped() {
    return this.bottom !== this.facts.sides[0];
  }

  build() {
    const { rows, columns, squares, numbered } = this.board;
    this.geometry = new Geometry(squares, rows, columns);
    this.classList.add("board");
    this.classList.toggle("numbered", numbered);
    this.classList.toggle("all-squares", squares.length === rows * columns);
    this.style.setProperty("--rows", String(rows));
    this.style.setProperty("--columns", String(columns));
    for (const square of squares) {
      this.cells.set(square.name, this.makeCell(square));
    }
    const layers = [this.lines.under, this.pieces.layer, this.lines.over];
    this.lines.setSize(columns, rows);
    this.rowLabels = element("div", { class: "row-labels", "aria-hidden": "true" });
    this.columnLabels = element("div", { class: "column-labels", "aria-hidden": "true" });
    const surface = element("div", { class: "surface" }, this.grid, ...layers);
    this.append(element("div", { class: "frame" }, surface, this.rowLabels, this.columnLabels));
  }

  /** @param {SquareInfo} square */
  makeCell({ name, row, column }) {
    const label = this.board.numbered ? name : null;
    const parity = (row + column) % 2 ? "odd" : "even";
    return element(
      "div",
      { role: "gridcell", class: `square ${parity}`, "data-place": name, tabindex: "-1" },
      label && element("span", { class: "number", "aria-hidden": "true", "data-text": label }),
      element("span", { class: "sign", "aria-hidden": "true" }),
      element("span", { class: "value", "aria-hidden": "true", "data-text": "" }),
    );
  }

  layOut() {
    const { row_labels: rowLabels, column_labels: columnLabels } = this.board;
    const { downward, across } = this.geometry.order(this.isFlipped);
    const lines = downward.map((row) => {
      const cells = across.map((column) => {
        const cell = this.cells.get(this.geometry.squareAt(row, column) ?? "");
        return cell ?? element("div", { class: "unused", "aria-hidden": "true" });
      });
      return element("div", { role: "row", class: "rank" }, ...cells);
    });
    this.grid.replaceChildren(...lines);
    this.grid.setAttribute("aria-label", `${this.facts.title}, ${this.bottom} at the bottom`);
    const spans = (/** @type {number[]} */ order, /** @type {string[]} */ texts) =>
      order.map((number) => element("span", { "data-text": texts[number] ?? "" }));
    this.rowLabels?.replaceChildren(...spans(downward, rowLabels));
    this.columnLabels?.replaceChildren(...spans(across, columnLabels));
    this.pieces.layOut();
  }

  /** @param {string} name */
  getCorner(name) {
    return this.geometry.getCorner(name, this.isFlipped);
  }

  rows() {
    return this.geometry.rows(this.isFlipped);
  }

  /** @param {string} place */
  isOccupied(place) {
    return this.shown.has(place);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    return this.geometry.squareAtPoint(this.pointAt(x, y), this.isFlipped);
  }

  /**
   * Convert a point of the window to squares from the upper left corner of the board.
   * @param {number} x
   * @param {number} y
   */
  pointAt(x, y) {
    const { left, top, width, height } = this.grid.getBoundingClientRect();
    return { x: ((x - left) / width) * this.board.columns, y: ((y - top) / height) * this.board.rows };
  }

  /** @param {{animate: boolean, move?: MoveInfo | null}} options */
  arrange({ animate, move = null }) {
    const pieces = getPieces(this.state);
    const path = this.pending ? this.pending.places : this.input.picked;
    const jumped = this.jumpedOn(path);
    this.movePiece(pieces, path, jumped);
    const stops = this.stopsTo(path, move);
    const walked = this.path.length;
    const isShown = stops.length < 2 && samePieces(pieces, this.shown);
    this.shown = pieces;
    this.path = path;
    this.jumped = jumped;
    if (isShown) {
      return this.animation.done; // a running animation leads to the same position
    }
    this.animation.finish();
    if (move && (animate || this.pending)) {
      playSound(move.crowns ? "crown" : move.captured.length ? "capture" : "move");
    } else if (path.length > Math.max(1, walked)) {
      playSound("capture");
    }
    const between = (/** @type {string} */ from, /** @type {string} */ to) => this.geometry.between(from, to);
    return this.run(this.pieces.change(pieces, stops, between, animate && animationsEnabled()));
  }

  /**
   * Move the piece at the start of a path to its end.
   * @param {Map<string, Piece>} pieces
   * @param {readonly string[]} path
   * @param {Set<string>} jumped
   */
  movePiece(pieces, path, jumped) {
    const [start] = path;
    const end = path.at(-1);
    const piece = start === undefined ? undefined : pieces.get(start);
    if (start === undefined || end === undefined || !piece || path.length < 2) {
      return;
    }
    pieces.delete(start);
    pieces.set(end, { side: piece.side, isKing: piece.isKing || (this.pending?.crowns ?? false) });
    if (this.pending) {
      jumped.forEach((name) => pieces.delete(name));
    }
  }

  /**
   * Return the remaining stops from the shown path to a new path, or to the position after a move.
   * @param {readonly string[]} path
   * @param {MoveInfo | null} move
   * @returns {readonly string[]}
   */
  stopsTo(path, move) {
    const to = path.length ? path : (move?.places ?? []);
    const from = this.path.length > 1 ? this.path : to.slice(0, 1);
    if (from.every((name, number) => to[number] === name)) {
      return to.slice(from.length - 1);
    }
    return [from.at(-1) ?? "", from[0] ?? ""]; // the selected piece is put back
  }

  /**
   * Return the squares of the pieces that are jumped on a path.
   * @param {readonly string[]} path
   */
  jumpedOn(path) {
    const captured = new Set((this.pending ? [this.pending] : this.input.open).flatMap((move) => move.captured));
    const legs = path.slice(1).map((stop, number) => this.geometry.between(path[number] ?? stop, stop));
    return new Set(legs.flat().filter((name) => captured.has(name)));
  }

  /** @param {string} place */
  lift(place) {
    this.animation.finish();
    this.pieces.lift(place);
    this.classList.add("carrying");
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  carry(x, y) {
    const at = this.pointAt(x, y);
    this.pieces.carry({ x: at.x - 0.5, y: at.y - 0.5 });
    const over = this.placeAt(x, y);
    if (over !== this.over) {
      this.cells.get(this.over ?? "")?.classList.remove("over");
      this.cells.get(over ?? "")?.classList.add("over");
      this.over = over;
    }
  }

  putBack() {
    this.endCarrying();
    this.pieces.settle(animationsEnabled());
  }

  endCarrying() {
    this.classList.remove("carrying");
    this.cells.get(this.over ?? "")?.classList.remove("over");
    this.over = null;
  }

  paint() {
    const values = this.valuesBySquare();
    for (const [name, cell] of this.cells) {
      this.paintCell(name, cell, values.get(name) ?? "");
    }
    this.lines.showLast(this.pending ?? this.lastMove);
    this.lines.showArrows(this.shownArrows);
    this.pieces.markJumped(this.pending ? new Set() : this.jumped);
    this.moveCursor(this.cursor);
  }

  /**
   * @param {string} name
   * @param {HTMLElement} cell
   * @param {string} value
   */
  paintCell(name, cell, value) {
    const { picked, targets, ends, starts } = this.input;
    const isFree = !this.pending && !this.isEditing;
    const last = this.pending ?? this.lastMove;
    const marks = {
      "can-move": isFree && starts.has(name) && !picked.length,
      "can-change": isFree && starts.has(name) && picked.length > 0,
      picked: isFree && picked.at(-1) === name,
      passed: isFree && picked.slice(0, -1).includes(name),
      target: isFree && targets.has(name),
      end: isFree && ends.has(name) && !targets.has(name),
      takes: isFree && (targets.has(name) || ends.has(name)) && this.input.takes(name),
      last: last?.places[0] === name || last?.places.at(-1) === name,
      occupied: this.shown.has(name),
      movable: this.canLift(name),
      editable: this.isEditing,
    };
    for (const [mark, isOn] of Object.entries(marks)) {
      cell.classList.toggle(mark, isOn);
    }
    if (marks.picked) {
      cell.setAttribute("aria-selected", "true");
    } else {
      cell.removeAttribute("aria-selected");
    }
    find(".value", HTMLElement, cell).dataset.text = value;
    const piece = this.shown.get(name) ?? null;
    const label = this.board.numbered ? `square ${name}` : name;
    cell.setAttribute("aria-label", describeSquare({ label, piece, isJumped: this.jumped.has(name), marks, value }));
  }

  /** Return the values of moves by their first squares. @returns {Map<string, string>} */
  valuesBySquare() {
    const squares = new Map();
    for (const { text, places } of this.legal) {
      const value = this.shownValues[text];
      if (value !== undefined && !squares.has(places[0])) {
        squares.set(places[0], value);
      }
    }
    return squares;
  }
}

/** The geometry of a board in both orientations. Points are measured in squares from the upper left corner. */
export class Geometry {
  /**
   * @param {readonly SquareInfo[]} squares
   * @param {number} height rows
   * @param {number} width columns
   */
  constructor(squares, height, width) {
    this.height = height;
    this.width = width;
    this.squares = new Map(squares.map((square) => [square.name, square]));
    this.names = new Map(squares.map(({ name, row, column }) => [`${row} ${column}`, name]));
  }

  /**
   * Return the square at a row and a column, or null if it is not used.
   * @param {number} row
   * @param {number} column
   */
  squareAt(row, column) {
    return this.names.get(`${row} ${column}`) ?? null;
  }

  /**
   * Return the rows from the top and the columns from the left in an orientation.
   * @param {boolean} isFlipped
   */
  order(isFlipped) {
    const count = (/** @type {number} */ size) => {
      const numbers = [...Array(size).keys()];
      return isFlipped ? numbers.reverse() : numbers;
    };
    return { downward: count(this.height), across: count(this.width) };
  }

  /**
   * Return the playing squares row by row in an orientation.
   * @param {boolean} isFlipped
   */
  rows(isFlipped) {
    const { downward, across } = this.order(isFlipped);
    const lines = downward.map((row) => across.flatMap((column) => this.squareAt(row, column) ?? []));
    return lines.filter((line) => line.length > 0);
  }

  /**
   * Return the upper left corner of a square.
   * @param {string} name
   * @param {boolean} isFlipped
   */
  getCorner(name, isFlipped) {
    const { row, column } = this.squares.get(name) ?? { row: 0, column: 0 };
    return isFlipped ? { x: this.width - 1 - column, y: this.height - 1 - row } : { x: column, y: row };
  }

  /**
   * Return the square at a point.
   * @param {{x: number, y: number}} point
   * @param {boolean} isFlipped
   */
  squareAtPoint({ x, y }, isFlipped) {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    return isFlipped ? this.squareAt(this.height - 1 - row, this.width - 1 - column) : this.squareAt(row, column);
  }

  /**
   * Return the squares between two squares, or none if they are not on one line.
   * @param {string} from
   * @param {string} to
   */
  between(from, to) {
    const start = this.getCorner(from, false);
    const end = this.getCorner(to, false);
    const [across, down] = [end.x - start.x, end.y - start.y];
    const steps = Math.max(Math.abs(across), Math.abs(down));
    const isStraight = across === 0 || down === 0 || Math.abs(across) === Math.abs(down);
    const numbers = isStraight ? [...Array(Math.max(steps - 1, 0)).keys()] : [];
    return numbers.flatMap((number) => {
      const part = (number + 1) / steps;
      return this.squareAt(Math.round(start.y + part * down), Math.round(start.x + part * across)) ?? [];
    });
  }
}

/**
 * Describe a square for screen readers: its piece and the possible actions.
 * @param {{label: string, piece: Piece | null, isJumped: boolean, marks: Record<string, boolean>, value: string}} square
 */
export function describeSquare({ label, piece, isJumped, marks, value }) {
  const parts = [label, piece ? `${piece.side} ${piece.isKing ? "king" : "man"}` : "empty"];
  if (piece && isJumped) {
    parts.push("will be captured");
  }
  if (marks.picked) {
    parts.push("selected");
  } else if (marks.target || marks.end) {
    parts.push(marks.takes ? "target, captures" : "target");
  } else if (marks["can-move"] || marks["can-change"]) {
    parts.push("can move");
  }
  if (marks.last) {
    parts.push("last move");
  }
  if (value) {
    parts.push(`value ${value}`);
  }
  return parts.join(", ");
}

customElements.define("draughts-board", DraughtsBoard);
