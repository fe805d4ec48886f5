// The list of the user's games on the start page.

import { errorText, fetchJson, RequestError, toQuery } from "../api.js";
import { capital, element, find } from "../ui.js";
import {
  getOpponent, opponentText, outcomeText, playerName, removeGame, storedGame, storedGames,
} from "./games.js";

/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("./games.js").StoredGame} StoredGame */

const FIRST_GAMES = 12; // older games are shown on demand
const MAX_REQUESTS = 4; // at the same time

/**
 * Show the stored games.
 * @param {Map<string, string>} titles the titles of the variants by their names
 */
export async function showMyGames(titles) {
  const games = storedGames();
  find("#my-games", HTMLElement).hidden = games.length === 0;
  const list = find("#my-games-list", HTMLElement);
  const items = games.map((game) => ({ game, item: element("li", { class: "panel my-game" }) }));
  list.replaceChildren(...items.slice(0, FIRST_GAMES).map(({ item }) => item));
  for (const { game, item } of items) {
    fill(item, game, game.title || "Game", "…");
  }
  await fetchAll(items.slice(0, FIRST_GAMES), titles);
  sortByTurn(list);
  const others = items.slice(FIRST_GAMES);
  if (others.length) {
    const button = element("button", { type: "button" }, `Show ${others.length} older games`);
    button.addEventListener("click", async () => {
      button.remove();
      list.append(...others.map(({ item }) => item));
      await fetchAll(others, titles);
    });
    list.after(button);
  }
}

/**
 * Fetch and show the state of games, a few at a time.
 * @param {{game: StoredGame, item: HTMLElement}[]} items
 * @param {Map<string, string>} titles
 */
async function fetchAll(items, titles) {
  const queue = [...items];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await fetchOne(next.game, next.item, titles);
    }
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
}

/**
 * @param {StoredGame} game
 * @param {HTMLElement} item
 * @param {Map<string, string>} titles
 */
async function fetchOne(game, item, titles) {
  const path = `/api/games/${encodeURIComponent(game.id)}`;
  try {
    /** @type {GameState} */
    const state = await fetchJson("GET", path, { key: game.key ?? undefined });
    const title = titles.get(state.variant) ?? state.variant;
    const isMine = !state.outcome && state.actions.includes("move");
    item.dataset.order = state.outcome ? "2" : isMine ? "0" : "1";
    item.classList.toggle("is-mine", isMine);
    fill(item, game, title, statusText(state), state);
  } catch (error) {
    item.dataset.order = "3";
    const gone = error instanceof RequestError && error.status === 404;
    const text = gone ? "The server no longer has this game." : (errorText(error) ?? String(error));
    fill(item, game, game.title || "Game", text);
    item.toggleAttribute("data-gone", gone);
  }
}

/** @param {GameState} state */
function statusText(state) {
  if (state.outcome) {
    const asked = state.actions.includes("decline") ? "Your friend asks for a rematch" : "";
    const news = state.next && !storedGame(state.next) ? "The rematch has started" : asked;
    return [outcomeText(state), news].filter((part) => part).join(". ");
  }
  if (state.you.length === 1) {
    return state.you.includes(state.turn) ? "Your turn" : opponentStatus(state);
  }
  return `${capital(state.turn)} to move`;
}

/** @param {GameState} state a game in which the opponent is to move */
function opponentStatus(state) {
  if (state.problem) {
    return capital(state.problem);
  }
  const who = getOpponent(state) === "engine" ? playerName(state, state.turn) : "The computer";
  return state.thinking ? `${who} is thinking` : "Their turn";
}

/**
 * @param {HTMLElement} item
 * @param {StoredGame} game
 * @param {string} title
 * @param {string} status
 * @param {GameState} [state]
 */
function fill(item, game, title, status, state) {
  const below = state?.you.length === 1 ? state.you[0] : undefined;
  const shape = { size: 160, ...(below ? { orientation: below } : {}) };
  const picture = state && element("img", { src: `/api/board.svg?${toQuery(state, shape)}`, alt: "", loading: "lazy" });
  item.replaceChildren(
    element(
      "a",
      { href: `/game/${encodeURIComponent(game.id)}` },
      element("span", { class: "my-game-picture" }, picture),
      element(
        "span",
        { class: "my-game-text" },
        element("strong", {}, title),
        element("span", { class: "muted" }, state ? capital(opponentText(state)) : ""),
        element("span", { class: "my-game-state" }, status),
      ),
    ),
    createRemoveButton(item, game, title, state ? !state.outcome && state.you.length > 0 : game.key !== null),
  );
}

/**
 * Create the button that removes a game. It asks for confirmation if the user plays in the game.
 * @param {HTMLElement} item
 * @param {StoredGame} game
 * @param {string} title
 * @param {boolean} isPlayer
 */
function createRemoveButton(item, game, title, isPlayer) {
  const label = `Remove ${title} from the list`;
  const button = element("button", { type: "button", class: "quiet remove", "aria-label": label }, "✕");
  const cancel = () => {
    button.classList.remove("danger");
    button.textContent = "✕";
    button.setAttribute("aria-label", label);
  };
  button.addEventListener("click", () => {
    if (isPlayer && !("gone" in item.dataset) && !button.classList.contains("danger")) {
      button.classList.add("danger");
      button.textContent = "Leave game?";
      button.setAttribute("aria-label", `Leave ${title}? You cannot rejoin it.`);
      button.addEventListener("blur", () => item.contains(button) && cancel(), { once: true });
      return;
    }
    removeGame(game.id);
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    if (next) {
      find("a", HTMLElement, next).focus();
    } else {
      find("#my-games", HTMLElement).hidden = true;
    }
  });
  return button;
}

/** @param {HTMLElement} list */
function sortByTurn(list) {
  const items = [...list.children].filter((item) => item instanceof HTMLElement);
  items.sort((one, other) => Number(one.dataset.order) - Number(other.dataset.order));
  list.append(...items);
}
