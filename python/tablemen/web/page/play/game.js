// The page of a game: loads it with the key of this browser, and connects the buttons.

import { RequestError, fetchJson } from "../api.js";
import { layOutFrame } from "../boards/board.js";
import { copy } from "../clipboard.js";
import { showError } from "../errors.js";
import { find } from "../dom.js";
import { fetchVariant } from "../position-spec.js";
import { capital } from "../text.js";
import { gameAddress, givenKey, storeCreated, storeNext, storedGame, keysFor, storeKey } from "./storage.js";
import { listenToKeys } from "./keys.js";
import { showInvite, showNext } from "./status.js";
import { GameView } from "./game-view.js";
import { machineOf, opponentOf, otherSide } from "./text.js";

/** @typedef {import("../api-types").CreatedGame} CreatedGame */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").NewGame} NewGame */

const MAX_OPENING = 400; // maximum number of moves before a new game begins

/**
 * Load the game, and find the key of this browser that fits.
 * @param {string} id
 * @returns {Promise<{state: GameState, key: string | null}>}
 */
async function findGame(id) {
  const path = `/api/games/${encodeURIComponent(id)}`;
  for (const key of keysFor(id)) {
    try {
      return { state: await fetchJson("GET", path, { key }), key };
    } catch (error) {
      if (!(error instanceof RequestError) || (error.status !== 403 && error.status !== 401)) {
        throw error;
      }
    }
  }
  return { state: await fetchJson("GET", path), key: null };
}

/**
 * Parse the id of the game from the path; a malformed one is returned unchanged, and not found.
 * @param {string} path
 */
function idOf(path) {
  const name = path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function start() {
  const id = idOf(location.pathname);
  const { state, key } = await findGame(id);
  const facts = await fetchVariant(state);
  const frame = find("#table", HTMLElement);
  layOutFrame(frame, facts);
  frame.hidden = false;
  if (givenKey() !== null && givenKey() !== key) {
    explainWrongKey(state);
  }
  if (key !== null) {
    storeKey(id, key, facts.title);
  }
  let { next } = state;
  const table = new GameView(facts, state, key, () => {
    showFriend(table, key);
    if (table.state.next !== next) {
      ({ next } = table.state);
      openNext(table, key);
    }
  });
  showFriend(table, key);
  connectButtons(table, key);
}

/**
 * Explain that the key of the link does not fit: this browser watches, or plays with its own key.
 * @param {GameState} state
 */
function explainWrongKey({ you }) {
  const doing = you.length ? `play ${you.join(" and ")} with the key that this browser has` : "are watching";
  const notice = find("#wrong-key", HTMLElement);
  notice.textContent = `This link’s key fits no side of this game; you ${doing}.`;
  notice.hidden = false;
}

/**
 * Go to the next game after an accepted rematch.
 * @param {GameView} table
 * @param {string | null} key
 */
function openNext(table, key) {
  if (keepSeat(table, key)) {
    location.assign(find("#next-game", HTMLAnchorElement).href);
  }
}

/**
 * Store the key for the next game, if this browser has one.
 * @param {GameView} table
 * @param {string | null} key
 */
function keepSeat({ state }, key) {
  if (state.next === null || key === null) {
    return false;
  }
  storeNext(state.id, state.next, key);
  return true;
}

/**
 * Show the friend's link to the creator of the game, and the link to the next game.
 * @param {GameView} table
 * @param {string | null} key
 */
function showFriend(table, key) {
  const { state } = table;
  const kept = storedGame(state.id);
  const isMaker = Boolean(kept?.invite) && kept?.key === key && state.you.length === 1;
  const friend = otherSide(state, state.you[0] ?? "");
  const hasMoved = table.record.plies.some(({ side }) => side === friend);
  const hasCome = hasMet.has(state.id) || kept?.isRematch || state.players[friend]?.connected || hasMoved;
  if (hasCome) {
    hasMet.add(state.id);
  }
  showInvite(state, isMaker && kept ? gameAddress(state.id, kept.invite) : null, Boolean(hasCome));
  showNext(state, gameAddress(state.next ?? state.id, key));
}

/** Games whose other player has connected. @type {Set<string>} */
const hasMet = new Set();

/**
 * @param {GameView} table
 * @param {string | null} key
 */
function connectButtons(table, key) {
  const { viewer } = table;
  const steps = {
    first: () => table.goTo(0),
    previous: () => table.goTo(viewer.at - 1),
    next: () => table.goTo(viewer.at + 1),
    last: () => table.goTo(table.record.plies.length),
  };
  for (const [name, step] of Object.entries(steps)) {
    find(`#go-${name}`, HTMLElement).addEventListener("click", step);
  }
  onClick("#return", () => {
    steps.last();
    table.board.focus();
  });
  onClick("#flip", () => table.flip());
  onClick("#next-game", () => void keepSeat(table, key));
  onClick("#rematch", () => void (opponentOf(table.state) === "link" ? table.act("rematch") : rematch(table)));
  onClick("#retry", () => void table.act("retry"));
  onClick("#use-computer", () => void continueWithComputer(table));
  onClick("#copy-position", () => void copy(table.record.scene(viewer.at).position, "Position"));
  onClick("#copy-watch", () => void copy(gameAddress(table.state.id), "Link to watch"));
  onClick("#invite-copy", () => void copy(find("#invite-link", HTMLInputElement).value, "Link"));
  onClick("#copy-invite", () => void copy(find("#invite-link", HTMLInputElement).value, "Friend’s link"));
  onClick("#copy-seat", () => void copy(gameAddress(table.state.id, key), "Your own link"));
  find("#copy-seat", HTMLElement).hidden = !key;
  find("#invite-link", HTMLInputElement).addEventListener("focus", ({ target }) => {
    if (target instanceof HTMLInputElement) {
      target.select();
    }
  });
  listenToKeys(steps);
  listenToTyping(table);
}

/**
 * @param {string} selector
 * @param {() => void} act
 */
function onClick(selector, act) {
  find(selector, HTMLElement).addEventListener("click", act);
}

/** @param {GameView} table */
function listenToTyping(table) {
  const field = find("#typed", HTMLInputElement);
  const problem = find("#typed-problem", HTMLElement);
  field.addEventListener("input", () => (problem.hidden = true));
  field.addEventListener("keydown", ({ key }) => key === "Escape" && field.blur());
  find("#typing", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || table.sent !== null) {
      return;
    }
    await table.viewer.go(table.record.plies.length);
    const error = await table.move(text);
    problem.textContent = capital(error ?? "");
    problem.hidden = error === null;
    if (error === null) {
      field.value = "";
    }
  });
}

