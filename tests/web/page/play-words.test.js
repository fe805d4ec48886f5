// What the pages say of variants, of players and of their turns.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnWords } from "../../../python/tablemen/web/page/play/status.js";
import { noteWords, opponentOf, opponentWords, playerName, resultWords } from "../../../python/tablemen/web/page/play/words.js";

test("a note is told without the names that its rules have for scripts", () => {
  assert.equal(noteWords("Who begins is drawn by lot (`first`); so it is."), "Who begins is drawn by lot; so it is.");
  assert.equal(noteWords("Two accounts (as here), or equal (`king_landing`, `precedence`)."), "Two accounts (as here), or equal.");
  assert.equal(noteWords("The rules of `irving`."), "The rules of irving.");
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
  assert.equal(opponentWords(state), "against You");
  assert.equal(turnWords(state), "You is thinking…");
  assert.equal(turnWords(gameAgainst({ thinking: false })), "You’s turn");
  assert.equal(turnWords(gameAgainst({ problem: "You has gone" })), "You does not move");
  assert.equal(turnWords(gameAgainst({ turn: "white" })), "Your turn");
});

test("who lost against a program, and who watched", () => {
  const outcome = { winner: "black", termination: "resignation", text: "Black wins: resignation", score: null };
  assert.equal(resultWords(gameAgainst({ outcome })), "You lost");
  assert.equal(resultWords(gameAgainst({ outcome, you: [] })), "You won"); // that is its name
  assert.equal(resultWords(gameAgainst({ outcome: { ...outcome, winner: "white" } })), "You won");
});
