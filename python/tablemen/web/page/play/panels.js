// The panels around the board of a game: players, clocks, status, offers, links and actions.

import { toQuery } from "../api.js";
import { announce, capital, count, element, find, playSound } from "../ui.js";
import { getOpponent, opponentText, otherSide, outcomeText, playerName, reasonText, resultText } from "./games.js";

/** @typedef {import("../api-types").Action} Action */
/** @typedef {import("../api-types").ClockState} ClockState */
/** @typedef {import("../api-types").GameState} GameState */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("./games.js").GameRecord} GameRecord */

const CLOCK_INTERVAL = 100; // milliseconds
const LOW_TIME = 20; // seconds
const TENTHS_BELOW = 10; // seconds
const CONFIRMATION_TIMEOUT = 5000; // milliseconds
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];
const ACTIONS = /** @type {const} */ (["takeback", "hint", "draw", "resign"]);
const CONFIRMED = /** @type {const} */ (["draw", "resign"]);
/** @type {Record<string, {verb: string, thing: string, declined: string}>} */
const OFFERS = {
  draw: { verb: "offer", thing: "a draw", declined: "Your draw offer was declined." },
  takeback: { verb: "ask", thing: "to take back a move", declined: "Your takeback request was declined." },
  rematch: { verb: "ask", thing: "for a rematch", declined: "Your rematch request was declined." },
};

/** The bar of a player: name, captured pieces or seeds, and the clock. */
export class PlayerBar {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.name = element("span", { class: "player-name" });
    this.detail = element("span", { class: "player-detail muted" });
    this.taken = element("span", { class: "taken" });
    this.clock = element("span", { class: "clock digits", role: "timer", hidden: true });
    this.mark = element("span", { class: "player-mark", "aria-hidden": "true" });
    place.setAttribute("role", "group");
    place.replaceChildren(
      this.mark,
      element("span", { class: "player-text" }, this.name, this.detail),
      this.taken,
      this.clock,
    );
  }

  /**
   * @param {string} side
   * @param {GameRecord} record
   * @param {number} at the number of moves that are shown
   * @param {boolean} isLosing whether the variant is a losing game
   * @param {boolean} isOver whether to show the result
   */
  show(side, record, at, isLosing, isOver) {
    const { state } = record;
    const outcome = isOver ? state.outcome : null;
    const player = state.players[side];
    const name = playerName(state, side);
    const isAway = player?.kind === "person" && !player.connected && !state.you.includes(side);
    const details = [
      name === capital(side) ? "" : capital(side),
      player?.kind === "computer" ? `level ${player.level}` : player?.kind === "engine" ? "engine" : "",
      isAway ? "offline" : "",
    ];
    this.place.setAttribute("aria-label", `${capital(side)}: ${name}`);
    this.place.dataset.side = side;
    this.place.classList.toggle("is-turn", !state.outcome && state.turn === side);
    this.place.classList.toggle("is-away", isAway);
    this.place.classList.toggle("is-winner", outcome?.winner === side);
    this.name.textContent = name;
    this.detail.textContent = details.filter((part) => part).join(" · ");
    const shown = record.stateAt(at);
    const other = otherSide(state, side);
    const final = at === record.plies.length ? (outcome?.score ?? null) : null;
    const material = (/** @type {string} */ name) => final?.[name] ?? countMaterial(shown, name);
    const lead = material(side) - material(other);
    const balance = lead > 0 && !isLosing ? [element("span", { class: "balance digits" }, `+${lead}`)] : [];
    const placed = shown.board[side];
    if (placed && "store" in placed) {
      const text = final ? count(material(side), "seed") : `${placed.store} in store`;
      this.taken.replaceChildren(element("span", { class: "digits" }, text), ...balance);
      return;
    }
    const { men, kings } = record.captured(side, at);
    const discs = [...Array(men).fill("man"), ...Array(kings).fill("king")].map((kind) =>
      element("span", { class: `taken-piece ${kind}`, "data-side": other }),
    );
    const words = [men && count(men, "man", "men"), kings && count(kings, "king")].filter((part) => part);
    const text = words.length ? `captured ${words.join(" and ")}` : "";
    const row = element("span", { class: "discs", "aria-hidden": "true" }, ...discs);
    this.taken.replaceChildren(element("span", { class: "visually-hidden" }, text), row, ...balance);
  }
}

