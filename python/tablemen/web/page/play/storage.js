// The games stored in this browser, with their keys.

import { saveSetting, setting } from "../settings.js";

/**
 * A game that this browser plays or has watched. `key` moves its own side; `invite` is the friend's key,
 * which the friend has already if the game is a rematch.
 * @typedef {{
 *   id: string, key: string | null, invite: string | null, title: string, since: number, isRematch?: boolean
 * }} KeptGame
 */

const KEY = /^[\w-]+$/; // anything else is invalid and cannot be sent
const BETWEEN = "."; // one's own key and the friend's key in an address
const PAIR = /^[\w-]+\.[\w-]+$/;

/**
 * All games, the newest first.
 * @returns {KeptGame[]}
 */
export function storedGames() {
  try {
    const games = JSON.parse(setting("games", "[]"));
    return Array.isArray(games) ? games.filter((game) => typeof game?.id === "string") : [];
  } catch {
    return []; // another program has used the name
  }
}

/** @param {string} id */
export function storedGame(id) {
  return storedGames().find((game) => game.id === id);
}

/**
 * Put a game first in the list, or update it.
 * @param {KeptGame} game
 * @returns {boolean} whether it was stored
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
 * Parse the key of this page's address, if there is one; it may be cut off or have a suffix.
 * @returns {string | null}
 */
export function givenKey() {
  const given = location.hash.slice(1);
  if (given === "" || document.getElementById(given)) {
    return null; // otherwise it is an anchor
  }
  return PAIR.test(given) ? (given.split(BETWEEN)[0] ?? null) : given;
}

/**
 * The friend's key, which follows one's own if the browser has no storage.
 * @returns {string | null}
 */
function givenInvite() {
  const given = location.hash.slice(1);
  return PAIR.test(given) ? (given.split(BETWEEN)[1] ?? null) : null;
}

/**
 * The keys that may fit a game, the most likely first: from the address, this tab, and the storage.
 * Each tab has its own storage, so that both links of a game can be open in one browser.
 * @param {string} id
 */
export function keysFor(id) {
  const keys = [givenKey(), tabKey(id), storedGame(id)?.key];
  return [...new Set(keys.filter((key) => typeof key === "string").filter((key) => KEY.test(key)))];
}

/**
 * Store the key that fits, and remove it from the address, so that a copied address allows watching
 * and not playing. Without storage, the key stays in the address.
 * @param {string} id
 * @param {string} key
 * @param {string} title of the variant
 */
export function storeKey(id, key, title) {
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
    // the key stays in the address
  }
}

/**
 * Return the address of a game, with the key for a player.
 * @param {string} id
 * @param {string | null} [key]
 */
export function gameAddress(id, key = null) {
  return `${location.origin}/game/${encodeURIComponent(id)}${key ? `#${encodeURIComponent(key)}` : ""}`;
}

/**
 * Store a game that was just created.
 * @param {import("../api-types").CreatedGame} created
 * @param {string} opponent
 * @param {string} title
 * @returns {string} its address
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
 * Store the key of a game for the next one, in which it moves the other side.
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
