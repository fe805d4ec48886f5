// Clicks, taps and drags on a board. A press picks a piece, and moving the pointer lifts it.

const FAR = 5; // pixels after which a press becomes a drag

/**
 * The callbacks of a board.
 * @typedef {object} Pointed
 * @property {(x: number, y: number) => string | null} placeAt the place at a point of the window
 * @property {boolean} isOnce whether the second click of a double click is ignored
 * @property {(place: string) => boolean} canLift
 * @property {(place: string) => boolean} press the pointer is pressed; returns whether a click has nothing left to do
 * @property {(place: string) => void} touch a click, or a tap
 * @property {(place: string) => void} lift
 * @property {(x: number, y: number) => void} carry
 * @property {(from: string, to: string | null) => void} drop
 * @property {() => void} cancelDrag a drag without a target
 * @property {() => void} release a click outside all places
 */

/**
 * Handle the pointers over an element.
 * @param {HTMLElement} surface
 * @param {Pointed} board
 */
export function listenToPointers(surface, board) {
  /** @type {{id: number, place: string, x: number, y: number, isLifted: boolean} | null} */
  let held = null;
  let isDone = false; // whether the following click is ignored

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
    if (!held.isLifted && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) {
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
  const lose = (event) => {
    if (held?.id === event.pointerId) {
      const { isLifted } = held;
      held = null;
      if (isLifted) {
        board.cancelDrag();
      }
    }
  };
  surface.addEventListener("pointercancel", lose);
  surface.addEventListener("lostpointercapture", (event) => {
    if (event.target === surface) {
      lose(event); // touch input is captured by the first target; the surface takes over
    }
  });

  surface.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-place]") : null;
    const place = target instanceof HTMLElement ? target.dataset.place : undefined;
    const wasDone = isDone;
    isDone = false;
    if (wasDone || (board.isOnce && event.detail > 1)) {
      return;
    }
    if (place === undefined) {
      board.release();
    } else {
      board.touch(place);
    }
  });
}
