// What the page says of the game: whose turn it is, what is offered, what can be claimed, how it ended.

import { toQuery } from "../api.js";
import { capital, count, element, find } from "../ui.js";
import { opponentOf, opponentText, otherSide, playerName, reasonText, resultText } from "./text.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("./record.js").Record} GameRecord */

/** @type {Record<string, {verb: string, thing: string, news: string}>} */
const OFFERS = {
  draw: { verb: "offer", thing: "a draw", news: "A draw is offered." },
  takeback: { verb: "ask", thing: "to take back a move", news: "The other side asks to take back a move." },
  rematch: { verb: "ask", thing: "for a rematch", news: "The other side asks for a rematch." },
};
/** @type {Record<string, string>} */
const DECLINED = {
  draw: "The draw was declined.",
  takeback: "Your friend does not want the move taken back.",
  rematch: "The rematch was declined.",
};
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whose turn it is, in words.
 * @param {GameState} state
 */
export function turnText(state) {
  if (state.outcome) {
    return `${resultText(state)}: ${reasonText(state)}`;
  }
  const name = playerName(state, state.turn);
  const kind = state.players[state.turn]?.kind;
  if (kind === "computer" || kind === "engine") {
    const who = kind === "engine" ? name : "The computer";
    if (state.problem) {
      return `${who} does not move`;
    }
    return state.thinking ? `${who} is thinking…` : `${who}’s turn`;
  }
  if (name === "You") {
    return "Your turn";
  }
  if (name === "Friend") {
    return state.players[state.turn]?.connected ? "Your friend’s turn" : "Waiting for your friend";
  }
  return `${capital(state.turn)} to move`;
}

/**
 * @param {GameState} state
 * @param {VariantInfo} facts
 */
export function showStatus(state, facts) {
  const words = turnText(state);
  const status = find("#status", HTMLElement);
  status.textContent = state.outcome ? "Game over" : words;
  status.classList.toggle("is-yours", state.actions.includes("move"));
  const parts = [facts.title, sizeText(facts), state.clock?.control, state.you.length ? "" : "You are watching"];
  find("#about", HTMLElement).textContent = parts.filter((part) => part).join(" · ");
  find("#title", HTMLElement).textContent = `${facts.title}, ${opponentText(state)}`;
  document.title = `${state.outcome ? resultText(state) : words} · ${facts.title} · tablemen`;
  showResult(state);
}

/** @param {VariantInfo} facts */
function sizeText(facts) {
  return Object.entries(facts.size)
    .map(([plural, number]) => count(number, plural.replace(/s$/, ""), plural))
    .join(", ");
}

/** @param {GameState} state */
function showResult(state) {
  find("#result", HTMLElement).hidden = !state.outcome;
  if (state.outcome) {
    find("#result-words", HTMLElement).textContent = resultText(state);
    find("#result-reason", HTMLElement).textContent = capital(reasonText(state));
  }
}

/**
 * What the other side offers, with answers; what this one offered, to wait for; and what can be claimed.
 * @param {GameState} state
 * @param {(action: Action["action"]) => void} act
 */
export function showOffers(state, act) {
  const bar = find("#offer", HTMLElement);
  const offers = Object.entries(state.offers);
  bar.hidden = offers.length === 0;
  const parts = offers.map(([what, side]) => {
    const { verb, thing } = OFFERS[what] ?? { verb: "offer", thing: what };
    if (state.you.includes(side)) {
      return element("span", {}, `You ${verb} ${thing}. Your friend has not answered yet.`);
    }
    const name = playerName(state, side) === "Friend" ? "Your friend" : capital(side);
    return element("strong", {}, `${name} ${verb}s ${thing}.`);
  });
  const open = offers.filter(([, side]) => !state.you.includes(side));
  const buttons = [];
  if (open.length && state.actions.includes("decline")) {
    for (const [what] of open) {
      const action = /** @type {Action["action"]} */ (what); // to do the same is to accept
      const words = open.length > 1 ? `Accept the ${what}` : "Accept";
      buttons.push(element("button", { type: "button", class: "primary", onclick: () => act(action) }, words));
    }
    const words = open.length > 1 ? "Decline both" : "Decline";
    buttons.push(element("button", { type: "button", onclick: () => act("decline") }, words));
  }
  if (bar.textContent !== [...parts, ...buttons].map((part) => part.textContent).join("")) {
    bar.replaceChildren(...parts, ...buttons); // only where it is another: somebody may be about to press a button
  }
  find("#claim", HTMLElement).hidden = !state.claims.length || Boolean(state.outcome);
  find("#claim-words", HTMLElement).textContent = `A draw can be claimed: ${state.claims.join(", ")}.`;
  find("#claim-draw", HTMLElement).hidden = !state.actions.includes("draw");
}

