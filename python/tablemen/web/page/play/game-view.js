// The view of a game: the board, the list of moves, and the messages from and to the server.

import { explainPlace, GameConnection, showError } from "../api.js";
import { createBoard } from "../boards/board.js";
import "../boards/draughts-board.js";
import "../boards/mancala-board.js";
import { announce, capital, element, find, moveText, playSound, toast } from "../ui.js";
import { GameRecord, otherSide, playerName } from "./games.js";
import {
  Actions, Clocks, declinedNews, offerNews, PlayerBar, showDevices, showLinks, showOffers, showProblem, showStatus,
  turnText,
} from "./panels.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("../boards/board.js").Board} Board */

const MAX_BEHIND = 4; // moves to animate one after another; if there are more, only the last is animated

/** The board and the panels of a game. */
export class GameView {
  /**
   * @param {VariantInfo} facts
   * @param {GameState} state
   * @param {string | null} key
   * @param {() => void} onState called after each new state is shown
   */
  constructor(facts, state, key, onState) {
    this.facts = facts;
    this.record = new GameRecord(state);
    this.onState = onState;
    this.isOpen = false;
    this.reason = ""; // the server's reason for the lost connection
    this.isOver = state.outcome !== null; // whether the result is shown
    /** The move that was sent but not played yet. @type {{isAnswered: boolean} | null} */
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
    this.viewer = new Viewer(this.board, this.record, () => this.showPosition());
    this.board.addEventListener("move", (event) => {
      const { move } = /** @type {CustomEvent<{move: MoveInfo}>} */ (event).detail;
      void this.move(move.full).then((error) => error === null || toast(capital(error), "bad"));
    });
    this.board.addEventListener("refused", (event) => {
      const { place, isOccupied } = /** @type {CustomEvent<{place: string, isOccupied: boolean}>} */ (event).detail;
      const { variant, houses, seeds, position } = this.state;
      playSound("refused");
      void explainPlace({ variant, houses, seeds, position, moves: [], place }, isOccupied).catch(showError);
    });
    // Input on the board skips the animations of earlier moves.
    const skip = () => this.viewer.skip();
    this.board.addEventListener("click", ({ detail }) => detail < 2 && skip(), true);
    const onKey = (/** @type {KeyboardEvent} */ { key, repeat }) => [" ", "Enter"].includes(key) && !repeat && skip();
    this.board.addEventListener("keydown", onKey, true);
    if (this.board.canDrag) {
      this.board.addEventListener("pointerdown", skip, true);
    }
    this.showState();
    this.connection = new GameConnection(state.id, key, {
      onState: (each) => this.receive(each),
      onChange: (isOpen, reason) => this.changeConnection(isOpen, reason),
    });
  }

  get state() {
    return this.record.state;
  }

