// Moves and positions in words, for those who hear them.

import { capital, moveText } from "../ui.js";

/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").ScoreInfo} ScoreInfo */

/** What the marks of a judged game mean, for one of them and for several. @type {Map<string, [string, string]>} */
export const MARKS = new Map([
  ["?!", ["inaccuracy", "inaccuracies"]],
  ["?", ["mistake", "mistakes"]],
  ["??", ["blunder", "blunders"]],
]);

/**
 * A move as it is said: "White: 32 takes 23, 1 captured".
 * @param {TreeNode} node
 */
export function sayMove({ move, side, comment }) {
  if (!move) {
    return "Start";
  }
  return [`${capital(side)}: ${moveText(move)}`, comment].filter(Boolean).join(", ");
}

/**
 * A score where there is little room: `+0.35`, `−6`, and `−#5` where the second side wins with its fifth move from here.
 * As everywhere on the page it is that of the first side.
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
 * The values of moves to the side to move as those of the first side, which scores are of everywhere else.
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
