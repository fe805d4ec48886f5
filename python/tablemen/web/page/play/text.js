// What the pages say of players, moves and games.

import { capital } from "../ui.js";

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PositionState} PositionState */

export const TENTHS_BELOW = 10; // seconds on a clock

/**
 * Who plays a side, as the one who looks at the page would say.
 * @param {GameState} state
 * @param {string} side
 */
export function playerName(state, side) {
  const seat = state.players[side];
  if (seat?.kind === "computer") {
    return "Computer";
  }
  if (seat?.kind === "engine") {
    return seat.name ?? "Program";
  }
  if (state.you.length !== 1) {
    return capital(side); // a shared screen, or somebody who watches
  }
  return state.you.includes(side) ? "You" : "Friend";
}

/**
 * @param {GameState} state
 * @param {string} side
 */
export function otherSide(state, side) {
  return Object.keys(state.players).find((name) => name !== side) ?? side;
}

/**
 * The computer, or the program that plays, if one does.
 * @param {GameState} state
 */
export function machineOf(state) {
  return Object.values(state.players).find((seat) => seat.kind !== "person");
}

/**
 * What kind of opponent a game has, as `NewGame` says it; nothing is known of who watches.
 * @param {GameState} state
 * @returns {"computer" | "screen" | "link" | "engine"}
 */
export function opponentOf(state) {
  const { kind } = machineOf(state) ?? {};
  if (kind === "computer" || kind === "engine") {
    return kind;
  }
  return state.you.length === 2 ? "screen" : "link";
}

/**
 * Against whom, in a few words.
 * @param {GameState} state
 */
export function opponentText(state) {
  const machine = machineOf(state);
  if (machine) {
    return machine.kind === "engine" ? `against ${machine.name}` : `against the computer, level ${machine.level}`;
  }
  if (state.you.length === 0) {
    return "between two others";
  }
  return state.you.length === 2 ? "on this screen" : "against a friend";
}

/**
 * What is to be known of a variant, without the names that its rules have for scripts.
 * @param {string} note `Who begins is drawn by lot (`first`)`
 */
export function noteText(note) {
  return note.replaceAll(/ \(`\w+`(?:, `\w+`)*\)/g, "").replaceAll("`", "");
}

/**
 * How a game ended for whoever looks at it: `You won`, `You lost`, `A draw`, `White won`.
 * @param {GameState} state
 */
export function resultText(state) {
  const winner = state.outcome?.winner;
  if (!winner) {
    return "A draw";
  }
  if (state.you.length === 1 && !state.you.includes(winner)) {
    return "You lost";
  }
  return `${playerName(state, winner)} won`;
}

/**
 * Why it ended, with the seeds of both sides where they were counted: the whole sentence without who won.
 * @param {GameState} state
 */
export function reasonText(state) {
  const [result = "", ...reason] = (state.outcome?.text ?? "").split(":");
  const [, score] = result.split(", ");
  return [score, reason.join(":").trim()].filter((part) => part).join(", ");
}

/**
 * How many pieces of a side lie on the board, or how many seeds in its store.
 * @param {PositionState} scene
 * @param {string} side
 */
export function strength(scene, side) {
  /** @type {Partial<import("../api-types").DraughtsSide & import("../api-types").MancalaSide>} */
  const { store, men = [], kings = [] } = scene.board[side] ?? {};
  return store ?? men.length + kings.length;
}

/**
 * A time as clocks show it: the second that has begun counts; the last ones with tenths.
 * @param {number} seconds
 */
export function formatTime(seconds) {
  if (seconds < TENTHS_BELOW) {
    return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  }
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