  /**
   * Show a new state of the game.
   * @param {GameState} state
   */
  receive(state) {
    const before = this.state;
    const known = this.record.plies.length;
    const same = this.record.update(state);
    if (same === null) {
      this.connection.socket.reconnect(); // after a reconnect the server sends the whole game
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
        this.showPosition();
      }
      this.onState();
    };
    keepFocus(show, (lost) => {
      const move = lost.classList.contains("ply") ? this.moves.buttons[this.viewer.at] : undefined;
      return move ?? (this.isOver ? find("#result", HTMLElement) : this.board);
    });
    this.announceNews(before, same, known > same);
  }

  /**
   * Show and announce the position after a number of moves.
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
    const move = ply ? `${playerName(state, ply.side)}: ${moveText(ply.move)}` : "Start position";
    const where = viewer.isLive ? "Current position" : `Viewing move ${viewer.at} of ${record.plies.length}`;
    announce(`${move}. ${where}.`);
  }

  /**
   * Announce new moves, offers, turns and results.
   * @param {GameState} before
   * @param {number} same the number of unchanged moves
   * @param {boolean} isBack whether moves were taken back
   */
  announceNews(before, same, isBack) {
    const { state } = this;
    const plies = this.record.plies.slice(same);
    const moves = plies.map((ply) => `${playerName(state, ply.side)}: ${moveText(ply.move)}.`);
    const shown = declinedNews(before, state, plies, isBack);
    if (before.clock && !state.clock) {
      shown.push("The game continues without a clock.");
    }
    shown.forEach((text) => toast(text));
    const news = [...moves, ...(isBack ? ["A move was taken back."] : []), ...shown, ...offerNews(before, state)];
    const hasEnded = state.outcome && !before.outcome;
    if (hasEnded) {
      news.push(`${turnText(state)}.`);
    } else if ((moves.length || isBack) && !state.outcome && (state.actions.includes("move") || isBack)) {
      news.push(`${turnText(state)}.`);
    }
    if (news.length) {
      announce(news.join(" "));
    }
  }

  /** Show the state of the game. */
  showState() {
    const { state } = this;
    showDevices(state);
    showOffers(state, (action) => void this.act(action));
    showProblem(state);
    showLinks(this.record, this.facts, this.below);
    this.actions.show(state, this.isOpen);
    this.clocks.set(state.clock, state.you);
    this.showPosition();
  }

  /** Update everything that depends on the position that the user views. */
  showPosition() {
    const { state, viewer, record } = this;
    const { at } = viewer;
    const isLooking = !viewer.isLive;
    this.showResult();
    const above = otherSide(state, this.below);
    this.bars.above.show(above, record, at, this.facts.losing ?? false, this.isOver);
    this.bars.below.show(this.below, record, at, this.facts.losing ?? false, this.isOver);
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
    const pending = this.sent === null ? "" : "Your move will be sent after reconnecting.";
    const parts = ["Connection lost. Reconnecting…", this.reason, pending];
    find("#connection", HTMLElement).textContent = parts.filter((part) => part).join(" ");
    find("#typing", HTMLElement).hidden = !state.you.length || Boolean(state.outcome);
  }

  /** Show the turn, or the result after the animation of the last move. */
  showResult() {
    const { state, viewer } = this;
    const wasOver = this.isOver;
    this.isOver = state.outcome !== null && !viewer.isAnimating;
    if (this.isOver && !wasOver) {
      playSound("end");
    }
    if (this.isOver || state.outcome === null) {
      const last = this.record.plies.at(-1);
      showStatus(state, this.facts, last?.move.extra_turn === true && last.side === state.turn);
    }
  }

  /**
   * @param {boolean} isOpen
   * @param {string} reason
   */
  changeConnection(isOpen, reason) {
    if (isOpen !== this.isOpen) {
      announce(isOpen ? `Connected. ${turnText(this.state)}.` : "Connection lost. Reconnecting.");
    }
    this.isOpen = isOpen;
    this.reason = reason;
    find("#connection", HTMLElement).hidden = isOpen;
    this.actions.show(this.state, isOpen);
    if (!isOpen && !this.state.outcome) {
      this.clocks.freeze();
    }
    this.showPosition();
  }

  /**
   * Send a move. The board shows the move already, unless it was typed.
   * @param {string} text
   * @returns {Promise<string | null>} the error if the server refused the move
   */
  async move(text) {
    const sent = { isAnswered: false };
    this.sent = sent;
    this.board.arrows = [];
    this.showPosition();
    const answer = await this.connection.request({ action: "move", move: text, ply: this.record.plies.length });
    if (answer.error !== null) {
      this.sent = null;
      playSound("refused");
      this.board.reset();
    }
    sent.isAnswered = true;
    this.showPosition();
    return answer.error;
  }

  /** @param {Action["action"]} action */
  async act(action) {
    const { length } = this.record.plies;
    if (action === "hint") {
      void this.viewer.go(length); // a hint is for the current position
    }
    const button = action === "hint" ? find("#hint", HTMLElement) : null;
    button?.classList.add("is-busy");
    const answer = await this.connection.request({ action });
    button?.classList.remove("is-busy");
    if (answer.error !== null) {
      toast(capital(answer.error), "bad");
    } else if (answer.hint && this.viewer.isLive && this.record.plies.length === length) {
      const { hint } = answer;
      this.board.arrows = [{ move: hint, kind: "hint" }];
      if (hint.reason) {
        toast(`Try ${hint.text}: ${hint.reason}.`);
      } else {
        announce(`Hint: ${moveText(hint)}.`);
      }
    }
  }

  flip() {
    this.below = otherSide(this.state, this.below);
    this.board.orientation = this.below;
    showLinks(this.record, this.facts, this.below);
    this.showPosition();
    announce(`${capital(this.below)} is at the bottom.`);
  }
}

/** The position of a game that the board shows: the current or an earlier one. */
class Viewer {
  /**
   * @param {Board} board
   * @param {GameRecord} record
   * @param {() => void} onChange called when another position is shown
   */
  constructor(board, record, onChange) {
    /** @type {Board} */
    this.board = board;
    /** @type {GameRecord} */
    this.record = record;
    this.onChange = onChange;
    /** The number of moves that are shown. @type {number} */
    this.at = record.plies.length;
    this.isLive = true;
    this.isMoving = false;
    this.run = 0; // a higher number stops the animations of earlier runs
    this.draw(false);
  }

  /** Whether the board shows the current position, or animates the last move. */
  get isCurrent() {
    return this.isLive && this.at === this.record.plies.length;
  }

  /** Whether the last move is still to be animated. */
  get isAnimating() {
    return this.isLive && (this.isMoving || this.at < this.record.plies.length);
  }

