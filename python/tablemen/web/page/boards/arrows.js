// What is drawn under and over the pieces: the way of the last move, and arrows for moves.

import { picture } from "../ui.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("./shown-board.js").Arrow} Arrow */

/** @typedef {{x: number, y: number}} Point */

const HEAD = 0.42; // of a square
const CROSS = 0.12;

/** Two layers of lines, measured in squares. */
export class Drawing {
  /** @param {(name: string) => Point} seenAt */
  constructor(seenAt) {
    this.seenAt = seenAt;
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
    const { x, y } = this.seenAt(name);
    return { x: x + 0.5, y: y + 0.5 };
  }

  /**
   * The way of a capture, and what was captured.
   * @param {MoveInfo | null} move
   */
  showLast(move) {
    if (!move?.captured.length) {
      this.under.replaceChildren();
      return;
    }
    const way = move.places.map((name) => this.centre(name));
    const line = picture("path", { class: "way", d: `M${way.map(({ x, y }) => `${x} ${y}`).join("L")}` });
    const crosses = move.captured.map((name) => this.centre(name)).map(({ x, y }) => {
      const [left, right, top, bottom] = [x - CROSS, x + CROSS, y - CROSS, y + CROSS];
      return `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
    });
    this.under.replaceChildren(line, picture("path", { class: "taken", d: crosses.join("") }));
  }

  /**
   * Arrows along the ways of moves, the best on top.
   * @param {readonly Arrow[]} arrows
   */
  showArrows(arrows) {
    const rank = { other: 0, best: 1, hint: 2 };
    const sorted = [...arrows].sort((a, b) => rank[a.kind] - rank[b.kind]);
    this.over.replaceChildren(...sorted.map((arrow) => this.arrow(arrow)));
  }

  /** @param {Arrow} arrow */
  arrow({ move, kind }) {
    const way = move.places.map((name) => this.centre(name));
    const head = HEAD * (kind === "other" ? 0.75 : 1);
    const end = way.at(-1) ?? { x: 0, y: 0 };
    const before = way.at(-2) ?? end;
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const along = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
    const neck = { x: end.x - head * along.x, y: end.y - head * along.y };
    const side = { x: (-along.y * head) / 2, y: (along.x * head) / 2 };
    const line = [...way.slice(0, -1), neck].map(({ x, y }) => `${x} ${y}`).join("L");
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
