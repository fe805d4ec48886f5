// A move put together place by place, as it is picked with a finger, a mouse or keys. Without a line about the page.

/** @typedef {import("../api-types").MoveInfo} MoveInfo */

/**
 * What has been picked of a move so far. `touch` gives what is picked after another place. A capture of several pieces
 * may be picked jump by jump, or by where it ends; `move` is there as soon as one is whole.
 */
export class MoveInput {
  /**
   * @param {readonly MoveInfo[]} legal every way to move
   * @param {readonly string[]} [picked]
   * @param {MoveInfo | null} [move]
   * @param {boolean} [several] whether moves that differ end where the last touch was
   */
  constructor(legal, picked = [], move = null, several = false) {
    this.legal = legal;
    this.picked = picked;
    this.move = move;
    this.several = several;
    /** The ways that begin with what is picked. */
    this.open = legal.filter(({ places }) => picked.every((place, number) => places[number] === place));
    /** The places that a move can begin with. */
    this.starts = new Set(legal.flatMap(({ places }) => places.slice(0, 1)));
    /** The places that can come next; none before the first is picked, nor after a whole move. */
    this.targets = new Set(
      move || !picked.length ? [] : this.open.flatMap(({ places }) => places.slice(picked.length, picked.length + 1)),
    );
    /** The places where a move that begins so can end. */
    this.ends = new Set(move || !picked.length ? [] : this.open.flatMap(({ places }) => places.slice(-1)));
  }

  /**
   * Whether something is captured on the way to a target or an end.
   * @param {string} place
   */
  takes(place) {
    const next = this.picked.length;
    return this.open.some(
      ({ places, captured }) => captured.length > 0 && (places[next] === place || places.at(-1) === place),
    );
  }

  /**
   * What is picked after this place; what it cannot go on with, it begins anew with, or nothing is picked.
   * @param {string} place
   * @returns {MoveInput}
   */
  touch(place) {
    if (this.targets.has(place)) {
      return this.with([...this.picked, place]);
    }
    if (place === this.picked[0] || place === this.picked.at(-1)) {
      return this.with([]); // what is touched twice is put back
    }
    if (this.ends.has(place)) {
      return this.endedAt(place);
    }
    return this.with(this.starts.has(place) ? [place] : []);
  }

  /**
   * With this picked, and the move where it is a whole one.
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
   * With the move that ends here, where there is but one; ways that take the same are one move.
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
 * What a move from a known start comes to: two ways with the same are one move.
 * @param {MoveInfo} move
 */
function outcomeOf({ places, captured, crowns }) {
  return [places.at(-1), crowns, ...[...captured].sort()].join(" ");
}
