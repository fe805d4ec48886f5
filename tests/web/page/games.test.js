// Tests of the record of a game, and of its descriptions for the user. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { GameRecord, getOpponent, noteText, opponentText, outcomeText, playerName, reasonText, resultText } from "../../../python/tablemen/web/page/play/games.js";
import { turnText } from "../../../python/tablemen/web/page/play/panels.js";

const BOARD = { white: { men: ["32"], kings: [] }, black: { men: [], kings: ["28"] } };
const START = { position: "start", turn: "white", board: BOARD };

/** Create a ply of a side that captures the pieces on some squares. */
function ply(side, text, { captured = [], board = BOARD } = {}) {
  return { side, position: `${side} ${text}`, turn: side, board, move: { text, full: text, places: [], captured } };
}

/** Create a state of the server with the plies from a number on. */
function state(plies, since = 0) {
  return { start: START, since, plies };
}

test("new moves are appended to the known moves", () => {
  const record = new GameRecord(state([ply("white", "a"), ply("black", "b")]));
  assert.equal(record.update(state([ply("white", "c")], 2)), 2);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a", "b", "c"]);
});

test("moves that were taken back are removed and can be replaced", () => {
  const record = new GameRecord(state([ply("white", "a"), ply("black", "b"), ply("white", "c")]));
  assert.equal(record.update(state([], 1)), 1);
  assert.equal(record.plies.length, 1);
  assert.equal(record.update(state([ply("black", "d")], 1)), 1);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a", "d"]);
});

test("an update with the whole game returns the number of unchanged moves", () => {
  const plies = [ply("white", "a"), ply("black", "b")];
  const record = new GameRecord(state(plies));
  assert.equal(record.update(state([...plies])), 2);
  assert.equal(record.update(state([plies[0], ply("black", "c")])), 1);
});

test("an update after missing moves is rejected", () => {
  const record = new GameRecord(state([ply("white", "a")]));
  assert.equal(record.update(state([ply("white", "c")], 2)), null);
  assert.deepEqual(record.plies.map((each) => each.move.text), ["a"]);
});

test("a round has a cell for each side, which extra turns share", () => {
  const sides = ["south", "south", "north", "south", "north", "north"];
  const record = new GameRecord(state(sides.map((side, number) => ply(side, String(number)))));
  const cells = record.rounds("south").map((round) => round.cells);
  assert.deepEqual(cells, [[[1, 2], [3]], [[4], [5, 6]]]);
});

test("the first round has an empty cell if the second side begins", () => {
  const record = new GameRecord(state([ply("black", "a"), ply("white", "b")]));
  assert.deepEqual(record.rounds("white").map((round) => round.cells), [[[], [1]], [[2], []]]);
});

test("captured men and kings are counted separately", () => {
  const after = { white: { men: ["23"], kings: [] }, black: { men: ["19"], kings: [] } };
  const first = ply("white", "32x23", { captured: ["28"], board: after });
  const record = new GameRecord(state([first, ply("white", "23x14", { captured: ["19"] })]));
  assert.deepEqual(record.captured("white", 1), { men: 0, kings: 1 });
  assert.deepEqual(record.captured("white", 2), { men: 1, kings: 1 });
  assert.deepEqual(record.captured("black", 2), { men: 0, kings: 0 });
  assert.equal(record.stateAt(0), START);
});

test("names of rule options are removed from notes", () => {
  assert.equal(noteText("The first side is drawn by lot (`first`)."), "The first side is drawn by lot.");
  assert.equal(noteText("Two accounts (as here), or equal (`king_landing`, `precedence`)."), "Two accounts (as here), or equal.");
  assert.equal(noteText("The rules of `irving`."), "The rules of irving.");
});

/** Create a game that the user plays as White against an engine. @param {object} more */
function gameAgainst(more) {
  const players = {
    white: { kind: "person", level: null, name: null, connected: true },
    black: { kind: "engine", level: null, name: "You", connected: true }, // the operator chooses the name
  };
  return /** @type {any} */ ({ you: ["white"], turn: "black", players, outcome: null, thinking: true, problem: null, ...more });
}

test("an engine is called by its name", () => {
  const state = gameAgainst({});
  assert.equal(playerName(state, "black"), "You");
  assert.equal(getOpponent(state), "engine");
  assert.equal(opponentText(state), "against You");
  assert.equal(turnText(state), "You is thinking…");
  assert.equal(turnText(gameAgainst({ thinking: false })), "You’s turn");
  assert.equal(turnText(gameAgainst({ problem: "You is not running" })), "You cannot move");
  assert.equal(turnText(gameAgainst({ turn: "white" })), "Your turn");
});

test("the result depends on whether the user plays or watches", () => {
  const outcome = { winner: "black", termination: "resignation", text: "Black wins: White resigned", score: null };
  assert.equal(resultText(gameAgainst({ outcome })), "You lost");
  assert.equal(resultText(gameAgainst({ outcome, you: [] })), "You won"); // the name of the engine
  assert.equal(resultText(gameAgainst({ outcome: { ...outcome, winner: "white" } })), "You won");
  assert.equal(resultText(gameAgainst({ outcome: { ...outcome, winner: null } })), "Draw");
});

test("the reason is the part of the outcome after the result", () => {
  const texts = (winner, text) => {
    const state = gameAgainst({ outcome: { winner, termination: "", text, score: null } });
    return [reasonText(state), outcomeText(state)];
  };
  assert.deepEqual(texts("white", "White wins: Black resigned"), ["Black resigned", "You won: Black resigned"]);
  assert.deepEqual(texts("black", "Black wins, 25 to 7: too few seeds"), ["25 to 7, too few seeds", "You lost: 25 to 7, too few seeds"]);
  assert.deepEqual(texts(null, "Draw by agreement"), ["by agreement", "Draw by agreement"]);
  assert.deepEqual(texts(null, "Draw"), ["", "Draw"]);
});
