// What the board shows: the game as it goes on, or an earlier position of it.

/** @typedef {import("../boards/board.js").Board} Board */
/** @typedef {import("./record.js").Record} GameRecord */

const MOST_BEHIND = 4; // moves that are shown one after the other; more are skipped over

/** Leads the board through the moves of a record. */
export class Viewer {
  /**
   * @param {Board} board
   * @param {GameRecord} record
   * @param {() => void} onChange when something else is shown
   */
  constructor(board, record, onChange) {
    /** @type {Board} */
    this.board = board;
    /** @type {GameRecord} */
    this.record = record;
    this.onChange = onChange;
    /** How many moves are shown. @type {number} */
    this.at = record.plies.length;
    this.isLive = true;
    this.isMoving = false;
    this.turn = 0; // grows when somebody goes elsewhere, so that what went on before stops
    this.draw(false);
  }

  /** Whether the board shows what the game has come to; the last move may still be on its way there. */
  get isCurrent() {
    return this.isLive && this.at === this.record.plies.length;
  }

  /** Leave out what is still to be shown: somebody wants to go on. */
  hurry() {
    if (this.isMoving && this.isLive && this.at < this.record.plies.length) {
      this.jump(this.record.plies.length);
      this.onChange();
    }
  }

  /**
   * Show what came: the moves from `same` on are new, and bring back whoever looks at an earlier position.
   * @param {number} same
   */
  async follow(same) {
    const isAway = this.at > same || (!this.isLive && this.at < same);
    if (isAway) {
      this.jump(same);
    }
    this.isLive = true;
    await this.catchUp();
  }

  /** Show the moves up to the last one, each from the board before it. */
  async catchUp() {
    if (this.isMoving) {
      return; // it goes on by itself
    }
    const turn = ++this.turn;
    this.isMoving = true;
    while (turn === this.turn && this.at < this.record.plies.length) {
      if (this.record.plies.length - this.at > MOST_BEHIND) {
        this.at = this.record.plies.length - 1;
        void this.draw(false);
      }
      this.at += 1;
      const done = this.draw(true);
      this.onChange();
      await done;
    }
    if (turn === this.turn) {
      this.isMoving = false;
      this.onChange();
    }
  }

  /**
   * Show the position after so many moves at once.
   * @param {number} at
   */
  jump(at) {
    this.turn += 1;
    this.isMoving = false;
    this.at = at;
    void this.draw(false);
  }

  /**
   * Look at the position after so many moves.
   * @param {number} at
   */
  async go(at) {
    const { length } = this.record.plies;
    const wanted = Math.min(Math.max(at, 0), length);
    if (wanted === this.at && this.isLive === (wanted === length)) {
      return;
    }
    const isNext = wanted === this.at + 1;
    this.turn += 1;
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
    return this.board.show(this.record.scene(this.at), { move: ply?.move ?? null, side: ply?.side ?? null, animate });
  }
}
