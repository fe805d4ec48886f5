// The games that this browser knows, and the keys of its seats in them.

import { saveSetting, setting } from "../ui.js";

/**
 * A game that this browser plays, or watched. `key` moves its own side; `invite` is the key that a friend gets, who
 * has it already where the game is a rematch.
 * @typedef {{
 *   id: string, key: string | null, invite: string | null, title: string, since: number, isRematch?: boolean
 * }} KeptGame
 */

const KEY = /^[\w-]+$/; // anything else is none, and cannot be sent
const BETWEEN = "."; // one's own key and the friend's, in an address
const PAIR = /^[\w-]+\.[\w-]+$/;

/**
 * All of them, the newest first.
 * @returns {KeptGame[]}
 */
export function storedGames() {
  try {
    const games = JSON.parse(setting("games", "[]"));
    return Array.isArray(games) ? games.filter((game) => typeof game?.id === "string") : [];
  } catch {
    return []; // somebody else wrote there
  }
}

/** @param {string} id */
export function storedGame(id) {
  return storedGames().find((game) => game.id === id);
}

/**
 * Put a game first in the list, or change what is known of it.
 * @param {KeptGame} game
 * @returns {boolean} whether the browser keeps it
 */
function keepGame(game) {
  const others = storedGames().filter(({ id }) => id !== game.id);
  return saveSetting("games", JSON.stringify([game, ...others]));
}

/** @param {string} id */
export function forgetGame(id) {
  saveSetting("games", JSON.stringify(storedGames().filter((game) => game.id !== id)));
}

/**
 * What the address of this page has for a key, if anything: it may be cut short, or have more to it.
 * @returns {string | null}
 */
export function givenKey() {
  const given = location.hash.slice(1);
  if (given === "" || document.getElementById(given)) {
    return null; // or it is a place on the page
  }
  return PAIR.test(given) ? (given.split(BETWEEN)[0] ?? null) : given;
}

/**
 * The friend's key, which stands behind one's own where a browser keeps nothing.
 * @returns {string | null}
 */
function givenInvite() {
  const given = location.hash.slice(1);
  return PAIR.test(given) ? (given.split(BETWEEN)[1] ?? null) : null;
}

/**
 * The keys that may fit a game, the likeliest first: the one of the address, that of this tab, the one that is kept.
 * The tab has a memory of its own, so that both links of a game can be open in one browser.
 * @param {string} id
 */
export function keysFor(id) {
  const keys = [givenKey(), tabKey(id), storedGame(id)?.key];
  return [...new Set(keys.filter((key) => typeof key === "string").filter((key) => KEY.test(key)))];
}

/**
 * Keep the key that fits, and take it out of the address: whoever copies the address from the bar gives away a look at
 * the game and not the seat. Where a browser keeps nothing, the address keeps it.
 * @param {string} id
 * @param {string} key
 * @param {string} title of the variant
 */
export function settleKey(id, key, title) {
  const kept = storedGame(id);
  const invite = givenInvite();
  let isKept = true;
  if (!kept?.key) {
    isKept = keepGame({ id, key, invite, title, since: Date.now() });
  } else if (kept.title !== title) {
    isKept = keepGame({ ...kept, title });
  }
  keepTabKey(id, key);
  const isKnown = (isKept && storedGame(id)?.key === key) || (invite === null && tabKey(id) === key);
  if (givenKey() === key && isKnown) {
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
function keepTabKey(id, key) {
  try {
    sessionStorage.setItem(`tablemen.key.${id}`, key);
  } catch {
    // the address keeps it
  }
}

/**
 * The address of a game, with a key for whoever is to play there.
 * @param {string} id
 * @param {string | null} [key]
 */
export function gameAddress(id, key = null) {
  return `${location.origin}/game/${encodeURIComponent(id)}${key ? `#${encodeURIComponent(key)}` : ""}`;
}

/**
 * Keep a game that was just made.
 * @param {import("../api-types").CreatedGame} created
 * @param {string} opponent
 * @param {string} title
 * @returns {string} where it is played
 */
export function storeCreated(created, opponent, title) {
  const { id, keys, side } = created;
  const key = keys[side] ?? null;
  const other = Object.keys(keys).find((name) => name !== side);
  const invite = opponent === "link" && other !== undefined ? (keys[other] ?? null) : null;
  const isKept = keepGame({ id, key, invite, title, since: Date.now() });
  const keysToGive = [key, isKept ? null : invite].filter((each) => each !== null).map(encodeURIComponent);
  return `/game/${encodeURIComponent(id)}${keysToGive.length ? `#${keysToGive.join(BETWEEN)}` : ""}`;
}

/**
 * Keep the key of a game for the one that follows, where it moves the other side.
 * @param {string} id
 * @param {string} next
 * @param {string} key
 */
export function storeNext(id, next, key) {
  const kept = storedGame(id);
  if (kept?.key === key && !storedGame(next)) {
    keepGame({ ...kept, id: next, since: Date.now(), isRematch: true });
  }
  keepTabKey(next, key);
}