/**
 * Why a program does not move, and what can be done about it.
 * @param {GameState} state
 */
export function showProblem(state) {
  const isPlaying = state.you.length > 0;
  find("#problem", HTMLElement).hidden = !state.problem;
  find("#problem-words", HTMLElement).textContent = state.problem ? `${capital(state.problem)}.` : "";
  find("#retry", HTMLElement).hidden = !state.actions.includes("retry");
  find("#use-computer", HTMLElement).hidden = !isPlaying;
}

/**
 * What was offered by this side and is declined now.
 * @param {GameState} before
 * @param {GameState} state
 * @param {PlyState[]} plies that are new
 * @param {boolean} isBack whether moves are gone
 */
export function declinedNews(before, state, plies, isBack) {
  const hasEnded = Boolean(state.outcome) && !before.outcome;
  const isOwn = plies.length > 0 && state.you.includes(plies[0]?.side ?? ""); // who moves on asks for nothing any more
  if (hasEnded || isBack || isOwn || state.next !== before.next) {
    return [];
  }
  const mine = Object.entries(before.offers).filter(([, side]) => state.you.includes(side));
  return mine.filter(([what]) => !(what in state.offers)).map(([what]) => DECLINED[what] ?? "");
}

/**
 * What is new in the offers, for who hears the page.
 * @param {GameState} before
 * @param {GameState} state
 */
export function offerNews(before, state) {
  const news = [];
  for (const [what, offer] of Object.entries(OFFERS)) {
    const is = state.offers[what];
    if (is && !before.offers[what] && !state.you.includes(is)) {
      news.push(offer.news);
    }
  }
  if (state.next && !before.next) {
    news.push("The next game has begun.");
  }
  if (state.claims.length && !before.claims.length) {
    news.push(`A draw can be claimed: ${state.claims.join(", ")}.`);
  }
  return news;
}

/**
 * Where the links lead: analysis with this game, and its file.
 * @param {GameRecord} record
 * @param {VariantInfo} facts
 * @param {string} below the side at the bottom
 */
export function showLinks({ state, plies }, facts, below) {
  const isFinal = opponentOf(state) !== "link" || Boolean(state.outcome) || !state.you.length;
  const moves = plies.map((ply) => ply.move.full).join(" ");
  const position = state.start.position === facts.start ? null : state.start.position;
  const orientation = below === facts.sides[0] ? "" : below;
  const asked = toQuery({ ...state, position }, { moves, orientation });
  for (const selector of ["#analyse", "#analyse-result"]) {
    const link = find(selector, HTMLAnchorElement);
    link.href = `/analyse?${asked}`;
    link.hidden = !isFinal; // help in a game between two is for after it
  }
  const download = find("#download", HTMLAnchorElement);
  download.href = `/api/games/${encodeURIComponent(state.id)}/file`;
}

/**
 * The way to the game that follows, if there is one.
 * @param {GameState} state
 * @param {string} address
 */
export function showNext(state, address) {
  const link = find("#next-game", HTMLAnchorElement);
  link.hidden = state.next === null;
  link.href = address;
  link.textContent = state.you.length ? "Go to the next game" : "Watch the next game";
}

/**
 * The panel with the link for a friend, until there was one.
 * @param {GameState} state
 * @param {string | null} address
 * @param {boolean} hasCome
 */
export function showInvite(state, address, hasCome) {
  find("#copy-invite", HTMLElement).hidden = !address || !hasCome || Boolean(state.outcome);
  find("#invite", HTMLElement).hidden = !address || hasCome || Boolean(state.outcome);
  if (address) {
    find("#invite-local", HTMLElement).hidden = !LOOPBACK.includes(location.hostname);
    find("#invite-link", HTMLInputElement).value = address;
    find("#invite-side", HTMLElement).textContent = capital(otherSide(state, state.you[0] ?? ""));
  }
}
