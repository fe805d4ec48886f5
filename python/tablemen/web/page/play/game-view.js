// A game at its table: what the server tells is shown, and what the player does is sent.

import { explainPlace, showError } from "../api.js";
import { createBoard } from "../boards/board.js";
import "../boards/draughts-board.js";
import "../boards/mancala-board.js";
import { announce, capital, element, find, moveText, playSound, toast } from "../ui.js";
import { Actions } from "./actions.js";
import { Clocks } from "./clock.js";
import { Connection } from "./connection.js";
import { keepFocus } from "./focus.js";
import { MoveList } from "./move-list.js";
import { PlayerBar } from "./players.js";
import { Record } from "./record.js";
import { declinedNews, offerNews, showLinks, showOffers, showProblem, showStatus, turnText } from "./status.js";
import { otherSide, playerName } from "./text.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/** The page of one game. */
export class GameView {
  /**
   * @param {VariantInfo} facts
   * @param {GameState} state
   * @param {string | null} key
   * @param {() => void} onState after everything is shown
   */
  constructor(facts, state, key, onState) {
    this.facts = facts;
    this.record = new Record(state);
    this.onState = onState;
    this.isOpen = false;
    this.reason = ""; // why there is no connection, where the server said so
    /** A move that was sent and is not known to be played. @type {{isAnswered: boolean} | null} */
    this.sent = null;
    this.board = createBoard(facts);
    this.below = state.you.length === 1 ? (state.you[0] ?? "") : (facts.sides[0] ?? "");
    this.board.orientation = this.below;
    find("#board", HTMLElement).replaceChildren(this.board);
    const [above, below] = [find("#above", HTMLElement), find("#below", HTMLElement)];
    this.bars = { above: new PlayerBar(above), below: new PlayerBar(below) };
    this.clocks = new Clocks();
    this.moves = new MoveList(find("#moves", HTMLElement), facts.first, (at) => this.look(at));
    this.actions = new Actions((action) => void this.act(action));
    this.moves.fill(this.record);
    /** @type {Viewer} */
    this.viewer = new Viewer(this.board, this.record, () => this.showMoment());
    this.board.addEventListener("move", (event) => {
      const { move } = /** @type {CustomEvent<{move: MoveInfo}>} */ (event).detail;
      void this.move(move.full).then((error) => error === null || toast(capital(error)));
    });
    this.board.addEventListener("refused", (event) => {
      const { place, isOccupied } = /** @type {CustomEvent<{place: string, isOccupied: boolean}>} */ (event).detail;
      const { variant, houses, seeds, position } = this.state;
      playSound("refused");
      void explainPlace({ variant, houses, seeds, position, moves: [], place }, isOccupied).catch(showError);
    });
    this.skipAnimationsOnInput();
    this.showState();
    this.connection = new Connection(state.id, key, {
      onState: (each) => this.hear(each),
      onChange: (isOpen, reason) => this.changeConnection(isOpen, reason),
    });
  }

  get state() {
    return this.record.state;
  }

  /** Whoever is to move need not wait for what is still shown of the moves before. */
  skipAnimationsOnInput() {
    const hurry = () => this.viewer.hurry();
    this.board.addEventListener("click", ({ detail }) => detail < 2 && hurry(), true);
    this.board.addEventListener("keydown", ({ key, repeat }) => (key === "Enter" || key === " ") && !repeat && hurry(), true);
    if (this.board.canDrag) {
      this.board.addEventListener("pointerdown", hurry, true); // a drag may begin with it
    }
  }

  /** @param {GameState} state */
  hear(state) {
    const before = this.state;
    const known = this.record.plies.length;
    const same = this.record.update(state);
    if (same === null) {
      this.connection.link.socket?.close(); // it opens again and is told everything
      return;
    }
    const count = this.record.plies.length;
    const isLonger = count > same;
    if (this.sent !== null && (isLonger || this.sent.isAnswered)) {
      this.sent = null;
    }
    const show = () => {
      if (isLonger || this.moves.buttons.length > count + 1) {
        this.moves.fill(this.record);
        this.board.arrows = [];
      }
      this.showState();
      if (isLonger || known > count) {
        void this.viewer.follow(same);
      } else {
        this.showMoment();
      }
      this.onState();
    };
    keepFocus(show, (lost) => this.placeAfter(lost));
    this.tellNews(before, same, known > same);
  }

  /**
   * Where the focus goes from what cannot have it any more.
   * @param {HTMLElement} lost
   * @returns {HTMLElement}
   */
  placeAfter(lost) {
    const result = find("#result", HTMLElement);
    const move = lost.classList.contains("ply") ? this.moves.buttons[this.viewer.at] : undefined;
    return move ?? (this.state.outcome ? result : this.board);
  }

  /**
   * Look at the position after so many moves, and say what it is.
   * @param {number} at
   */
  look(at) {
    const { viewer, record, state } = this;
    const before = viewer.at;
    void viewer.go(at);
    if (viewer.at === before) {
      return;
    }
    const ply = record.plies[viewer.at - 1];
    const move = ply ? `${playerName(state, ply.side)}: ${moveText(ply.move)}` : "The start";
    const where = viewer.isLive ? "The game as it is now" : `Looking back, ${viewer.at} of ${record.plies.length}`;
    announce(`${move}. ${where}.`);
  }

