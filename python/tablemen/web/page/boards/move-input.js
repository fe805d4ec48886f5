// Move input: selected places, pointer events and cursor keys.

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("./board.js").Board} Board */

const DRAG_DISTANCE = 5; // pixels

/**
 * The places of a move that the user has selected so far; immutable. A capture of several pieces can be entered jump by
 * jump, or by its last place. `move` is set when the move is complete.
 */
export class MoveInput {
  /**
   * @param {readonly MoveInfo[]} legal the legal moves; each path of a capture is a separate one
   * @param {readonly string[]} [picked]
   * @param {MoveInfo | null} [move]
   * @param {boolean} [isAmbiguous] whether different moves end at the last place that was touched
   */
  constructor(legal, picked = [], move = null, isAmbiguous = false) {
    this.legal = legal;
    this.picked = picked;
    this.move = move;
    this.isAmbiguous = isAmbiguous;
    /** The moves that begin with the selected places. */
    this.open = legal.filter(({ places }) => picked.every((place, number) => places[number] === place));
    /** The first places of the legal moves. */
    this.starts = new Set(legal.flatMap(({ places }) => places.slice(0, 1)));
    const begun = move || !picked.length ? [] : this.open;
    /** The possible next places of an incomplete move. */
    this.targets = new Set(begun.flatMap(({ places }) => places.slice(picked.length, picked.length + 1)));
    /** The possible last places of an incomplete move. */
    this.ends = new Set(begun.flatMap(({ places }) => places.slice(-1)));
  }

  /**
   * Return whether a move to a next or last place is a capture.
   * @param {string} place
   */
  takes(place) {
    const next = this.picked.length;
    return this.open.some(
      ({ places, captured }) => captured.length > 0 && (places[next] === place || places.at(-1) === place),
    );
  }

  /**
   * Return the input after the user touches a place. A place that does not continue the move begins another move or
   * clears the selection.
   * @param {string} place
   * @returns {MoveInput}
   */
  touch(place) {
    if (this.targets.has(place)) {
      return this.with([...this.picked, place]);
    }
    if (place === this.picked[0] || place === this.picked.at(-1)) {
      return this.with([]); // a second touch puts the piece back
    }
    if (this.ends.has(place)) {
      return this.withEnd(place);
    }
    return this.with(this.starts.has(place) ? [place] : []);
  }

  /**
   * Return the input with these places selected, and with the move if they make up a complete one.
   * @param {readonly string[]} picked
   * @returns {MoveInput}
   */
  with(picked) {
    const complete = this.legal.find(
      ({ places }) => places.length === picked.length && places.every((place, number) => picked[number] === place),
    );
    return new MoveInput(this.legal, picked, complete ?? null);
  }

  /**
   * Return the input with the only move that ends at a place. Paths that capture the same pieces count as one move.
   * @param {string} place
   * @returns {MoveInput}
   */
  withEnd(place) {
    const moves = this.open.filter(({ places }) => places.at(-1) === place);
    const results = moves.map(({ captured, crowns }) => [crowns, ...[...captured].sort()].join(" "));
    const [first] = moves;
    if (!first || new Set(results).size > 1) {
      return new MoveInput(this.legal, this.picked, null, true);
    }
    return new MoveInput(this.legal, first.places, first);
  }
}

/**
 * Convert clicks, taps and drags on a surface to input for a board. A piece is selected on pointerdown, and lifted when
 * the pointer moves away.
 * @param {HTMLElement} surface
 * @param {Board} board
 */
export function listenToPointers(surface, board) {
  /** @type {{id: number, place: string, x: number, y: number, isLifted: boolean} | null} */
  let held = null;
  let isDone = false; // whether to ignore the click that follows

  surface.addEventListener("pointerdown", (event) => {
    isDone = false;
    const place = board.placeAt(event.clientX, event.clientY);
    if (held || !event.isPrimary || event.button !== 0 || place === null) {
      return;
    }
    if (board.canLift(place)) {
      held = { id: event.pointerId, place, x: event.clientX, y: event.clientY, isLifted: false };
      isDone = board.press(place);
    }
  });

  surface.addEventListener("pointermove", (event) => {
    if (held?.id !== event.pointerId) {
      return;
    }
    if (!held.isLifted && Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG_DISTANCE) {
      held.isLifted = true;
      surface.setPointerCapture(event.pointerId);
      board.lift(held.place);
    }
    if (held.isLifted) {
      board.carry(event.clientX, event.clientY);
    }
  });

  surface.addEventListener("pointerup", (event) => {
    if (held?.id !== event.pointerId) {
      return;
    }
    const { place, isLifted } = held;
    held = null;
    if (isLifted) {
      isDone = true;
      board.drop(place, board.placeAt(event.clientX, event.clientY));
    }
  });

  /** @param {PointerEvent} event */
  const cancel = (event) => {
    if (held?.id === event.pointerId) {
      const { isLifted } = held;
      held = null;
      if (isLifted) {
        board.putBack();
      }
    }
  };
  surface.addEventListener("pointercancel", cancel);
  surface.addEventListener("lostpointercapture", (event) => {
    if (event.target === surface) {
      cancel(event); // a touch is first captured by its cell, which also fires this event
    }
  });

  surface.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-place]") : null;
    const place = target instanceof HTMLElement ? target.dataset.place : undefined;
    const wasDone = isDone;
    isDone = false;
    if (wasDone || (board.ignoresDoubleClicks && event.detail > 1)) {
      return;
    }
    if (place === undefined) {
      board.release();
    } else {
      board.touch(place);
    }
  });
}

/**
 * Return the place to which a key moves the cursor, or null if it is not a cursor key.
 * @param {{key: string, ctrlKey: boolean}} event
 * @param {string[][]} rows the places in the current orientation
 * @param {string} cursor
 * @param {(place: string) => boolean} isNext whether Page Up and Page Down stop there
 * @returns {string | null}
 */
export function nextPlace({ key, ctrlKey }, rows, cursor, isNext) {
  const number = rows.findLastIndex((row) => row.includes(cursor));
  const row = rows[number] ?? [];
  const along = row.indexOf(cursor);
  /** @param {string[] | undefined} line @param {number} index */
  const within = (line, index) => line?.[Math.min(Math.max(index, 0), line.length - 1)] ?? cursor;
  switch (key) {
    case "ArrowLeft":
      return within(row, along - 1);
    case "ArrowRight":
      return within(row, along + 1);
    case "ArrowUp":
      return within(rows[Math.max(number - 1, 0)], along);
    case "ArrowDown":
      return within(rows[Math.min(number + 1, rows.length - 1)], along);
    case "Home":
      return within(ctrlKey ? rows[0] : row, 0);
    case "End":
      return within(ctrlKey ? rows.at(-1) : row, Infinity);
    case "PageUp":
      return around(rows.flat().reverse(), cursor).find(isNext) ?? cursor;
    case "PageDown":
      return around(rows.flat(), cursor).find(isNext) ?? cursor;
    default:
      return null;
  }
}

/**
 * Return the other places in order, starting after the cursor and wrapping around.
 * @param {string[]} places
 * @param {string} cursor
 */
function around(places, cursor) {
  const here = places.indexOf(cursor);
  return [...places.slice(here + 1), ...places.slice(0, here)];
}
