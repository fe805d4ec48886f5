// Texts about players, results and clocks.

import { capital } from "../text.js";

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PositionState} PositionState */

export const TENTHS_BELOW = 10; // seconds on a clock

/**
 * Return the name of a side's player from the user's point of view.
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
    return capital(side); // a shared screen, or a spectator
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
 * Return the computer or the engine that plays, if one does.
 * @param {GameState} state
 */
export function machineOf(state) {
  return Object.values(state.players).find((seat) => seat.kind !== "person");
}

/**
 * Return the kind of opponent, as in `NewGame`; unknown to a spectator.
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
 * Describe the opponent in a few words.
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
 * Return the note of a variant without the names of rule fields.
 * @param {string} note `Who begins is drawn by lot (`first`)`
 */
export function noteText(note) {
  return note.replaceAll(/ \(`\w+`(?:, `\w+`)*\)/g, "").replaceAll("`", "");
}

/**
 * Describe the result from the user's point of view: `You won`, `You lost`, `A draw`, `White won`.
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
 * Describe the reason and the score, without the winner.
 * @param {GameState} state
 */
export function reasonText(state) {
  const [result = "", ...reason] = (state.outcome?.text ?? "").split(":");
  const [, score] = result.split(", ");
  return [score, reason.join(":").trim()].filter((part) => part).join(", ");
}

/**
 * Count the pieces of a side on the board, or the seeds in its store.
 * @param {PositionState} scene
 * @param {string} side
 */
export function strength(scene, side) {
  /** @type {Partial<import("../api-types").DraughtsSide & import("../api-types").MancalaSide>} */
  const { store, men = [], kings = [] } = scene.board[side] ?? {};
  return store ?? men.length + kings.length;
}

/**
 * Format a time as clocks do: seconds are rounded up, the last ones have tenths.
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
