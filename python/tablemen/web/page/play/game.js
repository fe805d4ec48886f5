// The game page: load the game, find the user's key, and connect the buttons and keys.

import { fetchJson, fetchVariant, RequestError, showError } from "../api.js";
import { layOutFrame } from "../boards/board.js";
import { capital, copy, element, find, saveSetting, setting } from "../ui.js";
import { GameView } from "./game-view.js";
import {
  gameAddress, getMachine, getOpponent, keyInAddress, keysFor, otherSide, storeCreated, storedGame, storeKey, storeNext,
} from "./games.js";
import { showInvite, showNext } from "./panels.js";

/** @typedef {import("../api-types").CreatedGame} CreatedGame */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").NewGame} NewGame */
/** @typedef {{previous: () => void, next: () => void, first: () => void, last: () => void}} Steps */

const MAX_OPENING = 400; // moves; the server accepts no more for a new game
const STEP_KEYS = /** @type {const} */ ({
  ArrowLeft: "previous",
  ArrowRight: "next",
  ArrowUp: "previous",
  ArrowDown: "next",
  Home: "first",
  End: "last",
  Escape: "last",
});
/** @type {Record<string, string>} */
const BUTTON_KEYS = { f: "#flip", h: "#hint", u: "#takeback", "?": "#show-help" };
/** The ids of games in which the other player has connected since this page was opened. @type {Set<string>} */
const joinedGames = new Set();

/**
 * Fetch a game with the key that the server accepts for it.
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

/** Return the id of the game in the address. */
function gameId() {
  const name = location.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // not a valid id; the server refuses it
  }
}

async function start() {
  const id = gameId();
  const { state, key } = await findGame(id);
  const facts = await fetchVariant(state);
  const frame = find("#table", HTMLElement);
  layOutFrame(frame, facts);
  frame.hidden = false;
  if (keyInAddress() !== null && keyInAddress() !== key) {
    showWrongKey(state);
  }
  if (key !== null) {
    storeKey(id, key, facts.title);
  }
  let { next } = state;
  const view = new GameView(facts, state, key, () => {
    showFriend(view, key);
    if (view.state.next !== next) {
      ({ next } = view.state);
      if (storeNextKey(view, key)) {
        location.assign(find("#next-game", HTMLAnchorElement).href); // players follow an accepted rematch
      }
    }
  });
  showFriend(view, key);
  connectButtons(view, key);
}

/**
 * Show that the key in the address is not valid.
 * @param {GameState} state
 */
function showWrongKey({ you }) {
  const sides = you.map(capital).join(" and ");
  const role = you.length ? `You play ${sides} with the key stored in this browser` : "You are watching";
  const notice = find("#wrong-key", HTMLElement);
  notice.textContent = `The key in this link is not valid. ${role}.`;
  notice.hidden = false;
}

/**
 * Store the key for the rematch.
 * @param {GameView} view
 * @param {string | null} key
 * @returns {boolean} whether the user plays in the rematch
 */
function storeNextKey({ state }, key) {
  if (state.next === null || key === null) {
    return false;
  }
  storeNext(state.id, state.next, key);
  return true;
}

/**
 * Show the invite link to the creator of the game, and the link to the rematch.
 * @param {GameView} view
 * @param {string | null} key
 */
function showFriend(view, key) {
  const { state } = view;
  const stored = storedGame(state.id);
  const isCreator = Boolean(stored?.invite) && stored?.key === key && state.you.length === 1;
  const friend = otherSide(state, state.you[0] ?? "");
  const hasMoved = view.record.plies.some(({ side }) => side === friend);
  const hasJoined = joinedGames.has(state.id) || stored?.isRematch || state.players[friend]?.connected || hasMoved;
  if (hasJoined) {
    joinedGames.add(state.id);
  }
  showInvite(state, isCreator && stored ? gameAddress(state.id, stored.invite) : null, Boolean(hasJoined));
  showNext(state, gameAddress(state.next ?? state.id, key));
}

/**
 * @param {GameView} view
 * @param {string | null} key
 */
function connectButtons(view, key) {
  const { viewer } = view;
  const steps = {
    first: () => view.look(0),
    previous: () => view.look(viewer.at - 1),
    next: () => view.look(viewer.at + 1),
    last: () => view.look(view.record.plies.length),
  };
  for (const [name, step] of Object.entries(steps)) {
    find(`#go-${name}`, HTMLElement).addEventListener("click", step);
  }
  onClick("#return", () => {
    steps.last();
    view.board.focus();
  });
  onClick("#flip", () => view.flip());
  onClick("#next-game", () => void storeNextKey(view, key));
  onClick("#rematch", () => void (getOpponent(view.state) === "link" ? view.act("rematch") : rematch(view)));
  onClick("#retry", () => void view.act("retry"));
  onClick("#use-computer", () => void continueWithComputer(view));
  onClick("#copy-position", () => void copy(view.record.stateAt(viewer.at).position, "Position"));
  onClick("#copy-watch", () => void copy(gameAddress(view.state.id), "Spectator link"));
  onClick("#invite-copy", () => void copy(find("#invite-link", HTMLInputElement).value, "Link"));
  onClick("#copy-invite", () => void copy(find("#invite-link", HTMLInputElement).value, "Invite link"));
  onClick("#copy-seat", () => void copy(gameAddress(view.state.id, key), "Your link"));
  find("#copy-seat", HTMLElement).hidden = !key;
  find("#invite-link", HTMLInputElement).addEventListener("focus", ({ target }) => {
    if (target instanceof HTMLInputElement) {
      target.select();
    }
  });
  listenToKeys(steps);
  listenToTyping(view);
}

