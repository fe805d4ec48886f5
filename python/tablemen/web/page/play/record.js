// The record of a game, with the statistics of its boards.

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */

/** The moves of a game, assembled from incremental messages. */
export class Record {
  /** @param {GameState} state the whole game */
  constructor(state) {
    this.state = state;
    /** @type {PlyState[]} */
    this.plies = state.plies;
  }

  /**
   * Apply a message from the server.
   * @param {GameState} state
   * @returns {number | null} the number of unchanged moves; null if some are missing in between
   */
  update(state) {
    if (state.since > this.plies.length) {
      return null;
    }
    const plies = [...this.plies.slice(0, state.since), ...state.plies];
    let same = state.since;
    while (same < this.plies.length && same < plies.length && isSame(this.plies[same], plies[same])) {
      same += 1;
    }
    this.state = state;
    this.plies = plies;
    return same;
  }

  /**
   * Return the position after a number of moves.
   * @param {number} count
   * @returns {PositionState}
   */
  scene(count) {
    return this.plies[count - 1] ?? this.state.start;
  }

  /**
   * Count the men and kings that a side has captured after a number of moves.
   * @param {string} side
   * @param {number} count
   */
  captured(side, count) {
    const taken = { men: 0, kings: 0 };
    this.plies.slice(0, count).forEach((ply, number) => {
      if (ply.side !== side) {
        return;
      }
      const kings = Object.values(this.scene(number).board).flatMap((lies) => ("kings" in lies ? lies.kings : []));
      for (const square of ply.move.captured) {
        taken[kings.includes(square) ? "kings" : "men"] += 1;
      }
    });
    return taken;
  }

  /**
   * Group the moves in numbered rounds: the moves of the first side, then those of the other.
   * A side that moves again stays in its cell.
   * @param {string} first the side that moves first in this variant
   * @returns {{cells: [number[], number[]]}[]} plies, from 1
   */
  rounds(first) {
    /** @type {{cells: [number[], number[]]}[]} */
    const rounds = [];
    this.plies.forEach((ply, number) => {
      const column = ply.side === first ? 0 : 1;
      const last = rounds.at(-1);
      if (!last || (column === 0 && last.cells[1].length)) {
        rounds.push({ cells: column === 0 ? [[number + 1], []] : [[], [number + 1]] });
      } else {
        last.cells[column].push(number + 1);
      }
    });
    return rounds;
  }
}

/**
 * @param {PlyState | undefined} one
 * @param {PlyState | undefined} other
 */
function isSame(one, other) {
  return one?.move.full === other?.move.full && one?.position === other?.position;
}
