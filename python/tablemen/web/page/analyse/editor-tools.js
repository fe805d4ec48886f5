// The tools of the board editor, one set for pieces and one for seeds.

import { announce, capital, count, element } from "../ui.js";

/** @typedef {import("../api-types").DraughtsSide} DraughtsSide */
/** @typedef {import("../api-types").MancalaSide} MancalaSide */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/** @typedef {"men" | "kings"} Kind */
/** @typedef {{side: string, kind: Kind}} Piece */

const MAX_SEEDS = 65_535; // in a pit

/** The tools for pieces: move pieces, add a man or a king of a side, or remove pieces. */
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
    for (const [side, placed] of Object.entries(/** @type {Record<string, DraughtsSide>} */ (board))) {
      placed.men.forEach((square) => this.pieces.set(square, { side, kind: "men" }));
      placed.kings.forEach((square) => this.pieces.set(square, { side, kind: "kings" }));
    }
    /** @type {Piece | "erase" | "hand"} */
    this.tool = "hand";
    /** The tools that add a piece, with their radio buttons. @type {Map<Piece, HTMLInputElement>} */
    this.adders = new Map();
    /** The square of a piece that the next click moves. @type {string | undefined} */
    this.lifted = undefined;
    this.tools = element(
      "fieldset",
      { class: "choice pieces" },
      element("legend", {}, "Tool"),
      this.choice("Move", "hand", true),
      ...facts.sides.flatMap((side) => [
        this.choice(`${capital(side)} man`, { side, kind: "men" }, false),
        this.choice(`${capital(side)} king`, { side, kind: "kings" }, false),
      ]),
      this.choice("Remove", "erase", false),
    );
  }

  /**
   * @param {string} label
   * @param {Piece | "erase" | "hand"} tool
   * @param {boolean} checked
   */
  choice(label, tool, checked) {
    const onchange = () => {
      this.tool = tool;
      this.lifted = undefined;
      this.onChange();
    };
    const input = element("input", { type: "radio", name: "tool", checked, onchange });
    const isPiece = typeof tool === "object";
    if (isPiece) {
      this.adders.set(tool, input);
    }
    const number = isPiece ? this.facts.sides.indexOf(tool.side) : 0;
    const disc = isPiece ? element("span", { class: `disc side-${number} ${tool.kind}`, "aria-hidden": "true" }) : null;
    return element("label", {}, input, disc, label);
  }

  /** The pieces of both sides. */
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
      announce(to === null ? `${pieceName(piece)} removed from ${from}` : `${pieceName(piece)} on ${to}`);
    }
  }

  /** @param {string} place */
  touch(place) {
    const { tool } = this;
    const there = this.pieces.get(place);
    if (tool === "hand") {
      if (this.lifted !== undefined && this.lifted !== place) {
        this.move(this.lifted, place);
      } else {
        const isLifted = there && this.lifted !== place;
        this.lifted = isLifted ? place : undefined;
        if (there) {
          announce(`${pieceName(there)} on ${place} ${isLifted ? "selected" : "deselected"}`);
        }
      }
    } else if (tool === "erase" || (there && there.side === tool.side && there.kind === tool.kind)) {
      this.pieces.delete(place);
      announce(there ? `${pieceName(there)} removed from ${place}` : `${place} is empty`);
    } else {
      this.pieces.set(place, tool);
      announce(`${pieceName(tool)} on ${place}`);
    }
  }

  /** Remove all pieces. If the tool cannot add pieces, choose the first one that can. */
  clear() {
    this.pieces.clear();
    this.lifted = undefined;
    const [first] = this.adders;
    if (first && typeof this.tool === "string") {
      const [tool, input] = first;
      this.tool = tool;
      input.checked = true;
      announce(`Board cleared. Tool: ${pieceName(tool)}`);
    }
  }

  handleKey() {}
}

/** @param {Piece} piece */
function pieceName({ side, kind }) {
  return `${capital(side)} ${kind === "men" ? "man" : "king"}`;
}