/**
 * Return the number of pieces of a side, or of the seeds in the store of a side.
 * @param {PositionState} state
 * @param {string} side
 */
function countMaterial(state, side) {
  /** @type {Partial<import("../api-types").DraughtsSide & import("../api-types").MancalaSide>} */
  const { store, men = [], kings = [] } = state.board[side] ?? {};
  return store ?? men.length + kings.length;
}

/**
 * Format the time on a clock: rounded up to seconds, and with tenths in the last seconds.
 * @param {number} seconds
 */
function formatTime(seconds) {
  if (seconds < TENTHS_BELOW) {
    return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  }
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The clocks of both sides. They count down between messages from the server. */
export class Clocks {
  constructor() {
    /** @type {ClockState | null} */
    this.facts = null;
    this.since = 0;
    /** When the connection was lost, or null. The shown times are out of date then. @type {number | null} */
    this.lostAt = null;
    /** @type {Map<string, HTMLElement>} */
    this.faces = new Map();
    /** The user's sides, which get a low-time warning. @type {string[]} */
    this.own = [];
    /** @type {Set<string>} */
    this.warned = new Set();
    setInterval(() => this.tick(), CLOCK_INTERVAL);
  }

  /**
   * Set the element that shows the time of each side.
   * @param {Map<string, HTMLElement>} faces
   */
  place(faces) {
    this.faces = faces;
    this.tick();
  }

  /**
   * Set the state of the clocks.
   * @param {ClockState | null} facts
   * @param {string[]} own
   */
  set(facts, own) {
    this.facts = facts;
    this.own = own;
    this.since = performance.now();
    this.lostAt = null;
    this.tick();
  }

  /** Stop the clocks at the times that they show, until `set` is called. */
  freeze() {
    this.lostAt ??= performance.now();
    this.tick();
  }

  tick() {
    for (const [side, face] of this.faces) {
      face.hidden = !this.facts;
      if (this.facts) {
        this.show(side, face, this.facts);
      }
    }
  }

  /**
   * @param {string} side
   * @param {HTMLElement} face
   * @param {ClockState} facts
   */
  show(side, face, { left, running }) {
    const isRunning = running === side;
    const isStale = this.lostAt !== null;
    const elapsed = isRunning ? ((this.lostAt ?? performance.now()) - this.since) / 1000 : 0;
    const seconds = Math.max(0, (left[side] ?? 0) - elapsed);
    const text = formatTime(seconds);
    if (face.textContent !== text) {
      face.textContent = text;
    }
    face.classList.toggle("is-running", isRunning && !isStale);
    face.classList.toggle("is-low", seconds < LOW_TIME);
    face.classList.toggle("is-stale", isStale);
    face.title = isStale ? "Not connected: the time may have changed" : "";
    if (seconds >= TENTHS_BELOW) {
      this.warned.delete(side);
    } else if (isRunning && !isStale && this.own.includes(side) && !this.warned.has(side)) {
      this.warned.add(side);
      playSound("low-time");
    }
  }
}

/**
 * Return whose turn it is, or the result.
 * @param {GameState} state
 * @param {boolean} [isAgain] whether to add that the same player moves again
 */
export function turnText(state, isAgain = false) {
  if (state.outcome) {
    return outcomeText(state);
  }
  const again = isAgain ? ", once more" : "";
  const name = playerName(state, state.turn);
  const kind = state.players[state.turn]?.kind;
  if (kind === "computer" || kind === "engine") {
    const who = kind === "engine" ? name : "The computer";
    if (state.problem) {
      return `${who} cannot move`;
    }
    const text = state.thinking ? `${who} is thinking` : `${who}’s turn`;
    return `${text}${again}${state.thinking ? "…" : ""}`;
  }
  if (name === "You") {
    return `Your turn${again}`;
  }
  if (name === "Friend") {
    return `${state.players[state.turn]?.connected ? "Your friend’s turn" : "Waiting for your friend"}${again}`;
  }
  return `${capital(state.turn)} to move${again}`;
}

/**
 * Show the turn, the variant and the result.
 * @param {GameState} state
 * @param {VariantInfo} facts
 * @param {boolean} isAgain whether the same player moves again
 */
export function showStatus(state, facts, isAgain) {
  const text = turnText(state, isAgain);
  const status = find("#status", HTMLElement);
  status.textContent = state.outcome ? "Game over" : text;
  status.classList.toggle("is-yours", state.actions.includes("move"));
  const sizes = Object.entries(facts.size).map(([plural, number]) => count(number, plural.replace(/s$/, ""), plural));
  const parts = [facts.title, sizes.join(", "), state.clock?.control, state.you.length ? "" : "You are watching"];
  find("#about", HTMLElement).textContent = parts.filter((part) => part).join(" · ");
  find("#title", HTMLElement).textContent = `${facts.title}, ${opponentText(state)}`;
  document.title = `${state.outcome ? resultText(state) : text} · ${facts.title} · tablemen`;
  const result = find("#result", HTMLElement);
  result.hidden = !state.outcome;
  if (state.outcome) {
    const { winner } = state.outcome;
    const isNeutral = winner === null || state.you.length !== 1; // a draw, a game on one device, or a spectator
    result.dataset.result = isNeutral ? "" : state.you.includes(winner) ? "won" : "lost";
    find("#result-text", HTMLElement).textContent = resultText(state);
    find("#result-reason", HTMLElement).textContent = capital(reasonText(state));
  }
}

/**
 * Warn a player whose link is used on several devices.
 * @param {GameState} state
 */
export function showDevices({ devices }) {
  const notice = find("#devices", HTMLElement);
  notice.hidden = devices < 2;
  const number = devices === 2 ? "Two" : String(devices);
  const advice = "If you have not opened this game twice, another person has your link.";
  const text = `${number} devices have this seat, and each can move. ${advice}`;
  if (!notice.hidden && notice.textContent !== text) {
    notice.textContent = text; // only after a change, because it is announced
  }
}

/**
 * Describe an offer of another player: `White offers a draw.`
 * @param {GameState} state
 * @param {string} what
 * @param {string} side
 */
function offerText(state, what, side) {
  const { verb, thing } = OFFERS[what] ?? { verb: "offer", thing: what };
  const name = playerName(state, side) === "Friend" ? "Your friend" : capital(side);
  return `${name} ${verb}s ${thing}.`;
}

/**
 * Show the open offers with buttons to answer them, and the draws that can be claimed.
 * @param {GameState} state
 * @param {(action: Action["action"]) => void} act
 */
export function showOffers(state, act) {
  const bar = find("#offer", HTMLElement);
  const offers = Object.entries(state.offers);
  bar.hidden = offers.length === 0;
  const parts = offers.map(([what, side]) => {
    if (!state.you.includes(side)) {
      return element("strong", {}, offerText(state, what, side));
    }
    const { verb, thing } = OFFERS[what] ?? { verb: "offer", thing: what };
    return element("span", {}, `You ${verb}ed ${thing}. Waiting for your friend’s answer.`);
  });
  const open = offers.filter(([, side]) => !state.you.includes(side));
  const buttons = [];
  if (open.length && state.actions.includes("decline")) {
    for (const [what] of open) {
      const action = /** @type {Action["action"]} */ (what); // the same action accepts
      const words = open.length > 1 ? `Accept the ${what}` : "Accept";
      buttons.push(element("button", { type: "button", class: "primary", onclick: () => act(action) }, words));
    }
    const words = open.length > 1 ? "Decline both" : "Decline";
    buttons.push(element("button", { type: "button", onclick: () => act("decline") }, words));
  }
  if (bar.textContent !== [...parts, ...buttons].map((part) => part.textContent).join("")) {
    bar.replaceChildren(...parts, ...buttons); // only after a change, to keep the focus
  }
  find("#claim", HTMLElement).hidden = !state.claims.length || Boolean(state.outcome);
  find("#claim-text", HTMLElement).textContent = `A draw can be claimed: ${state.claims.join(", ")}.`;
  find("#claim-draw", HTMLElement).hidden = !state.actions.includes("draw");
}

/**
 * Show why an engine cannot move, with buttons to continue.
 * @param {GameState} state
 */
export function showProblem(state) {
  find("#problem", HTMLElement).hidden = !state.problem;
  find("#problem-text", HTMLElement).textContent = state.problem ? `${capital(state.problem)}.` : "";
  find("#retry", HTMLElement).hidden = !state.actions.includes("retry");
  find("#use-computer", HTMLElement).hidden = state.you.length === 0;
}

/**
 * Return messages for the user's offers that were declined.
 * @param {GameState} before
 * @param {GameState} state
 * @param {PlyState[]} plies the new plies
 * @param {boolean} isBack whether moves were taken back
 */
export function declinedNews(before, state, plies, isBack) {
  const hasEnded = Boolean(state.outcome) && !before.outcome;
  const isOwn = plies.length > 0 && state.you.includes(plies[0]?.side ?? ""); // the user's move withdraws an offer
  if (hasEnded || isBack || isOwn || state.next !== before.next) {
    return [];
  }
  const mine = Object.entries(before.offers).filter(([, side]) => state.you.includes(side));
  return mine.filter(([what]) => !(what in state.offers)).map(([what]) => OFFERS[what]?.declined ?? "");
}

/**
 * Return announcements for new offers, a rematch, and draws that can be claimed.
 * @param {GameState} before
 * @param {GameState} state
 */
export function offerNews(before, state) {
  const news = [];
  for (const what of Object.keys(OFFERS)) {
    const side = state.offers[what];
    if (side && !before.offers[what] && !state.you.includes(side)) {
      news.push(offerText(state, what, side));
    }
  }
  if (state.next && !before.next) {
    news.push("The rematch has started.");
  }
  if (state.claims.length && !before.claims.length) {
    news.push(`A draw can be claimed: ${state.claims.join(", ")}.`);
  }
  return news;
}

/**
 * Set the links to the analysis of this game and to the game file.
 * @param {GameRecord} record
 * @param {VariantInfo} facts
 * @param {string} below the side at the bottom
 */
export function showLinks({ state, plies }, facts, below) {
  const isFinal = getOpponent(state) !== "link" || Boolean(state.outcome) || !state.you.length;
  const moves = plies.map((ply) => ply.move.full).join(" ");
  const position = state.start.position === facts.start ? null : state.start.position;
  const orientation = below === facts.sides[0] ? "" : below;
  const query = toQuery({ ...state, position }, { moves, orientation });
  for (const selector of ["#analyse", "#analyse-result"]) {
    const link = find(selector, HTMLAnchorElement);
    link.href = `/analyse?${query}`;
    link.hidden = !isFinal; // friends must not analyse their game before it is over
  }
  find("#download", HTMLAnchorElement).href = `/api/games/${encodeURIComponent(state.id)}/file`;
}

/**
 * Show the link to the rematch, if there is one.
 * @param {GameState} state
 * @param {string} address
 */
export function showNext(state, address) {
  const link = find("#next-game", HTMLAnchorElement);
  link.hidden = state.next === null;
  link.href = address;
  link.textContent = state.you.length ? "Go to the rematch" : "Watch the rematch";
}

/**
 * Show the invite link until the friend has joined.
 * @param {GameState} state
 * @param {string | null} address
 * @param {boolean} hasJoined
 */
export function showInvite(state, address, hasJoined) {
  find("#copy-invite", HTMLElement).hidden = !address || !hasJoined || Boolean(state.outcome);
  find("#invite", HTMLElement).hidden = !address || hasJoined || Boolean(state.outcome);
  if (address) {
    find("#invite-local", HTMLElement).hidden = !LOOPBACK.includes(location.hostname);
    find("#invite-link", HTMLInputElement).value = address;
    find("#invite-side", HTMLElement).textContent = capital(otherSide(state, state.you[0] ?? ""));
  }
}

/** The buttons for takeback, hint, draw, resignation and rematch. */
export class Actions {
  /** @param {(action: Action["action"]) => void} act */
  constructor(act) {
    this.act = act;
    this.timer = 0;
    /** The action that a second press confirms. @type {"draw" | "resign" | null} */
    this.unconfirmed = null;
    /** @type {GameState | null} */
    this.state = null;
    for (const name of ACTIONS) {
      button(name).addEventListener("click", () => this.press(name));
    }
    button("claim-draw").addEventListener("click", () => this.act("draw"));
    for (const name of CONFIRMED) {
      button(name).addEventListener("blur", () => this.cancelConfirmation());
      button(name).addEventListener("keydown", (event) => {
        if (event.key === "Escape" && this.unconfirmed) {
          event.stopPropagation();
          this.cancelConfirmation();
        }
      });
    }
  }

  /**
   * @param {GameState} state
   * @param {boolean} isOpen whether there is a connection
   */
  show(state, isOpen) {
    find("#actions", HTMLElement).classList.toggle("is-watching", !state.you.length);
    for (const name of ACTIONS) {
      const each = button(name);
      each.disabled = !isOpen || !state.actions.includes(name);
      each.hidden = !state.you.length || (name === "hint" && getOpponent(state) === "link");
    }
    const rematch = button("rematch"); // only a friend has to accept it
    const asker = state.offers.rematch;
    rematch.hidden = !state.you.length || state.next !== null;
    rematch.disabled = getOpponent(state) === "link" && (!isOpen || !state.actions.includes("rematch"));
    rematch.textContent = asker && !state.you.includes(asker) ? "Accept the rematch" : "Rematch";
    this.state = state;
    this.showLabels();
  }

  showLabels() {
    const { state } = this;
    if (!state) {
      return;
    }
    const asks = getOpponent(state) === "link" && !state.offers.takeback;
    label("takeback", "Take back", asks ? "Ask to take back a move" : "Take back a move");
    const resign = getOpponent(state) === "screen" ? `${capital(state.turn)} resigns` : "Resign";
    const labels = { draw: drawLabels(state), resign: [resign, resign] };
    for (const name of CONFIRMED) {
      const isAsking = this.unconfirmed === name;
      const [short = "", long = ""] = isAsking ? ["Confirm", "Press again to confirm"] : labels[name];
      label(name, short, long);
      button(name).classList.toggle("is-asking", isAsking);
    }
  }

  /** @param {typeof ACTIONS[number]} name */
  press(name) {
    const isShared = this.state !== null && getOpponent(this.state) === "screen" && !this.state.claims.length;
    if (name === "resign" || (name === "draw" && isShared)) {
      this.confirm(name);
    } else {
      this.act(name);
    }
  }

  /**
   * Do an action on the second press.
   * @param {"draw" | "resign"} name
   */
  confirm(name) {
    const isConfirmed = this.unconfirmed === name;
    this.cancelConfirmation();
    if (isConfirmed) {
      this.act(name);
      return;
    }
    this.unconfirmed = name;
    this.showLabels();
    announce(name === "draw" ? "Press again to end the game as a draw." : "Press again to resign.");
    this.timer = setTimeout(() => this.cancelConfirmation(), CONFIRMATION_TIMEOUT);
  }

  cancelConfirmation() {
    clearTimeout(this.timer);
    if (this.unconfirmed) {
      this.unconfirmed = null;
      this.showLabels();
    }
  }
}

/**
 * Return the short and the long label of the draw button.
 * @param {GameState} state
 */
function drawLabels(state) {
  if (state.claims.length) {
    return ["Claim draw", `Claim a draw: ${state.claims.join(", ")}`];
  }
  if (state.offers.draw && !state.you.includes(state.offers.draw)) {
    return ["Accept draw", "Accept the draw"];
  }
  const opponent = getOpponent(state);
  if (opponent === "link") {
    return ["Offer draw", "Offer a draw"];
  }
  return ["Draw", opponent === "screen" ? "Agree to a draw" : "Claim a draw by the rules or by a tablebase"];
}

/** @param {string} name */
function button(name) {
  return find(`#${name}`, HTMLButtonElement);
}

/**
 * @param {string} name
 * @param {string} short
 * @param {string} long
 */
function label(name, short, long) {
  const each = button(name);
  find(":scope > span:last-child", HTMLElement, each).textContent = short;
  each.title = long;
}
