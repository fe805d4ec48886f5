// Games: the record of the moves, descriptions for the user, and the games and keys stored in this browser.

import { capital, saveSetting, setting } from "../ui.js";

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */

const KEY = /^[\w-]+$/; // a key that may be valid
const KEY_SEPARATOR = "."; // between the user's key and the friend's key in an address
const KEY_PAIR = /^[\w-]+\.[\w-]+$/;

/** The moves of a game, collected from messages that contain only the new moves. */
export class GameRecord {
  /** @param {GameState} state the whole game */
  constructor(state) {
    this.state = state;
    /** @type {PlyState[]} */
    this.plies = state.plies;
  }

  /**
   * Update the record with a message of the server.
   * @param {GameState} state
   * @returns {number | null} the number of unchanged moves, or null if moves before the new ones are missing
   */
  update(state) {
    if (state.since > this.plies.length) {
      return null;
    }
    const plies = [...this.plies.slice(0, state.since), ...state.plies];
    let same = state.since;
    for (; same < this.plies.length && same < plies.length; same += 1) {
      const [before, after] = [this.plies[same], plies[same]];
      if (before?.move.full !== after?.move.full || before?.position !== after?.position) {
        break;
      }
    }
    this.state = state;
    this.plies = plies;
    return same;
  }

  /**
   * Return the position after a number of moves.
   * @param {number} count
   * @returns {PositionState}
   */
  stateAt(count) {
    return this.plies[count - 1] ?? this.state.start;
  }

  /**
   * Return how many men and kings a side has captured in the first moves.
   * @param {string} side
   * @param {number} count the number of moves
   */
  captured(side, count) {
    const taken = { men: 0, kings: 0 };
    this.plies.slice(0, count).forEach((ply, number) => {
      if (ply.side !== side) {
        return;
      }
      const { board } = this.stateAt(number);
      const kings = Object.values(board).flatMap((placed) => ("kings" in placed ? placed.kings : []));
      for (const square of ply.move.captured) {
        taken[kings.includes(square) ? "kings" : "men"] += 1;
      }
    });
    return taken;
  }

  /**
   * Return the moves in rounds with a cell for each side. Moves of an extra turn share a cell.
   * @param {string} first the side that moves first in this variant
   * @returns {{cells: [number[], number[]]}[]} the numbers of the plies, from 1
   */
  rounds(first) {
    /** @type {{cells: [number[], number[]]}[]} */
    const rounds = [];
    this.plies.forEach((ply, number) => {
      const column = ply.side === first ? 0 : 1;
      const last = rounds.at(-1);
      if (!last || (column === 0 && last.cells[1].length)) {
        rounds.push({ cells: column === 0 ? [[number + 1], []] : [[], [number + 1]] });
      } else {
        last.cells[column].push(number + 1);
      }
    });
    return rounds;
  }
}

/**
 * Return the name of a player from the user's point of view.
 * @param {GameState} state
 * @param {string} side
 */
