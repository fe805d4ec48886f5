// Moves and positions in words, for those who hear them.

import { capital } from "../dom.js";

/** @typedef {import("../wire").MoveFacts} MoveFacts */
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
 * "3 mistakes", "1 mistake".
 * @param {number} number
 * @param {string} one
 * @param {string} several
 */
export function count(number, one, several) {
  return `${number} ${number === 1 ? one : several}`;
}
