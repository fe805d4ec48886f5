// The record of a game and its description in text. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { noteText, opponentOf, opponentText, playerName, GameRecord, resultText } from "../../../python/tablemen/web/page/play/games.js";
import { turnText } from "../../../python/tablemen/web/page/play/panels.js";

const BOARD = { white: { men: ["32"], kings: [] }, black: { men: [], kings: ["28"] } };
const START = { position: "start", turn: "white", board: BOARD };

/** A move of a side that takes these squares. */
function ply(side, text, { captured = [], board = BOARD } = {}) {
  return { side, position: `${side} ${text}`, turn: side, board, move: { text, full: text, places: [], captured } };
}

/** What the server says, with the plies from a number on. */
function state(plies, since = 0) {
  return { start: START, since, plies };
}

test("a tail is put behind what was known", () => {
  const record = new GameRecord(state([ply("white", "a"), ply("black", "b")]));
  assert.equal(record.update(state([ply("white", "c")], 2)), 2);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a", "b", "c"]);
});

test("moves that were taken back are gone, and others stand in their place", () => {
  const record = new GameRecord(state([ply("white", "a"), ply("black", "b"), ply("white", "c")]));
  assert.equal(record.update(state([], 1)), 1);
  assert.equal(record.plies.length, 1);
  assert.equal(record.update(state([ply("black", "d")], 1)), 1);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a", "d"]);
});

test("a whole game that comes again changes nothing", () => {
  const plies = [ply("white", "a"), ply("black", "b")];
  const record = new GameRecord(state(plies));
  assert.equal(record.update(state([...plies])), 2);
  assert.equal(record.update(state([plies[0], ply("black", "c")])), 1);
});

test("a tail whose beginning is not known is not taken", () => {
  const record = new GameRecord(state([ply("white", "a")]));
  assert.equal(record.update(state([ply("white", "c")], 2)), null);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a"]);
});

test("a round has the moves of both sides, and a side that moves again stays in its cell", () => {
  const sides = ["south", "south", "north", "south", "north", "north"];
  const record = new GameRecord(state(sides.map((side, number) => ply(side, String(number)))));
  const cells = record.rounds("south").map((round) => round.cells);
  assert.deepEqual(cells, [[[1, 2], [3]], [[4], [5, 6]]]);
});

test("a game that the second side begins has an empty cell at first", () => {
  const record = new GameRecord(state([ply("black", "a"), ply("white", "b")]));
  assert.deepEqual(record.rounds("white").map((round) => round.cells), [[[], [1]], [[2], []]]);
});

test("captured pieces are counted by what they were", () => {
  const after = { white: { men: ["23"], kings: [] }, black: { men: ["19"], kings: [] } };
  const first = ply("white", "32x23", { captured: ["28"], board: after });
  const record = new GameRecord(state([first, ply("white", "23x14", { captured: ["19"] })]));
  assert.deepEqual(record.captured("white", 1), { men: 0, kings: 1 });
  assert.deepEqual(record.captured("white", 2), { men: 1, kings: 1 });
  assert.deepEqual(record.captured("black", 2), { men: 0, kings: 0 });
  assert.equal(record.stateAt(0), START);
});

test("a note is told without the names that its rules have for scripts", () => {
  assert.equal(noteText("Who begins is drawn by lot (`first`); so it is."), "Who begins is drawn by lot; so it is.");
  assert.equal(noteText("Two accounts (as here), or equal (`king_landing`, `precedence`)."), "Two accounts (as here), or equal.");
  assert.equal(noteText("The rules of `irving`."), "The rules of irving.");
});

/** A game of the one who looks at it, as White, against a program. @param {object} more */
function gameAgainst(more) {
  const players = {
    white: { kind: "person", level: null, name: null, connected: true },
    black: { kind: "engine", level: null, name: "You", connected: true }, // whatever the operator calls it
  };
  return /** @type {any} */ ({ you: ["white"], turn: "black", players, outcome: null, thinking: true, problem: null, ...more });
}

test("a program is called by its name", () => {
  const state = gameAgainst({});
  assert.equal(playerName(state, "black"), "You");
  assert.equal(opponentOf(state), "engine");
  assert.equal(opponentText(state), "against You");
  assert.equal(turnText(state), "You is thinking…");
  assert.equal(turnText(gameAgainst({ thinking: false })), "You’s turn");
  assert.equal(turnText(gameAgainst({ problem: "You has gone" })), "You does not move");
  assert.equal(turnText(gameAgainst({ turn: "white" })), "Your turn");
});

test("who lost against a program, and who watched", () => {
  const outcome = { winner: "black", termination: "resignation", text: "Black wins: White resigned", score: null };
  assert.equal(resultText(gameAgainst({ outcome })), "You lost");
  assert.equal(resultText(gameAgainst({ outcome, you: [] })), "You won"); // that is its name
  assert.equal(resultText(gameAgainst({ outcome: { ...outcome, winner: "white" } })), "You won");
});
