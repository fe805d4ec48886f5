// The start page: what is played, against whom and how fast. The last choice is remembered.

import { fetchJson, fetchVariant, showError, toQuery } from "../api.js";
import { capital, find, saveSetting, toast } from "../ui.js";
import { addChoices, choose, chosen, field, remembered, USUAL } from "./choices.js";
import { noteText, storeCreated } from "./games.js";
import { showMyGames } from "./my-games.js";
import { VariantList } from "./variant-list.js";

/** @typedef {import("../api-types").CreatedGame} CreatedGame */
/** @typedef {import("../api-types").EngineInfo} EngineInfo */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").NewGame} NewGame */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("../api-types").VariantSummary} VariantSummary */
/** @typedef {import("./choices.js").Choice} Choice */

const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];
const LEVELS = 10;
const MOST_MINUTES = 600;
const WAIT = 250; // milliseconds after the last key before the server is asked

const form = find("#setup", HTMLFormElement);
const button = find("#play", HTMLButtonElement);
const problem = find("#position-problem", HTMLElement);
const clockProblem = find("#clock-problem", HTMLElement);
/** @type {VariantInfo | undefined} */
let facts;
let asked = 0;
let choices = 0;
/** The programs that this server has. @type {EngineInfo[]} */
let engines = [];

/** Levels in words: nobody knows by heart what 6 of 10 means. */
function levelWords() {
  const level = Number(chosen("level"));
  const words = ["for a first game", "easy", "makes you think", "strong", "very strong", "all that it can"];
  return words[Math.floor(level / 2)] ?? "";
}

function showOptions() {
  const opponent = chosen("opponent");
  find("#levels", HTMLElement).hidden = opponent !== "computer";
  find("#engines", HTMLElement).hidden = opponent !== "engine";
  find("#side-choice", HTMLElement).hidden = opponent === "screen";
  find("#own-clock", HTMLElement).hidden = chosen("clock") !== "own";
  find("#level-words", HTMLElement).textContent = levelWords();
  const computer = `computer, level ${chosen("level")}`;
  const against = { computer, screen: "on this screen", link: "friend by link", engine: chosen("engine") }[opponent];
  find("#summary", HTMLElement).textContent = facts ? `${facts.title} · ${against}` : "";
}

/**
 * The programs that can play the variant; the computer, where none can.
 * @param {string} variant
 * @param {string} wanted
 */
function showEngines(variant, wanted) {
  const able = engines.filter(({ variants }) => variants.includes(variant)).map(({ name }) => name);
  addChoices("#engines", "engine", able.map((name) => pair(name, name)));
  choose("engine", wanted, able[0]);
  find("#engine-opponent", HTMLElement).hidden = able.length === 0;
  if (able.length === 0 && chosen("opponent") === "engine") {
    choose("opponent", USUAL.opponent);
  }
}

/** The position that is asked for, as the server is asked for it. */
function subject() {
  const size = (/** @type {string} */ name) =>
    facts && name in facts.size && field(name).value ? Number(field(name).value) : null;
  return {
    variant: facts?.name ?? USUAL.variant,
    houses: size("houses"),
    seeds: size("seeds"),
    position: field("position").value.trim() || null,
  };
}

/** Show the position that is chosen now, or what is wrong with it. */
async function showPosition() {
  const mine = ++asked;
  const wanted = subject();
  try {
    /** @type {GameView} */
    const { outcome } = await fetchJson("POST", "/api/positions", { body: wanted });
    const about = wanted.houses || wanted.seeds ? (await fetchVariant(wanted)).about : facts?.about;
    if (mine === asked) {
      problem.textContent = outcome ? `This game is over: ${outcome.text}.` : "";
      problem.hidden = !outcome;
      button.disabled = Boolean(outcome);
      find("#chosen-picture", HTMLImageElement).src = `/api/board.svg?${toQuery(wanted, { size: 240 })}`;
      describe(about ?? "");
    }
  } catch (error) {
    if (mine === asked) {
      problem.textContent = error instanceof Error ? error.message : String(error);
      problem.hidden = false;
      button.disabled = true;
    }
  }
}

/** @param {string} about the board in a few words */
function describe(about) {
  if (!facts) {
    return;
  }
  find("#chosen-title", HTMLElement).textContent = facts.title;
  find("#chosen-about", HTMLElement).textContent = subject().position ? "From a position of your own" : about;
  const note = noteText(facts.note);
  const doubt = facts.provisional ? "Its rules are provisional." : "";
  find("#chosen-note", HTMLElement).textContent = `${note} ${doubt}`.trim();
}

/**
 * @param {string} name
 * @param {string} [side] a place in the list of sides, or chance
 * @param {string} [engine] the name of a program
 */
