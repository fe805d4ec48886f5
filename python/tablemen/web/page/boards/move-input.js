// Input of a move place by place, independent of the page.

/** @typedef {import("../api-types").MoveInfo} MoveInfo */

/**
 * The places picked so far. `touch` returns the input after another place. A multiple capture can be picked jump by jump,
 * or by its end; `move` is set as soon as the input is unambiguous.
 */
export class MoveInput {
  /**
   * @param {readonly MoveInfo[]} legal every path of every legal move
   * @param {readonly string[]} [picked]
   * @param {MoveInfo | null} [move]
   * @param {boolean} [several] whether different moves end at the last place
   */
  constructor(legal, picked = [], move = null, several = false) {
    this.legal = legal;
    this.picked = picked;
    this.move = move;
    this.several = several;
    /** The paths that begin with the input. */
    this.open = legal.filter(({ places }) => picked.every((place, number) => places[number] === place));
    /** The places where a move can begin. */
    this.starts = new Set(legal.flatMap(({ places }) => places.slice(0, 1)));
    /** The possible next places; none before the first and after the last. */
    this.targets = new Set(
      move || !picked.length ? [] : this.open.flatMap(({ places }) => places.slice(picked.length, picked.length + 1)),
    );
    /** The places where a move with this beginning can end. */
    this.ends = new Set(move || !picked.length ? [] : this.open.flatMap(({ places }) => places.slice(-1)));
  }

  /**
   * Whether the path to a target or an end captures something.
   * @param {string} place
   */
  takes(place) {
    const next = this.picked.length;
    return this.open.some(
      ({ places, captured }) => captured.length > 0 && (places[next] === place || places.at(-1) === place),
    );
  }

  /**
   * Return the input after this place: continued, restarted, or empty.
   * @param {string} place
   * @returns {MoveInput}
   */
  touch(place) {
    if (this.targets.has(place)) {
      return this.with([...this.picked, place]);
    }
    if (place === this.picked[0] || place === this.picked.at(-1)) {
      return this.with([]); // a second touch cancels
    }
    if (this.ends.has(place)) {
      return this.endedAt(place);
    }
    return this.with(this.starts.has(place) ? [place] : []);
  }

  /**
   * Return the input with these places, and the move if it is complete.
   * @param {readonly string[]} picked
   * @returns {MoveInput}
   */
  with(picked) {
    const whole = this.legal.find(
      ({ places }) => places.length === picked.length && places.every((place, number) => picked[number] === place),
    );
    return new MoveInput(this.legal, picked, whole ?? null);
  }

  /**
   * Return the input with the only move that ends here; paths with the same captures are one move.
   * @param {string} place
   * @returns {MoveInput}
   */
  endedAt(place) {
    const ways = this.open.filter(({ places }) => places.at(-1) === place);
    const [first] = ways;
    if (!first || new Set(ways.map(outcomeOf)).size > 1) {
      return new MoveInput(this.legal, this.picked, null, true);
    }
    return new MoveInput(this.legal, first.places, first);
  }
}

/**
 * The effect of a move from a known start: two paths with the same effect are one move.
 * @param {MoveInfo} move
 */
function outcomeOf({ places, captured, crowns }) {
  return [places.at(-1), crowns, ...[...captured].sort()].join(" ");
}