/** The tools for seeds. A click selects a pit, and may add or remove a seed. */
export class SeedsEditor {
  /**
   * @param {VariantInfo} facts
   * @param {PositionState["board"]} board
   * @param {() => void} onChange
   */
  constructor(facts, board, onChange) {
    this.facts = facts;
    this.onChange = onChange;
    this.board = structuredClone(/** @type {Record<string, MancalaSide>} */ (board));
    this.pit = `${facts.sides[0]} 1`;
    this.step = 1;
    /** The radio button of the tool that adds a seed. @type {HTMLInputElement | null} */
    this.adder = null;
    this.name = element("label", { for: "seeds-in-pit" });
    this.number = element("input", {
      type: "number",
      id: "seeds-in-pit",
      min: 0,
      max: MAX_SEEDS,
      oninput: () => this.set(Number(this.number.value)),
    });
    this.total = element("p", { class: "muted" });
    this.tools = element(
      "div",
      {},
      element(
        "fieldset",
        { class: "choice" },
        element("legend", {}, "Tool"),
        this.choice("Add a seed", 1),
        this.choice("Remove a seed", -1),
        this.choice("Select a pit", 0),
      ),
      this.name,
      element(
        "div",
        { class: "row stepper" },
        this.stepper("−", "One seed fewer", -1),
        this.number,
        this.stepper("+", "One seed more", 1),
      ),
      this.total,
    );
    this.draw();
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {number} step
   */
  stepper(text, label, step) {
    const onclick = () => this.add(step);
    return element("button", { type: "button", class: "icon", "aria-label": label, onclick }, text);
  }

  /**
   * @param {string} label
   * @param {number} step
   */
  choice(label, step) {
    const onchange = () => (this.step = step);
    const input = element("input", { type: "radio", name: "tool", checked: step === this.step, onchange });
    if (step === 1) {
      this.adder = input;
    }
    return element("label", {}, input, label);
  }

  /** @param {{place?: string, from?: string, to?: string | null}} detail */
  edit({ place, from, to }) {
    if (place !== undefined) {
      this.pit = place;
      this.add(this.step);
    } else if (from !== undefined) {
      this.pour(from, to ?? null);
    }
  }

  /**
   * Move all seeds of a pit to another, or remove them.
   * @param {string} from
   * @param {string | null} to
   */
  pour(from, to) {
    this.pit = from;
    const seeds = this.seeds;
    this.seeds = 0;
    if (to !== null) {
      this.pit = to;
      this.seeds = Math.min(MAX_SEEDS, this.seeds + seeds);
    }
    this.draw();
    this.onChange();
  }

  /** @param {number} step */
  add(step) {
    this.set(this.seeds + step);
  }

  /** @param {number} seeds */
  set(seeds) {
    this.seeds = Number.isFinite(seeds) ? Math.trunc(Math.min(MAX_SEEDS, Math.max(0, seeds))) : 0;
    this.draw();
    this.onChange();
  }

  /** The seeds in the selected pit. */
  get seeds() {
    const [side = "", place] = this.pit.split(" ");
    const placed = this.board[side];
    return (place === "store" ? placed?.store : placed?.houses[Number(place) - 1]) ?? 0;
  }

  set seeds(seeds) {
    const [side = "", place] = this.pit.split(" ");
    const placed = this.board[side];
    if (placed && place === "store") {
      placed.store = seeds;
    } else if (placed) {
      placed.houses[Number(place) - 1] = seeds;
    }
  }

  draw() {
    const [side = "", place] = this.pit.split(" ");
    this.name.textContent = place === "store" ? `${capital(side)}’s store` : `${capital(side)}, house ${place}`;
    if (document.activeElement !== this.number) {
      this.number.value = String(this.seeds);
    }
    let total = 0;
    for (const { houses, store } of Object.values(this.board)) {
      total += store + houses.reduce((sum, seeds) => sum + seeds, 0);
    }
    this.total.textContent = `${count(total, "seed")} in total`;
  }

  /** Remove all seeds, and choose the tool that adds one. */
  clear() {
    for (const placed of Object.values(this.board)) {
      placed.houses.fill(0);
      placed.store = 0;
    }
    this.step = 1;
    if (this.adder) {
      this.adder.checked = true;
    }
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const place = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
    this.pit = place ?? this.pit;
    if (event.key === "+" || event.key === "=") {
      this.add(1);
    } else if (event.key === "-") {
      this.add(-1);
    } else if (/^\d$/.test(event.key) && place !== undefined) {
      this.set(Number(event.key));
    }
  }
}