async function chooseVariant(name, side = sidePlace(), engine = chosen("engine")) {
  button.disabled = true;
  const mine = ++choices;
  const found = await fetchVariant({ variant: name });
  if (mine !== choices) {
    return; // another was chosen meanwhile
  }
  facts = found;
  const { size, sides, first } = facts;
  find("#sizes", HTMLElement).hidden = Object.keys(size).length === 0;
  for (const [name, number] of Object.entries(size)) {
    field(name).placeholder = String(number);
  }
  const begins = sides.indexOf(first);
  const named = (/** @type {number} */ place) => pair(String(place), capital(sides[place] ?? ""));
  addChoices("#side-choice", "side", [named(begins), pair("chance", "Either"), named(1 - begins)]);
  choose("side", side);
  showEngines(name, engine);
  await showPosition();
  showOptions();
}

/**
 * @param {string} value
 * @param {string} words
 * @returns {[string, string]}
 */
function pair(value, words) {
  return [value, words];
}

function sidePlace() {
  return chosen("side") || "chance";
}

/** @returns {NewGame} */
function wantedGame() {
  const clock = chosen("clock");
  return {
    ...subject(),
    opponent: /** @type {NewGame["opponent"]} */ (chosen("opponent")),
    level: Number(chosen("level")),
    engine: chosen("opponent") === "engine" ? chosen("engine") : null,
    side: chosen("opponent") === "screen" ? null : (facts?.sides[Number(chosen("side"))] ?? null),
    clock: clock === "own" ? `${field("minutes").value}+${field("increment").value || 0}` : clock || null,
  };
}

function remember() {
  /** @type {Choice} */
  const choice = {
    variant: facts?.name ?? USUAL.variant,
    houses: field("houses").value,
    seeds: field("seeds").value,
    opponent: chosen("opponent"),
    level: chosen("level"),
    engine: chosen("engine"),
    side: sidePlace(),
    clock: chosen("clock"),
    minutes: field("minutes").value,
    increment: field("increment").value,
  };
  saveSetting("choice", JSON.stringify(choice));
}

/** The field of one's own clock that is wrong, if one is; it is said there. */
function checkClock() {
  const fields = [field("minutes"), field("increment")];
  const [minutes, increment] = fields.map((each) => Number(each.value));
  const isOwn = chosen("clock") === "own";
  const isWrong = [!(Number(minutes) > 0 && Number(minutes) <= MOST_MINUTES), !(Number(increment) >= 0)];
  fields.forEach((each, number) => each.setAttribute("aria-invalid", String(isOwn && isWrong[number])));
  const wrong = isOwn ? fields.find((_, number) => isWrong[number]) : undefined;
  const words = `A clock has up to ${MOST_MINUTES} minutes, and more than none; and some seconds a move, or 0.`;
  clockProblem.textContent = wrong ? words : "";
  clockProblem.hidden = !wrong;
  return wrong ?? null;
}

async function begin() {
  const wrong = checkClock();
  if (wrong) {
    wrong.focus();
    clockProblem.scrollIntoView({ block: "center" });
    return;
  }
  button.disabled = true;
  remember();
  try {
    const wanted = wantedGame();
    /** @type {CreatedGame} */
    const created = await fetchJson("POST", "/api/games", { body: wanted });
    location.assign(storeCreated(created, wanted.opponent ?? "", facts?.title ?? ""));
  } catch (error) {
    showError(error);
    button.disabled = false;
  }
}

async function start() {
  const address = new URLSearchParams(location.search);
  const choice = remembered();
  const levels = Array.from({ length: LEVELS }, (_, number) => String(number + 1));
  addChoices("#levels", "level", levels.map((each) => pair(each, each)));
  const clocks = CLOCKS.map((each) => pair(each, each));
  addChoices("#clocks", "clock", [pair("", "None"), ...clocks, pair("own", "Own")]);
  for (const name of /** @type {const} */ (["opponent", "level", "clock"])) {
    choose(name, choice[name], USUAL[name]);
  }
  const isGiven = address.has("variant");
  for (const name of /** @type {const} */ (["houses", "seeds", "minutes", "increment"])) {
    field(name).value = isGiven && (name === "houses" || name === "seeds") ? (address.get(name) ?? "") : choice[name];
  }
  field("position").value = address.get("position") ?? "";
  find("#more", HTMLDetailsElement).open = address.has("position");
  /** @type {[VariantSummary[], EngineInfo[]]} */
  const [variants, programs] = await Promise.all([fetchJson("GET", "/api/variants"), fetchJson("GET", "/api/engines")]);
  engines = programs;
  const known = new Map(variants.map(({ name, title }) => [name, title]));
  const wanted = address.get("variant") ?? choice.variant;
  const name = known.has(wanted) ? wanted : USUAL.variant;
  if (name !== wanted) {
    toast(`There is no game called ${wanted} here.`);
  }
  new VariantList(variants, name, (each) => {
    field("position").value = "";
    field("houses").value = "";
    field("seeds").value = "";
    void chooseVariant(each).catch(showError);
  });
  await chooseVariant(name, choice.side, choice.engine);
  await showMyGames(known);
}

let timer = 0;
for (const name of ["houses", "seeds", "position"]) {
  field(name).addEventListener("input", () => {
    button.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(showPosition, WAIT);
  });
}
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // back from a game
form.addEventListener("change", () => {
  showOptions();
  if (!clockProblem.hidden) {
    checkClock();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!button.disabled) {
    void begin();
  }
});
start().catch(showError);
