// What the page of a game says. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as words from "../../../python/tablemen/web/page/play/words.js";

const { formatTime, moveWords, opponentOf, playerName, query, reasonWords, resultWords } = words;

const person = { kind: "person", level: null, connected: true };
const computer = { kind: "computer", level: 3, connected: true };

/** A game as far as these words need it. */
function state(you, players, outcome = null) {
  return { you, players, outcome };
}

test("times have tenths at the end and hours at the beginning", () => {
  assert.deepEqual([3723, 272, 59.2, 10].map(formatTime), ["1:02:03", "4:32", "1:00", "0:10"]);
  assert.deepEqual([9.96, 3.25, 0].map(formatTime), ["0:09.9", "0:03.2", "0:00.0"]);
});

test("moves of draughts", () => {
  const move = { places: ["32", "28"], captured: [], crowns: false };
  assert.equal(moveWords(move, "draughts"), "32 to 28");
  const capture = { places: ["19", "28", "37"], captured: ["23", "32"], crowns: true };
  assert.equal(moveWords(capture, "draughts"), "19 takes 28 takes 37, 2 captured, crowned");
});

test("moves of mancala", () => {
  const move = { text: "3", places: ["3"], captured_seeds: 0, extra_turn: true };
  assert.equal(moveWords(move, "mancala"), "house 3, moves again");
  assert.equal(moveWords({ ...move, captured_seeds: 1, extra_turn: false }, "mancala"), "house 3, captures 1 seed");
  assert.equal(moveWords({ ...move, text: "swap", places: ["swap"], extra_turn: false }, "mancala"), "swaps sides");
});

test("players are called by what they are to who looks", () => {
  const machine = { white: person, black: computer };
  assert.deepEqual(["white", "black"].map((side) => playerName(state(["white"], machine), side)), ["You", "Computer"]);
  const friends = { white: person, black: person };
  assert.deepEqual(["white", "black"].map((side) => playerName(state(["black"], friends), side)), ["Friend", "You"]);
  assert.equal(playerName(state([], friends), "white"), "White");
  assert.equal(playerName(state(["white", "black"], friends), "black"), "Black");
  assert.deepEqual([machine, friends].map((players) => opponentOf(state(["white"], players))), ["computer", "link"]);
  assert.equal(opponentOf(state(["white", "black"], friends)), "screen");
});

test("results are those of who looks", () => {
  const players = { white: person, black: computer };
  const won = (winner) => ({ winner, text: "White wins, 30 to 18: no seeds left" });
  assert.equal(resultWords(state(["white"], players, won("white"))), "You won");
  assert.equal(resultWords(state(["white"], players, won("black"))), "You lost");
  assert.equal(resultWords(state([], players, won("black"))), "Computer won");
  assert.equal(resultWords(state(["white"], players, won(null))), "A draw");
  assert.equal(reasonWords(state([], players, won("white"))), "30 to 18, no seeds left");
  const flag = { winner: "white", text: "White wins: Black’s time is up" };
  assert.equal(reasonWords(state([], players, flag)), "Black’s time is up");
});

test("an address asks for what is given alone", () => {
  const subject = { variant: "kalah", houses: 4, seeds: null, position: "<a b>" };
  assert.equal(query(subject, { size: 160 }), "variant=kalah&houses=4&position=%3Ca+b%3E&size=160");
});
