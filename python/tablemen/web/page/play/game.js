// The page of a game: finds it, sits down at its table with the key that this browser has, and what is around it.

import { fetchJson, fetchVariant, RequestError, showError } from "../api.js";
import { layOutFrame } from "../boards/board.js";
import { capital, copy, find } from "../ui.js";
import { GameView } from "./game-view.js";
import { listenToKeys } from "./keys.js";
import { showInvite, showNext } from "./status.js";
import { gameAddress, givenKey, keysFor, settleKey, storeCreated, storedGame, storeNext } from "./storage.js";
import { machineOf, opponentOf, otherSide } from "./text.js";

/** @typedef {import("../api-types").CreatedGame} CreatedGame */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").NewGame} NewGame */

const LONGEST_OPENING = 400; // moves that the server lets a game begin with

/**
 * The game, and the key of this browser that fits it.
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
 * The name of the game that a page is of; what is no text stays as it is, and no game is called so.
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
    tellWrongKey(state);
  }
  if (key !== null) {
    settleKey(id, key, facts.title);
  }
  let { next } = state;
  const table = new GameView(facts, state, key, () => {
    showFriend(table, key);
    if (table.state.next !== next) {
      ({ next } = table.state);
      goOn(table, key);
    }
  });
  showFriend(table, key);
  connectButtons(table, key);
}

/**
 * The link was for nobody: this browser watches, or plays with the key that it has.
 * @param {GameState} state
 */
function tellWrongKey({ you }) {
  const doing = you.length ? `play ${you.join(" and ")} with the key that this browser has` : "are watching";
  const notice = find("#wrong-key", HTMLElement);
  notice.textContent = `This link’s key fits no side of this game; you ${doing}.`;
  notice.hidden = false;
}

/**
 * A rematch was accepted while this page was open: the players go there by themselves.
 * @param {GameView} table
 * @param {string | null} key
 */
function goOn(table, key) {
  if (keepSeat(table, key)) {
    location.assign(find("#next-game", HTMLAnchorElement).href);
  }
}

/**
 * Keep the seat in the game that follows, for who has one.
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
 * The friend's link, for the one who made the game; and the way to the game that follows.
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

/** Games whose other player was there while this page was open. @type {Set<string>} */
const hasMet = new Set();

/**
 * @param {GameView} table
 * @param {string | null} key
 */
function connectButtons(table, key) {
  const { viewer } = table;
  const steps = {
    first: () => table.look(0),
    previous: () => table.look(viewer.at - 1),
    next: () => table.look(viewer.at + 1),
    last: () => table.look(table.record.plies.length),
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
  onClick("#use-computer", () => void goOnWithComputer(table));
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
 * The same again with the sides changed, against the computer, a program or on this screen.
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
 * A game like this one against the computer, from where it is: for who waits for a program in vain.
 * @param {GameView} table
 */
async function goOnWithComputer(table) {
  const { state, record } = table;
  const { plies } = record;
  const isLong = plies.length > LONGEST_OPENING;
  const from = isLong ? { position: state.position } : { moves: plies.map(({ move }) => move.full) };
  await begin(table, { opponent: "computer", side: state.you[0] ?? null, ...from });
}

/**
 * Begin another game by the rules of this one, and go there.
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

window.addEventListener("hashchange", () => givenKey() !== null && location.reload()); // a link of the same game
start().catch((error) => {
  const isGone = error instanceof RequestError && error.status === 404;
  GameView.showMissing(isGone ? "There is no such game here." : error instanceof Error ? error.message : String(error));
});
