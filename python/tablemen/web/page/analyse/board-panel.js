// The board with the bar beside it: shows where one is, and what is played on it goes into the tree.

import { explainPlace, showError } from "../api.js";
import { createBoard, layOutFrame } from "../boards/board.js";
import "../boards/draughts-board.js";
import "../boards/mancala-board.js";
import { announce, element, playSound } from "../ui.js";
import { EvaluationBar } from "./evaluation-bar.js";
import { sayMove, shortScore, writeValues } from "./text.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionState} PositionState */

const WHEEL_STEP = 50; // of turning the mouse wheel, for a move

export class BoardPanel extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
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
    desk.on("begin", () => this.change());
    desk.on("go", () => this.follow());
    desk.on("view", () => this.offer());
    desk.on("turn", () => this.turn());
    this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Another game: another board, where its shape is another. */
  change() {
    const { facts } = this.desk;
    this.shown = null;
    const shape = JSON.stringify([facts.sides, facts.board]);
    if (this.board && shape === this.shape) {
      this.board.orientation = this.desk.orientation;
      return;
    }
    this.shape = shape;
    layOutFrame(this, facts);
    const board = createBoard(facts);
    board.orientation = this.desk.orientation;
    board.addEventListener("move", (event) => void this.play(/** @type {CustomEvent} */ (event).detail.move));
    board.addEventListener("refused", (event) => this.refuse(/** @type {CustomEvent} */ (event).detail));
    this.board = board;
    this.place.replaceChildren(board);
  }

  /** Show where one is. */
  follow() {
    const { desk } = this;
    if (this.isEditing) {
      return;
    }
    announce(sayMove(desk.current));
    if (this.board) {
      this.board.legal = [];
    }
    this.showNode();
  }

  showNode() {
    const { desk, board } = this;
    const node = desk.current;
    if (!board || !node.scene || node === this.shown) {
      return;
    }
    this.shown = node;
    void board.show(node.scene, { move: node.move, side: node.side, animate: desk.isStep });
  }

  /** Let one play what the server has told. */
  offer() {
    if (this.isEditing || !this.board || !this.desk.at) {
      return;
    }
    this.showNode();
    const view = this.desk.current.view;
    this.board.legal = view?.legal ?? [];
    const claims = (view?.claims ?? []).map((claim) => `a draw can be claimed: ${claim}`);
    const news = view?.outcome ? [view.outcome.text] : claims;
    if (news.length) {
      announce([sayMove(this.desk.current), ...news].join(". "));
    }
  }

  turn() {
    if (this.board) {
      this.board.orientation = this.desk.orientation;
    }
  }

  /** @param {MoveInfo} move */
  async play(move) {
    try {
      await this.desk.playMove(move);
    } catch (error) {
      this.board?.reset();
      showError(error);
    }
  }

  /**
   * Tell why no move begins with a place that somebody touched.
   * @param {{place: string, isOccupied: boolean}} refused
   */
  refuse({ place, isOccupied }) {
    const { variant, houses = null, seeds = null, position = null, moves } = this.desk.subject;
    playSound("refused");
    void explainPlace({ variant, houses, seeds, position, moves, place }, isOccupied).catch(showError);
  }

  /**
   * Show what the engine has found: the bar, arrows, and exact values.
   * @param {AnalysisUpdate | null} found
   * @param {Record<string, number> | null} values
   */
  showFound(found, values) {
    const { desk, board, bar } = this;
    if (!desk.known || !board) {
      return;
    }
    const side = desk.facts.sides[0] ?? "";
    const isTurned = desk.orientation !== side;
    const verdict = this.isEditing ? null : desk.at?.verdict;
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
    board.values = this.isEditing || !values ? {} : writeValues(values, desk.turn === side);
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
        this.desk.forward();
      } else {
        this.desk.back();
      }
    }
  }
}

customElements.define("board-panel", BoardPanel);
