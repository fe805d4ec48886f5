// The board of the analysis page, with the evaluation bar.

import { explainPlace, showError } from "../api.js";
import { createBoard, layOutFrame } from "../boards/board.js";
import "../boards/draughts-board.js";
import "../boards/mancala-board.js";
import { announce, capital, element, playSound } from "../ui.js";
import { nodeText, shortScore, formatValues } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */

const WHEEL_STEP = 50; // pixels of the mouse wheel for one move

/** A meter that shows the first side's chances. */
class EvaluationBar extends HTMLElement {
  constructor() {
    super();
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", "Evaluation");
    this.setAttribute("aria-valuemin", "0");
    this.setAttribute("aria-valuemax", "100");
    this.reading = element("span", { class: "reading" });
    this.append(element("span", { class: "share" }), this.reading);
    this.clear();
  }

  /**
   * Show the chances of the first side, from 0 to 1.
   * @param {object} reading
   * @param {number} reading.chances
   * @param {string} reading.text the score
   * @param {string} reading.short the short score
   * @param {string} reading.side the first side
   * @param {boolean} reading.isTurned whether that side is at the top
   */
  show({ chances, text, short, side, isTurned }) {
    const percent = Math.round(100 * chances);
    this.classList.toggle("turned", isTurned);
    this.classList.toggle("ahead", chances >= 0.5);
    this.classList.remove("empty");
    this.style.setProperty("--share", `${Math.min(98, Math.max(2, 100 * chances))}%`);
    this.reading.textContent = short;
    this.setAttribute("aria-valuenow", String(percent));
    this.setAttribute("aria-valuetext", `${text}, expected score for ${capital(side)}: ${percent} per cent`);
  }

  /** Show that there is no evaluation. */
  clear() {
    this.classList.add("empty");
    this.style.setProperty("--share", "50%");
    this.reading.textContent = "";
    this.setAttribute("aria-valuenow", "50");
    this.setAttribute("aria-valuetext", "unknown");
  }
}

customElements.define("evaluation-bar", EvaluationBar);

/** The board. It shows the current move, and adds played moves to the tree. */
export class BoardPanel extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    this.bar = new EvaluationBar();
    this.place = element("div", { class: "board-place" });
    /** @type {ReturnType<typeof createBoard> | null} */
    this.board = null;
    this.shape = "";
    this.isEditing = false;
    this.turned = 0;
    /** @type {import("./tree.js").TreeNode | null} */
    this.shown = null;
    this.append(this.bar, this.place);
    analysis.on("begin", () => this.showVariant());
    analysis.on("go", () => this.follow());
    analysis.on("view", () => this.showLegal());
    analysis.on("turn", () => {
      if (this.board) {
        this.board.orientation = analysis.orientation;
      }
    });
    this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Create a new board if the variant has a different board shape. */
  showVariant() {
    const { facts } = this.analysis;
    this.shown = null;
    const shape = JSON.stringify([facts.sides, facts.board]);
    if (this.board && shape === this.shape) {
      this.board.orientation = this.analysis.orientation;
      return;
    }
    this.shape = shape;
    layOutFrame(this, facts);
    const board = createBoard(facts);
    board.orientation = this.analysis.orientation;
    board.addEventListener("move", (event) => void this.play(/** @type {CustomEvent} */ (event).detail.move));
    board.addEventListener("refused", (event) => this.refuse(/** @type {CustomEvent} */ (event).detail));
    this.board = board;
    this.place.replaceChildren(board);
  }

  /** Show and announce the current move. */
  follow() {
    const { analysis } = this;
    if (this.isEditing) {
      return;
    }
    announce(nodeText(analysis.current));
    if (this.board) {
      this.board.legal = [];
    }
    this.showNode();
  }

  showNode() {
    const { analysis, board } = this;
    const node = analysis.current;
    if (!board || !node.state || node === this.shown) {
      return;
    }
    this.shown = node;
    void board.show(node.state, { move: node.move, side: node.side, animate: analysis.isStep });
  }

  /** Show the legal moves of the current position. */
  showLegal() {
    if (this.isEditing || !this.board || !this.analysis.at) {
      return;
    }
    this.showNode();
    const view = this.analysis.current.view;
    this.board.legal = view?.legal ?? [];
    const claims = (view?.claims ?? []).map((claim) => `a draw can be claimed: ${claim}`);
    const news = view?.outcome ? [view.outcome.text] : claims;
    if (news.length) {
      announce([nodeText(this.analysis.current), ...news].join(". "));
    }
  }

  /** @param {MoveInfo} move */
  async play(move) {
    try {
      await this.analysis.playMove(move);
    } catch (error) {
      this.board?.reset();
      showError(error);
    }
  }

  /**
   * Explain why no move begins with a place.
   * @param {{place: string, isOccupied: boolean}} refused
   */
  refuse({ place, isOccupied }) {
    const { variant, houses = null, seeds = null, position = null, moves } = this.analysis.subject;
    playSound("refused");
    void explainPlace({ variant, houses, seeds, position, moves, place }, isOccupied).catch(showError);
  }

  /**
   * Show the result of the engine: the bar, arrows, and exact values.
   * @param {AnalysisUpdate | null} found
   * @param {Record<string, number> | null} values
   */
  showFound(found, values) {
    const { analysis, board, bar } = this;
    if (!analysis.known || !board) {
      return;
    }
    const side = analysis.facts.sides[0] ?? "";
    const isTurned = analysis.orientation !== side;
    const verdict = this.isEditing ? null : analysis.at?.verdict;
    if (found) {
      const { chances, score } = found;
      bar.show({ chances, text: score.text, short: shortScore(score, chances), side, isTurned });
    } else if (verdict) {
      const { chances, score, short = score } = verdict;
      bar.show({ chances, text: score, short, side, isTurned });
    } else {
      bar.clear();
    }
    const lines = this.isEditing ? [] : (found?.lines ?? []);
    board.arrows = lines.map(({ move }, number) => ({ move, kind: number ? "other" : "best" }));
    board.values = this.isEditing || !values ? {} : formatValues(values, analysis.turn === side);
  }

  /** @param {boolean} isEditing */
  edit(isEditing) {
    this.isEditing = isEditing;
    if (!this.board) {
      return;
    }
    this.board.legal = [];
    this.board.arrows = [];
    this.board.values = {};
    this.board.editing = isEditing;
    if (!isEditing) {
      this.shown = null;
      this.showLegal();
    }
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (this.isEditing || event.ctrlKey) {
      return;
    }
    event.preventDefault();
    this.turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * WHEEL_STEP;
    if (Math.abs(this.turned) >= WHEEL_STEP) {
      const isForward = this.turned > 0;
      this.turned = 0;
      if (isForward) {
        this.analysis.forward();
      } else {
        this.analysis.back();
      }
    }
  }
}

customElements.define("board-panel", BoardPanel);
