// Moves and scores as text, for screens and screen readers.

import { capital, moveText } from "../text.js";

/** @typedef {import("../api-types").ScoreInfo} ScoreInfo */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** The names of the marks of a review, singular and plural. @type {Map<string, [string, string]>} */
export const MARKS = new Map([
  ["?!", ["inaccuracy", "inaccuracies"]],
  ["?", ["mistake", "mistakes"]],
  ["??", ["blunder", "blunders"]],
]);

/**
 * Format a move for screen readers: "White: 32 takes 23, 1 captured".
 * @param {TreeNode} node
 */
export function announcedMove({ move, side, comment }) {
  if (!move) {
    return "Start";
  }
  return [`${capital(side)}: ${moveText(move)}`, comment].filter(Boolean).join(", ");
}

/**
 * Format a score in little space: `+0.35`, `−6`, and `−#5` if the second side wins with its fifth move from here.
 * As everywhere on the page, it is that of the first side.
 * @param {ScoreInfo} score
 * @param {number} chances of the first side
 */
export function shortScore({ text, value, plies }, chances) {
  if (value !== null) {
    return withMinus(text);
  }
  const isWon = chances >= 0.5;
  if (plies === 0) {
    return isWon ? "1–0" : "0–1";
  }
  return `${isWon ? "+" : "−"}#${plies === null ? "" : Math.ceil(plies / 2)}`;
}

/**
 * Convert the values of moves for the side to move to those of the first side, as all other scores.
 * @param {Record<string, number>} values
 * @param {boolean} isFirst whether the first side is to move
 */
export function writeValues(values, isFirst) {
  return Object.fromEntries(
    Object.entries(values).map(([move, value]) => {
      const shown = isFirst ? value : -value;
      return [move, shown > 0 ? `+${shown}` : withMinus(String(shown))];
    }),
  );
}

/** @param {string} text */
function withMinus(text) {
  return text === "-0" ? "0" : text.replace(/^-/, "−");
}
