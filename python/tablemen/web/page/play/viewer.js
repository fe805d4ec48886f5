// The displayed position: the current one, or an earlier one.

/** @typedef {import("./record.js").Record} GameRecord */
/** @typedef {import("../boards/base-board.js").BaseBoard} Board */

const MAX_BEHIND = 4; // moves that are animated one after the other; more are skipped

/** Shows the moves of a record on the board. */
export class Viewer {
  /**
   * @param {Board} board
   * @param {GameRecord} record
   * @param {() => void} onChange called when another position is displayed
   */
  constructor(board, record, onChange) {
    /** @type {Board} */
    this.board = board;
    /** @type {GameRecord} */
    this.record = record;
    this.onChange = onChange;
    /** The number of displayed moves. @type {number} */
    this.at = record.plies.length;
    this.isLive = true;
    this.isMoving = false;
    this.turn = 0; // grows with each navigation, to cancel the animations before
    this.draw(false);
  }

  /** Whether the board shows the current position; the last move may still be animated. */
  get isCurrent() {
    return this.isLive && this.at === this.record.plies.length;
  }

  /** Skip pending animations, since the player wants to continue. */
  hurry() {
    if (this.isMoving && this.isLive && this.at < this.record.plies.length) {
      this.jump(this.record.plies.length);
      this.onChange();
    }
  }

  /**
   * Show new moves, from `same` on; they end the display of an earlier position.
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

  /** Animate the moves up to the last one. */
  async catchUp() {
    if (this.isMoving) {
      return; // it continues by itself
    }
    const turn = ++this.turn;
    this.isMoving = true;
    while (turn === this.turn && this.at < this.record.plies.length) {
      if (this.record.plies.length - this.at > MAX_BEHIND) {
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
   * Show the position after a number of moves without animation.
   * @param {number} at
   */
  jump(at) {
    this.turn += 1;
    this.isMoving = false;
    this.at = at;
    void this.draw(false);
  }

  /**
   * Go to the position after a number of moves.
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