export function playerName(state, side) {
  const player = state.players[side];
  if (player?.kind === "computer") {
    return "Computer";
  }
  if (player?.kind === "engine") {
    return player.name ?? "Engine";
  }
  if (state.you.length !== 1) {
    return capital(side); // both sides on this device, or a spectator
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
 * Return the computer or the engine that plays, if there is one.
 * @param {GameState} state
 */
export function getMachine(state) {
  return Object.values(state.players).find(({ kind }) => kind !== "person");
}

/**
 * Return the kind of opponent, as in `NewGame`. For spectators of two players it is `link`.
 * @param {GameState} state
 * @returns {"computer" | "screen" | "link" | "engine"}
 */
export function getOpponent(state) {
  const { kind } = getMachine(state) ?? {};
  if (kind === "computer" || kind === "engine") {
    return kind;
  }
  return state.you.length === 2 ? "screen" : "link";
}

/**
 * Describe the opponent: `against the computer, level 3`.
 * @param {GameState} state
 */
export function opponentText(state) {
  const machine = getMachine(state);
  if (machine) {
    return machine.kind === "engine" ? `against ${machine.name}` : `against the computer, level ${machine.level}`;
  }
  if (state.you.length === 0) {
    return "between two other players";
  }
  return state.you.length === 2 ? "on this device" : "against a friend";
}

/**
 * Return the note of a variant without the names of rule options.
 * @param {string} note such as "The first side is drawn by lot (`first`)."
 */
export function noteText(note) {
  return note.replaceAll(/ \(`\w+`(?:, `\w+`)*\)/g, "").replaceAll("`", "");
}

/**
 * Return the result from the user's point of view: `You won`, `You lost`, `Draw`, `White won`.
 * @param {GameState} state
 */
export function resultText(state) {
  const winner = state.outcome?.winner;
  if (!winner) {
    return "Draw";
  }
  if (state.you.length === 1 && !state.you.includes(winner)) {
    return "You lost";
  }
  return `${playerName(state, winner)} won`;
}

/**
 * Return why the game ended, with the score if seeds were counted: `Black has no pieces left`, `by agreement`.
 * @param {GameState} state
 */
export function reasonText(state) {
  const [result = "", ...reason] = (state.outcome?.text ?? "").split(": ");
  const [, score] = result.split(", ");
  const decision = reason.length ? "" : (/\bby .+$/.exec(result)?.[0] ?? "");
  return [score, reason.join(": "), decision].filter((part) => part).join(", ");
}

/**
 * Return the result with the reason: `You won: Black has no pieces left`, `Draw by agreement`.
 * @param {GameState} state
 */
export function outcomeText(state) {
  const reason = reasonText(state);
  return `${resultText(state)}${reason && !reason.startsWith("by ") ? ":" : ""} ${reason}`.trim();
}

/**
 * A game that the user plays or watches. `key` is the user's key, `invite` is the friend's key.
 * @typedef {{
 *   id: string, key: string | null, invite: string | null, title: string, since: number, isRematch?: boolean
 * }} StoredGame
 */

/**
 * Return the stored games, newest first.
 * @returns {StoredGame[]}
 */
export function storedGames() {
  try {
    const games = JSON.parse(setting("games", "[]"));
    return Array.isArray(games) ? games.filter((game) => typeof game?.id === "string") : [];
  } catch {
    return []; // not valid JSON
  }
}

/** @param {string} id */
export function storedGame(id) {
  return storedGames().find((game) => game.id === id);
}

/**
 * Store a game as the newest. It replaces a game with the same id.
 * @param {StoredGame} game
 * @returns {boolean} whether the browser stored it
 */
function storeGame(game) {
  const others = storedGames().filter(({ id }) => id !== game.id);
  return saveSetting("games", JSON.stringify([game, ...others]));
}

/** @param {string} id */
export function removeGame(id) {
  saveSetting("games", JSON.stringify(storedGames().filter((game) => game.id !== id)));
}

/**
 * Return the key in the address of this page. It may be invalid.
 * @returns {string | null}
 */
export function keyInAddress() {
  const fragment = location.hash.slice(1);
  if (fragment === "" || document.getElementById(fragment)) {
    return null; // the fragment may also be the id of an element
  }
  return KEY_PAIR.test(fragment) ? (fragment.split(KEY_SEPARATOR)[0] ?? null) : fragment;
}

/**
 * Return the keys to try for a game: from the address, from this tab, and from the stored games. Each tab stores its
 * own key, so that both sides of a game can be open in one browser.
 * @param {string} id
 */
export function keysFor(id) {
  const keys = [keyInAddress(), tabKey(id), storedGame(id)?.key];
  return [...new Set(keys.filter((key) => typeof key === "string").filter((key) => KEY.test(key)))];
}

/**
 * Store the key of a game and remove it from the address, so that users who share the address do not share their key.
 * If the browser cannot store the key, it stays in the address.
 * @param {string} id
 * @param {string} key
 * @param {string} title of the variant
 */
export function storeKey(id, key, title) {
  const stored = storedGame(id);
  const fragment = location.hash.slice(1);
  const invite = KEY_PAIR.test(fragment) ? (fragment.split(KEY_SEPARATOR)[1] ?? null) : null;
  let isStored = true;
  if (!stored?.key) {
    isStored = storeGame({ id, key, invite, title, since: Date.now() });
  } else if (stored.title !== title) {
    isStored = storeGame({ ...stored, title });
  }
  storeTabKey(id, key);
  const isKnown = (isStored && storedGame(id)?.key === key) || (invite === null && tabKey(id) === key);
  if (keyInAddress() === key && isKnown) {
    history.replaceState(null, "", location.pathname + location.search);
  }
}

/** @param {string} id */
function tabKey(id) {
  try {
    return sessionStorage.getItem(`tablemen.key.${id}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} id
 * @param {string} key
 */
function storeTabKey(id, key) {
  try {
    sessionStorage.setItem(`tablemen.key.${id}`, key);
  } catch {
    // the key stays in the address
  }
}

/**
 * Return the address of a game, with a key for a player.
 * @param {string} id
 * @param {string | null} [key]
 */
export function gameAddress(id, key = null) {
  return `${location.origin}/game/${encodeURIComponent(id)}${key ? `#${encodeURIComponent(key)}` : ""}`;
}

/**
 * Store a game that was created.
 * @param {import("../api-types").CreatedGame} created
 * @param {string} opponent
 * @param {string} title
 * @returns {string} the path of the game, with the keys that could not be stored
 */
export function storeCreated(created, opponent, title) {
  const { id, keys, side } = created;
  const key = keys[side] ?? null;
  const other = Object.keys(keys).find((name) => name !== side);
  const invite = opponent === "link" && other !== undefined ? (keys[other] ?? null) : null;
  const isStored = storeGame({ id, key, invite, title, since: Date.now() });
  const addressKeys = [key, isStored ? null : invite].filter((each) => each !== null).map(encodeURIComponent);
  return `/game/${encodeURIComponent(id)}${addressKeys.length ? `#${addressKeys.join(KEY_SEPARATOR)}` : ""}`;
}

/**
 * Store the key of a game for its rematch, in which the user plays the other side.
 * @param {string} id
 * @param {string} next
 * @param {string} key
 */
export function storeNext(id, next, key) {
  const stored = storedGame(id);
  if (stored?.key === key && !storedGame(next)) {
    storeGame({ ...stored, id: next, since: Date.now(), isRematch: true });
  }
  storeTabKey(next, key);
}
