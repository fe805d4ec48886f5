// Texts of all pages: counted nouns, and moves for screen readers.

/** @typedef {import("./api-types").MoveInfo} MoveInfo */

/**
 * Capitalise a word.
 * @param {string} word
 */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * "3 seeds", "1 seed".
 * @param {number} number
 * @param {string} one
 * @param {string} [several]
 */
export function count(number, one, several = `${one}s`) {
  return `${number} ${number === 1 ? one : several}`;
}

/**
 * Format a move for screen readers: `19 takes 28, 1 captured`, `house 3, moves again`.
 * @param {MoveInfo} move
 */
export function moveText({ places, captured, crowns, captured_seeds: seeds, extra_turn: isAgain }) {
  const parts = [pathText(places, captured.length > 0)];
  if (captured.length) {
    parts.push(`${captured.length} captured`);
  }
  if (crowns) {
    parts.push("crowned");
  }
  if (seeds) {
    parts.push(`captures ${count(seeds, "seed")}`);
  }
  if (isAgain) {
    parts.push("moves again");
  }
  return parts.join(", ");
}

/**
 * @param {string[]} places
 * @param {boolean} isCapture
 */
function pathText(places, isCapture) {
  if (places.length > 1) {
    return places.join(isCapture ? " takes " : " to ");
  }
  return places[0] === "swap" ? "swaps sides" : `house ${places[0]}`;
}
