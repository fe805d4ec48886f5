// The board of draughts: squares that can be pointed at and read aloud, and over them the pieces, which slide.

import { element, playSound } from "../ui.js";
import { animationsEnabled } from "./animation.js";
import { Drawing } from "./arrows.js";
import { BaseBoard } from "./base-board.js";
import { Geometry } from "./geometry.js";
import { PieceSet, piecesOf, samePieces } from "./pieces.js";
import { describeSquare } from "./square-text.js";

/** @typedef {import("../api-types").DraughtsBoardShape} DraughtsBoardShape */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").SquareInfo} SquareInfo */
/** @typedef {import("./pieces.js").Piece} Piece */

export class DraughtsBoard extends BaseBoard {
  /** @param {import("../api-types").VariantInfo} facts */
  static ratio({ board }) {
    const { columns, rows } = /** @type {DraughtsBoardShape} */ (board);
    return columns / rows;
  }

  geometry = new Geometry([], 0, 0);
  drawing = new Drawing((name) => this.seenAt(name));
  pieces = new PieceSet((name) => this.seenAt(name));
  /** How the pieces lie that are shown. @type {Map<string, Piece>} */
  shown = new Map();
  /** The way that the picked piece has gone from where the scene has it. @type {readonly string[]} */
  way = [];
  /** The pieces that are jumped on it. @type {Set<string>} */
  jumped = new Set();
  /** The square that is under a carried piece. @type {string | null} */
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
    const layers = [this.drawing.under, this.pieces.layer, this.drawing.over];
    this.drawing.setSize(columns, rows);
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
        const cell = this.cells.get(this.geometry.nameOf(row, column) ?? "");
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
  seenAt(name) {
    return this.geometry.seenAt(name, this.isFlipped);
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
    return this.geometry.nameAt(this.pointAt(x, y), this.isFlipped);
  }

  /**
   * A point of the window in squares from the upper left corner.
   * @param {number} x
   * @param {number} y
   */
  pointAt(x, y) {
    const { left, top, width, height } = this.grid.getBoundingClientRect();
    return { x: ((x - left) / width) * this.board.columns, y: ((y - top) / height) * this.board.rows };
  }

  // Pieces

  /** @param {{animate: boolean, move?: MoveInfo | null}} options */
  arrange({ animate, move = null }) {
    const pieces = piecesOf(this.scene);
    const way = this.pending ? this.pending.places : this.picking.picked;
    const jumped = this.jumpedOn(way);
    this.walk(pieces, way, jumped);
    const stops = this.stopsTo(way, move);
    if (stops.length < 2 && samePieces(pieces, this.shown)) {
      this.remember(pieces, way, jumped);
      return this.motion.done; // what moves may go on: it leads here
    }
    this.motion.finish();
    if (move && (animate || this.pending)) {
      playSound(move.crowns ? "crown" : move.captured.length ? "capture" : "move");
    } else if (way.length > Math.max(1, this.way.length)) {
      playSound("capture");
    }
    const motion = this.pieces.change(pieces, stops, (from, to) => this.geometry.between(from, to), animate && animationsEnabled());
    this.remember(pieces, way, jumped);
    this.begin(motion);
    return motion.start();
  }

  /**
   * @param {Map<string, Piece>} pieces
   * @param {readonly string[]} way
   * @param {Set<string>} jumped
   */
  remember(pieces, way, jumped) {
    this.shown = pieces;
    this.way = way;
    this.jumped = jumped;
  }

  /**
   * Move the piece of a way along it.
   * @param {Map<string, Piece>} pieces
   * @param {readonly string[]} way
   * @param {Set<string>} jumped
   */
  walk(pieces, way, jumped) {
    const [start] = way;
    const end = way.at(-1);
    const piece = start === undefined ? undefined : pieces.get(start);
    if (start === undefined || end === undefined || !piece || way.length < 2) {
      return;
    }
    pieces.delete(start);
    pieces.set(end, { side: piece.side, isKing: piece.isKing || (this.pending?.crowns ?? false) });
    if (this.pending) {
      jumped.forEach((name) => pieces.delete(name));
    }
  }

  /**
   * The stops that are left from what is shown to a new way, or to a scene after a move.
   * @param {readonly string[]} way
   * @param {MoveInfo | null} move
   * @returns {readonly string[]}
   */
  stopsTo(way, move) {
    const to = way.length ? way : (move?.places ?? []);
    const from = this.way.length > 1 ? this.way : to.slice(0, 1);
    if (from.every((name, number) => to[number] === name)) {
      return to.slice(from.length - 1);
    }
    return [from.at(-1) ?? "", from[0] ?? ""]; // what was picked is put back
  }

  /**
   * The pieces that are jumped on a way.
   * @param {readonly string[]} way
   */
  jumpedOn(way) {
    const captured = new Set((this.pending ? [this.pending] : this.picking.open).flatMap((move) => move.captured));
    const legs = way.slice(1).map((stop, number) => this.geometry.between(way[number] ?? stop, stop));
    return new Set(legs.flat().filter((name) => captured.has(name)));
  }

  // Dragging

  /** @param {string} place */
  lift(place) {
    this.motion.finish();
    this.pieces.lift(place);
    this.classList.add("carrying");
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  carry(x, y) {
    const at = this.pointAt(x, y);
    this.pieces.carry(at.x - 0.5, at.y - 0.5);
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

  // Marks and labels

  paint() {
    const values = this.valuesBySquare();
    for (const [name, cell] of this.cells) {
      this.paintCell(name, cell, values.get(name) ?? "");
    }
    this.drawing.showLast(this.pending ?? this.lastMove);
    this.drawing.showArrows(this.shownArrows);
    this.pieces.markJumped(this.pending ? new Set() : this.jumped);
    this.moveCursor(this.cursor);
  }

  /**
   * @param {string} name
   * @param {HTMLElement} cell
   * @param {string} value
   */
  paintCell(name, cell, value) {
    const { picked, targets, ends, starts } = this.picking;
    const isFree = !this.pending && !this.isEditing;
    const marks = {
      "can-move": isFree && starts.has(name) && !picked.length,
      "can-change": isFree && starts.has(name) && picked.length > 0,
      picked: isFree && picked.at(-1) === name,
      passed: isFree && picked.slice(0, -1).includes(name),
      target: isFree && targets.has(name),
      end: isFree && ends.has(name) && !targets.has(name),
      takes: isFree && (targets.has(name) || ends.has(name)) && this.picking.takes(name),
      last: this.isLast(name),
      occupied: this.shown.has(name),
      movable: this.canLift(name),
      editable: this.isEditing,
    };
    for (const [mark, isOn] of Object.entries(marks)) {
      cell.classList.toggle(mark, isOn);
    }
    cell.toggleAttribute("aria-selected", false);
    if (marks.picked) {
      cell.setAttribute("aria-selected", "true");
    }
    const shownValue = /** @type {HTMLElement} */ (cell.querySelector(".value"));
    shownValue.dataset.text = value;
    const piece = this.shown.get(name) ?? null;
    const label = this.board.numbered ? `square ${name}` : name;
    cell.setAttribute("aria-label", describeSquare({ label, piece, isJumped: this.jumped.has(name), marks, value }));
  }

  /** @param {string} name */
  isLast(name) {
    const move = this.pending ?? this.lastMove;
    return move !== null && (move.places[0] === name || move.places.at(-1) === name);
  }

  /** @returns {Map<string, string>} */
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
