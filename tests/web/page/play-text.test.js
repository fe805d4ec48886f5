// What the pages say of variants, of players and of their turns.

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnText } from "../../../python/tablemen/web/page/play/status.js";
import { noteText, opponentOf, opponentText, playerName, resultText } from "../../../python/tablemen/web/page/play/text.js";

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
  const outcome = { winner: "black", termination: "resignation", text: "Black wins: resignation", score: null };
  assert.equal(resultText(gameAgainst({ outcome })), "You lost");
  assert.equal(resultText(gameAgainst({ outcome, you: [] })), "You won"); // that is its name
  assert.equal(resultText(gameAgainst({ outcome: { ...outcome, winner: "white" } })), "You won");
});
