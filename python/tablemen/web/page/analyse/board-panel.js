// The board with the evaluation bar: shows the current position, and adds moves to the tree.

import { createBoard, layOutFrame } from "../boards/board.js";
import { play } from "../boards/sounds.js";
import { showError } from "../errors.js";
import { announce, element } from "../dom.js";
import { explainPlace } from "../move-errors.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { announcedMove, shortScore, writeValues } from "./text.js";

/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("./state.js").AnalysisState} AnalysisState */

const WHEEL_STEP = 50; // wheel delta for one move

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
    analysis.on("begin", () => this.change());
    analysis.on("go", () => this.follow());
    analysis.on("view", () => this.offer());
    analysis.on("turn", () => this.turn());
    this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Show another game, on a new board if its shape differs. */
  change() {
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

  /** Show the current position. */
  follow() {
    const { analysis } = this;
    if (this.isEditing) {
      return;
    }
    announce(announcedMove(analysis.current));
    if (this.board) {
      this.board.legal = [];
    }
    this.showNode();
  }

  showNode() {
    const { analysis, board } = this;
    const node = analysis.current;
    if (!board || !node.scene || node === this.shown) {
      return;
    }
    this.shown = node;
    void board.show(node.scene, { move: node.move, side: node.side, animate: analysis.isStep });
  }

  /** Allow the legal moves of the current position. */
  offer() {
    if (this.isEditing || !this.board || !this.analysis.at) {
      return;
    }
    this.showNode();
    const view = this.analysis.current.view;
    this.board.legal = view?.legal ?? [];
    const claims = (view?.claims ?? []).map((claim) => `a draw can be claimed: ${claim}`);
    const news = view?.outcome ? [view.outcome.text] : claims;
    if (news.length) {
      announce([announcedMove(this.analysis.current), ...news].join(". "));
    }
  }

  turn() {
    if (this.board) {
      this.board.orientation = this.analysis.orientation;
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
    play("refused");
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
    board.values = this.isEditing || !values ? {} : writeValues(values, analysis.turn === side);
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
      this.offer();
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
