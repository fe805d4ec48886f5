// Moves and positions in words, for those who hear them.

import { capital } from "../dom.js";

/** @typedef {import("../wire").MoveFacts} MoveFacts */
/** @typedef {import("../wire").ScoreFacts} ScoreFacts */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

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
export function sayMove(node) {
  const { move, side, comment } = node;
  if (!move) {
    return "Start";
  }
  const parts = [`${capital(side)}: ${sayPlaces(move)}`];
  if (move.captured.length || move.captured_seeds) {
    parts.push(`${move.captured.length || move.captured_seeds} captured`);
  }
  if (move.crowns) {
    parts.push("crowned");
  }
  if (move.extra_turn) {
    parts.push("moves again");
  }
  if (comment) {
    parts.push(comment);
  }
  return parts.join(", ");
}

/** @param {MoveFacts} move */
function sayPlaces({ places, captured }) {
  if (places.length === 1) {
    return places[0] === "swap" ? "swaps sides" : `house ${places[0]}`;
  }
  return places.join(captured.length ? " takes " : " to ");
}

/**
 * A score where there is little room: `+0.35`, `−6`, and `−#5` where the second side wins with its fifth move from here.
 * As everywhere on the page it is that of the first side.
 * @param {ScoreFacts} score
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

/**
 * "3 mistakes", "1 mistake".
 * @param {number} number
 * @param {string} one
 * @param {string} several
 */
export function count(number, one, several) {
  return `${number} ${number === 1 ? one : several}`;
}
