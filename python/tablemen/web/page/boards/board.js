// The board element of a variant, for any page.
//
// Boards play the sounds of moves, captures, crowns and seeds themselves. Pages play the rest (`sounds.js`).

import { DraughtsBoard } from "./draughts-board.js";
import { MancalaBoard } from "./mancala-board.js";

/** @typedef {import("../api-types").VariantInfo} VariantInfo */

customElements.define("draughts-board", DraughtsBoard);
customElements.define("mancala-board", MancalaBoard);

/** The board elements by the `kind` of a board's shape. @type {Record<string, typeof DraughtsBoard | typeof MancalaBoard>} */
const BOARDS = { draughts: DraughtsBoard, mancala: MancalaBoard };

/** @param {VariantInfo} facts */
function boardClass(facts) {
  const found = BOARDS[facts.board.kind];
  if (!found) {
    throw new Error(`this page cannot draw a board of ${facts.title}`);
  }
  return found;
}

/**
 * Create the empty board of a variant.
 * @param {VariantInfo} facts
 */
export function createBoard(facts) {
  const board = new (boardClass(facts))();
  board.setUp(facts);
  return board;
}

/**
 * Lay out the frame of a board for its proportions.
 * @param {HTMLElement} frame
 * @param {VariantInfo} facts
 */
export function layOutFrame(frame, facts) {
  const board = boardClass(facts);
  frame.dataset.layout = board.layout;
  frame.style.setProperty("--ratio", String(board.ratio(facts)));
}
