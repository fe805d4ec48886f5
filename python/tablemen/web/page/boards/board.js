// The board of a variant, as an element for any page.
//
// The board sounds by itself what it shows: moves, captures, crowns and seeds. Pages sound the rest (`sounds.js`).

import { DraughtsBoard } from "./draughts-board.js";
import { MancalaBoard } from "./mancala-board.js";

/** @typedef {import("../api-types").VariantInfo} VariantInfo */

customElements.define("draughts-board", DraughtsBoard);
customElements.define("mancala-board", MancalaBoard);

/**
 * A board for a variant; nothing lies on it yet.
 * @param {VariantInfo} facts
 */
export function createBoard(facts) {
  const board = facts.board.kind === "draughts" ? new DraughtsBoard() : new MancalaBoard();
  board.setUp(facts);
  return board;
}