  /**
   * Say what happened: moves, offers, turns and results.
   * @param {GameState} before
   * @param {number} same
   * @param {boolean} isBack whether moves are gone
   */
  tellNews(before, same, isBack) {
    const { state } = this;
    const plies = this.record.plies.slice(same);
    const moves = plies.map((ply) => `${playerName(state, ply.side)}: ${moveText(ply.move)}.`);
    const shown = declinedNews(before, state, plies, isBack);
    if (before.clock && !state.clock) {
      shown.push("The game goes on without a clock.");
    }
    shown.forEach(toast);
    const news = [...moves, ...(isBack ? ["A move was taken back."] : []), ...shown, ...offerNews(before, state)];
    const hasEnded = state.outcome && !before.outcome;
    if (hasEnded) {
      news.push(`${turnText(state)}.`);
      playSound("end");
    } else if ((moves.length || isBack) && !state.outcome && (state.actions.includes("move") || isBack)) {
      news.push(`${turnText(state)}.`);
    }
    if (news.length) {
      announce(news.join(" "));
    }
  }

  /** Everything that does not depend on which moment is looked at. */
  showState() {
    const { state } = this;
    showStatus(state, this.facts);
    showOffers(state, (action) => void this.act(action));
    showProblem(state);
    showLinks(this.record, this.facts, this.below);
    this.actions.show(state, this.isOpen);
    this.clocks.set(state.clock, state.you);
    this.showMoment();
  }

  /** What depends on it. */
  showMoment() {
    const { state, viewer, record } = this;
    const { at } = viewer;
    const isLooking = !viewer.isLive;
    const above = otherSide(state, this.below);
    this.bars.above.show(above, record, at, this.facts.losing ?? false);
    this.bars.below.show(this.below, record, at, this.facts.losing ?? false);
    this.clocks.place(new Map([[above, this.bars.above.clock], [this.below, this.bars.below.clock]]));
    this.moves.mark(at);
    find("#looking", HTMLElement).hidden = !isLooking;
    find("#table", HTMLElement).classList.toggle("is-looking", isLooking);
    const [back, on] = [["first", "previous"], ["next", "last"]].map((names) =>
      names.map((name) => find(`#go-${name}`, HTMLButtonElement)),
    );
    const show = () => {
      back?.forEach((button) => (button.disabled = at === 0));
      on?.forEach((button) => (button.disabled = !isLooking));
    };
    keepFocus(show, () => (isLooking ? on?.[0] : back?.[1]) ?? this.board);
    this.board.pace = state.clock ? 0.5 : 1;
    const canMove = viewer.isCurrent && this.sent === null && state.actions.includes("move");
    this.board.legal = canMove ? state.legal : [];
    const waiting = this.sent === null ? "" : "Your move is sent when it is there.";
    const words = ["The connection is lost. Connecting again…", this.reason, waiting].filter((part) => part).join(" ");
    find("#connection", HTMLElement).textContent = words;
    find("#typing", HTMLElement).hidden = !state.you.length || Boolean(state.outcome);
  }

  /**
   * @param {boolean} isOpen
   * @param {string} reason
   */
  changeConnection(isOpen, reason) {
    if (isOpen !== this.isOpen) {
      announce(isOpen ? `Connected. ${turnText(this.state)}.` : "The connection is lost. Connecting again.");
    }
    this.isOpen = isOpen;
    this.reason = reason;
    find("#connection", HTMLElement).hidden = isOpen;
    this.actions.show(this.state, isOpen);
    const { clock, you } = this.state;
    this.clocks.set(isOpen ? clock : (clock && { ...clock, running: null }), you); // nobody knows what it shows elsewhere
    this.showMoment();
  }

  /**
   * Send a move; the board shows it already, unless it was typed.
   * @param {string} text
   * @returns {Promise<string | null>} why it was refused; the board shows the game again then
   */
  async move(text) {
    const sent = { isAnswered: false };
    this.sent = sent;
    this.board.arrows = [];
    this.showMoment();
    const answer = await this.connection.request({ action: "move", move: text, ply: this.record.plies.length });
    if (answer.error !== null) {
      this.sent = null;
      playSound("refused");
      this.board.reset();
    }
    sent.isAnswered = true;
    this.showMoment();
    return answer.error;
  }

  /** @param {Action["action"]} action */
  async act(action) {
    const { length } = this.record.plies;
    if (action === "hint") {
      void this.viewer.go(length); // it is for the game as it is now
    }
    const button = action === "hint" ? find("#hint", HTMLElement) : null;
    button?.classList.add("is-busy");
    const answer = await this.connection.request({ action });
    button?.classList.remove("is-busy");
    if (answer.error !== null) {
      toast(capital(answer.error));
    } else if (answer.hint && this.viewer.isLive && this.record.plies.length === length) {
      this.board.arrows = [{ move: answer.hint, kind: "hint" }];
      announce(`Hint: ${moveText(answer.hint)}.`);
    }
  }

  flip() {
    this.below = otherSide(this.state, this.below);
    this.board.orientation = this.below;
    showLinks(this.record, this.facts, this.below);
    this.showMoment();
    announce(`${capital(this.below)} is at the bottom.`);
  }

  /** Something to look at while the page has no game. @param {string} words */
  static showMissing(words) {
    find("#missing-words", HTMLElement).replaceChildren(element("strong", {}, words));
    find("#missing", HTMLElement).hidden = false;
  }
}