/**
 * Start a rematch with sides swapped, against the computer, an engine or on this screen.
 * @param {GameView} table
 */
async function rematch(table) {
  const { state, record } = table;
  const opponent = opponentOf(state);
  const machine = machineOf(state);
  const side = opponent === "screen" ? null : otherSide(state, state.you[0] ?? "");
  const moves = record.plies.slice(0, state.opening).map(({ move }) => move.full);
  await begin(table, { opponent, level: machine?.level ?? undefined, engine: machine?.name ?? null, side, moves });
}

/**
 * Continue from this position against the computer, if an engine does not respond.
 * @param {GameView} table
 */
async function continueWithComputer(table) {
  const { state, record } = table;
  const { plies } = record;
  const isLong = plies.length > MAX_OPENING;
  const from = isLong ? { position: state.position } : { moves: plies.map(({ move }) => move.full) };
  await begin(table, { opponent: "computer", side: state.you[0] ?? null, ...from });
}

/**
 * Create another game with the settings of this one, and open it.
 * @param {GameView} table
 * @param {Omit<NewGame, "variant">} wanted
 */
async function begin({ state, facts }, wanted) {
  /** @type {NewGame} */
  const body = {
    variant: state.variant,
    houses: state.houses,
    seeds: state.seeds,
    position: state.start.position === facts.start ? null : state.start.position,
    clock: state.clock?.control ?? null,
    ...wanted,
  };
  try {
    /** @type {CreatedGame} */
    const created = await fetchJson("POST", "/api/games", { body });
    location.assign(storeCreated(created, wanted.opponent ?? "", facts.title));
  } catch (error) {
    showError(error);
  }
}

window.addEventListener("hashchange", () => givenKey() !== null && location.reload()); // a link to the same game
start().catch((error) => {
  const isGone = error instanceof RequestError && error.status === 404;
  GameView.showMissing(isGone ? "There is no such game here." : error instanceof Error ? error.message : String(error));
});