  /** Skip the animations. */
  skip() {
    if (this.isMoving && this.isLive && this.at < this.record.plies.length) {
      this.jump(this.record.plies.length);
      this.onChange();
    }
  }

  /**
   * Show the new moves, even if the user views an earlier position.
   * @param {number} same the number of unchanged moves
   */
  async follow(same) {
    if (this.at > same || (!this.isLive && this.at < same)) {
      this.jump(same);
    }
    this.isLive = true;
    if (this.isMoving) {
      return; // the running loop shows the new moves
    }
    const run = ++this.run;
    this.isMoving = true;
    while (run === this.run && this.at < this.record.plies.length) {
      if (this.record.plies.length - this.at > MAX_BEHIND) {
        this.at = this.record.plies.length - 1;
        void this.draw(false);
      }
      this.at += 1;
      const done = this.draw(true);
      this.onChange();
      await done;
    }
    if (run === this.run) {
      this.isMoving = false;
      this.onChange();
    }
  }

  /**
   * Show the position after a number of moves without animation.
   * @param {number} at
   */
  jump(at) {
    this.run += 1;
    this.isMoving = false;
    this.at = at;
    void this.draw(false);
  }

  /**
   * Show the position after a number of moves.
   * @param {number} at
   */
  async go(at) {
    const { length } = this.record.plies;
    const wanted = Math.min(Math.max(at, 0), length);
    if (wanted === this.at && this.isLive === (wanted === length)) {
      return;
    }
    const isNext = wanted === this.at + 1;
    this.run += 1;
    this.isMoving = false;
    this.at = wanted;
    this.isLive = wanted === length;
    const done = this.draw(isNext);
    this.onChange();
    await done;
  }

  /** @param {boolean} animate */
  draw(animate) {
    const ply = this.record.plies[this.at - 1];
    return this.board.show(this.record.stateAt(this.at), { move: ply?.move ?? null, side: ply?.side ?? null, animate });
  }
}

/** The numbered moves of a game, as buttons. */
class MoveList {
  /**
   * @param {HTMLElement} place
   * @param {string} first the side that moves first in this variant
   * @param {(at: number) => void} onGo
   */
  constructor(place, first, onGo) {
    this.place = place;
    this.first = first;
    /** The buttons by ply number. @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.at = 0;
    new ResizeObserver(() => this.mark(this.at)).observe(place); // keep the marked move in view
    place.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) {
        onGo(Number(target.dataset.ply));
      }
    });
  }

  /** @param {GameRecord} record */
  fill(record) {
    this.buttons = [];
    const rounds = record.rounds(this.first).map(({ cells }, number) =>
      element(
        "li",
        { class: "round" },
        element("span", { class: "number muted" }, `${number + 1}.`),
        ...cells.map((plies, column) => this.cell(plies, record, column === 0 && !plies.length)),
      ),
    );
    this.place.replaceChildren(...rounds);
  }

  /**
   * @param {number[]} plies
   * @param {GameRecord} record
   * @param {boolean} isMissing whether this side has no move in the round because the other side began
   */
  cell(plies, record, isMissing) {
    const buttons = plies.map((ply) => {
      const text = record.plies[ply - 1]?.move.text ?? "";
      const attributes = { type: "button", class: "ply quiet digits", "data-ply": ply, tabindex: -1 };
      const button = element("button", attributes, text);
      this.buttons[ply] = button;
      return button;
    });
    return element("span", { class: "cell" }, isMissing ? "…" : null, ...buttons);
  }

  /**
   * Mark the shown move, and scroll to it.
   * @param {number} at
   */
  mark(at) {
    this.at = at;
    for (const button of this.place.querySelectorAll("[aria-current]")) {
      button.removeAttribute("aria-current");
      button.setAttribute("tabindex", "-1");
    }
    const button = this.buttons[at];
    button?.setAttribute("aria-current", "true");
    (button ?? this.buttons[1])?.setAttribute("tabindex", "0");
    if (!button) {
      this.place.scrollTo({ top: 0, left: 0 });
      return;
    }
    // scrollIntoView would also scroll the page
    const [frame, box] = [this.place.getBoundingClientRect(), button.getBoundingClientRect()];
    this.place.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
    this.place.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
  }
}

/**
 * Change the page, and move the focus if the focused element was removed, hidden or disabled.
 * @param {() => void} change
 * @param {(lost: HTMLElement) => HTMLElement} next
 */
function keepFocus(change, next) {
  const focused = document.activeElement;
  change();
  if (!(focused instanceof HTMLElement) || focused === document.body) {
    return;
  }
  if (!focused.isConnected || focused.matches(":disabled") || !focused.checkVisibility()) {
    next(focused).focus();
  }
}