/**
 * @param {string} selector
 * @param {() => void} act
 */
function onClick(selector, act) {
  find(selector, HTMLElement).addEventListener("click", act);
}

/** @param {GameView} view */
function listenToTyping(view) {
  const field = find("#typed", HTMLInputElement);
  const problem = find("#typed-problem", HTMLElement);
  field.addEventListener("input", () => (problem.hidden = true));
  field.addEventListener("keydown", ({ key }) => key === "Escape" && field.blur());
  find("#typing", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || view.sent !== null) {
      return;
    }
    await view.viewer.go(view.record.plies.length);
    const error = await view.move(text);
    problem.textContent = capital(error ?? "");
    problem.hidden = error === null;
    if (error === null) {
      field.value = "";
    }
  });
}

/**
 * Create a rematch against the computer, against an engine or on this device, with the sides exchanged.
 * @param {GameView} view
 */
async function rematch(view) {
  const { state, record } = view;
  const opponent = getOpponent(state);
  const machine = getMachine(state);
  const side = opponent === "screen" ? null : otherSide(state, state.you[0] ?? "");
  const moves = record.plies.slice(0, state.opening).map(({ move }) => move.full);
  await createGame(view, { opponent, level: machine?.level ?? undefined, engine: machine?.name ?? null, side, moves });
}

/**
 * Create a game against the computer from the current position, after an engine has failed.
 * @param {GameView} view
 */
async function continueWithComputer(view) {
  const { state, record } = view;
  const { plies } = record;
  const isLong = plies.length > MAX_OPENING;
  const from = isLong ? { position: state.position } : { moves: plies.map(({ move }) => move.full) };
  await createGame(view, { opponent: "computer", side: state.you[0] ?? null, ...from });
}

/**
 * Create another game of this variant, and open the page of that game.
 * @param {GameView} view
 * @param {Omit<NewGame, "variant">} wanted
 */
async function createGame({ state, facts }, wanted) {
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

/**
 * Handle the keyboard shortcuts. Keys in text fields are ignored. The board handles its own keys, unless the user has
 * used the pointer since the last Tab.
 * @param {Steps} steps
 */
function listenToKeys(steps) {
  const help = find("#help", HTMLDialogElement);
  const letters = find("#letters", HTMLInputElement);
  letters.checked = setting("letters", "on") === "on";
  letters.addEventListener("change", () => saveSetting("letters", letters.checked ? "on" : "off"));
  find("#show-help", HTMLElement).addEventListener("click", () => help.showModal());
  find("#close-help", HTMLElement).addEventListener("click", () => help.close());
  let isPointing = false;
  addEventListener("pointerdown", () => (isPointing = true), true);
  addEventListener(
    "keydown",
    (event) => {
      isPointing &&= event.key !== "Tab";
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (isOther || help.open || isTyping(event.target) || isOfBoard(event, isPointing)) {
        return;
      }
      if (useKey(event.key, steps, letters.checked)) {
        event.preventDefault();
        if (event.target instanceof Element && event.target.closest("#board")) {
          event.stopPropagation(); // the board uses arrow keys too
        }
      }
    },
    true,
  );
}

/**
 * Return whether the board handles a key: cursor keys if it was focused by keyboard, Escape if a place is selected.
 * @param {KeyboardEvent} event
 * @param {boolean} isPointing
 */
function isOfBoard({ key, target }, isPointing) {
  const board = target instanceof Element ? target.closest("#board") : null;
  if (board === null || !(key in STEP_KEYS)) {
    return false;
  }
  return key === "Escape" ? board.querySelector('[aria-selected="true"]') !== null : !isPointing;
}

/**
 * @param {string} key
 * @param {Steps} steps
 * @param {boolean} withLetters
 */
function useKey(key, steps, withLetters) {
  const step = STEP_KEYS[/** @type {keyof typeof STEP_KEYS} */ (key)];
  if (step) {
    steps[step]();
    return true;
  }
  if (!withLetters) {
    return false;
  }
  if (key === "m") {
    find("#typed", HTMLInputElement).focus();
    return true;
  }
  const selector = BUTTON_KEYS[key];
  const button = selector ? find(selector, HTMLButtonElement) : null;
  if (!button || button.disabled || button.hidden) {
    return false;
  }
  button.click();
  return true;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].some((kind) => target instanceof kind);
}

window.addEventListener("hashchange", () => keyInAddress() !== null && location.reload()); // another key for this game
start().catch((error) => {
  const isGone = error instanceof RequestError && error.status === 404;
  const gone = "Game not found. The link may be incomplete, or the game was deleted.";
  const text = isGone ? gone : error instanceof Error ? error.message : String(error);
  find("#missing-text", HTMLElement).replaceChildren(element("strong", {}, text));
  find("#missing", HTMLElement).hidden = false;
});
