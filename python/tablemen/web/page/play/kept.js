// The games that this browser knows, and the keys of its seats in them.

import { keep, setting } from "../shell.js";

/**
 * A game that this browser plays, or watched. `key` moves its own side; `invite` is the key that a friend gets.
 * @typedef {{id: string, key: string | null, invite: string | null, title: string, since: number}} KeptGame
 */

/**
 * All of them, the newest first.
 * @returns {KeptGame[]}
 */
export function keptGames() {
  try {
    const games = JSON.parse(setting("games", "[]"));
    return Array.isArray(games) ? games.filter((game) => typeof game?.id === "string") : [];
  } catch {
    return []; // somebody else wrote there
  }
}

/** @param {string} id */
export function keptGame(id) {
  return keptGames().find((game) => game.id === id);
}

/**
 * Put a game first in the list, or change what is known of it.
 * @param {KeptGame} game
 */
export function keepGame(game) {
  const others = keptGames().filter(({ id }) => id !== game.id);
  keep("games", JSON.stringify([game, ...others]));
}

/** @param {string} id */
export function forgetGame(id) {
  keep("games", JSON.stringify(keptGames().filter((game) => game.id !== id)));
}

/**
 * The key that this page has: the one of its address, that of this tab, or the one that the browser keeps.
 *
 * A key in the address is kept and taken out of it: whoever copies the address from the bar gives away a look at the
 * game and not the seat. The tab has a memory of its own, so that both links of a game can be open in one browser.
 * @param {string} id
 * @returns {string | null}
 */
export function takeKey(id) {
  const given = decodeURIComponent(location.hash.slice(1));
  if (!given) {
    return tabKey(id) ?? keptGame(id)?.key ?? null;
  }
  const kept = keptGame(id);
  if (!kept?.key) {
    keepGame({ id, key: given, invite: kept?.invite ?? null, title: kept?.title ?? "", since: Date.now() });
  }
  keepTabKey(id, given);
  if (keptGame(id)?.key === given || tabKey(id) === given) {
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given;
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
