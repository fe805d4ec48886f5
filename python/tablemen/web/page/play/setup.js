// The start page: a form for the variant, the opponent and the clock. The choices are stored.

import { fetchJson, fetchVariant, showError, toQuery } from "../api.js";
import { capital, element, find, saveSetting, setting, toast } from "../ui.js";
import { noteText, storeCreated } from "./games.js";
import { showMyGames } from "./my-games.js";

/** @typedef {import("../api-types").CreatedGame} CreatedGame */
/** @typedef {import("../api-types").EngineInfo} EngineInfo */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").NewGame} NewGame */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("../api-types").VariantSummary} VariantSummary */

const POPULAR = ["international", "english", "russian", "brazilian", "frisian", "canadian", "kalah", "oware"];
const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "15+10", "30+20"];
const LEVELS = 10;
const MAX_MINUTES = 600;
const INPUT_DELAY = 250; // milliseconds from the last key to the request

/**
 * The choices of the form. `side` is an index into the sides of the variant, or `chance`.
 * @typedef {Record<"variant" | "houses" | "seeds" | "opponent" | "level" | "engine" | "side", string>} ChoiceOfGame
 * @typedef {ChoiceOfGame & Record<"clock" | "minutes" | "increment", string>} Choice
 */

/** @type {Choice} */
const DEFAULTS = {
  variant: "international",
  houses: "",
  seeds: "",
  opponent: "computer",
  level: "", // the server has the default
  engine: "",
  side: "chance",
  clock: "",
  minutes: "7",
  increment: "4",
};

/** Return the stored choices. @returns {Choice} */
function loadChoice() {
  try {
    return { ...DEFAULTS, ...JSON.parse(setting("choice", "{}")) };
  } catch {
    return DEFAULTS;
  }
}

/** @param {string} name */
function field(name) {
  return find(`#${name}`, HTMLInputElement);
}

/**
 * Return the value of the checked radio button of a group.
 * @param {string} name
 */
function chosen(name) {
  const found = document.querySelector(`input[name="${name}"]:checked`);
  return found instanceof HTMLInputElement ? found.value : "";
}

/**
 * Check the radio button with a value, or with the fallback if there is no such button.
 * @param {string} name
 * @param {string} value
 * @param {string} [fallback]
 */
function choose(name, value, fallback = value) {
  const found = [...document.querySelectorAll(`input[name="${name}"]`)];
  const buttons = found.filter((each) => each instanceof HTMLInputElement);
  const wanted = buttons.some((each) => each.value === value) ? value : fallback;
  for (const each of buttons) {
    each.checked = each.value === wanted;
  }
}

/**
 * Replace the radio buttons of a group.
 * @param {string} place
 * @param {string} name
 * @param {string[][]} choices values and labels
 */
function setChoices(place, name, choices) {
  const group = find(place, HTMLElement);
  for (const each of group.querySelectorAll("label")) {
    each.remove();
  }
  for (const [value, label] of choices) {
    group.append(element("label", {}, element("input", { type: "radio", name, value }), label));
  }
}

/** The cards of all variants, with a field to search them. */
class VariantList {
  /**
   * @param {VariantSummary[]} variants
   * @param {string} chosen the name of the chosen variant
   * @param {(name: string) => void} onChoose
   */
  constructor(variants, chosen, onChoose) {
    this.variants = variants;
    this.place = find("#variants", HTMLElement);
    const popular = POPULAR.flatMap((name) => variants.filter((variant) => variant.name === name));
    const others = variants.filter((variant) => !popular.includes(variant));
    this.more = element(
      "details",
      { class: "more-games", open: others.some(({ name }) => name === chosen) },
      element("summary", {}, `${others.length} more games`),
      ...[...new Set(others.map(({ family }) => family))].map((name) =>
        group(capital(name), others.filter(({ family }) => family === name), chosen),
      ),
    );
    const cards = popular.map((each) => card(each, chosen));
    this.place.replaceChildren(element("div", { class: "cards" }, ...cards), this.more);
    this.place.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) {
        onChoose(target.value);
      }
    });
    const search = find("#search", HTMLInputElement);
    search.addEventListener("input", () => this.filter(search.value));
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault(); // do not submit the form
        this.chooseFirst();
      }
    });
    this.filter(search.value); // the user may have typed before the variants were loaded
  }

  /**
   * Show only the variants that match the search: each word of it must begin a word of the variant.
   * @param {string} text
   */
  filter(text) {
    const words = normalise(text).split(/\s+/).filter((word) => word);
    let found = 0;
    for (const each of this.place.querySelectorAll("label")) {
      const fits = words.every((word) => (each.dataset.search ?? "").includes(` ${word}`));
      each.hidden = !fits;
      found += Number(fits);
    }
    for (const each of this.place.querySelectorAll("section")) {
      each.hidden = !each.querySelector("label:not([hidden])");
    }
    if (words.length && !this.more.open) {
      this.more.open = true;
      this.more.dataset.searched = "";
    } else if (!words.length && "searched" in this.more.dataset) {
      delete this.more.dataset.searched;
      this.more.open = Boolean(this.more.querySelector("input:checked"));
    }
    this.more.hidden = words.length > 0 && !this.more.querySelector("label:not([hidden])");
    find("#none-found", HTMLElement).hidden = found > 0;
  }

  chooseFirst() {
    const first = this.place.querySelector("label:not([hidden]) input");
    if (first instanceof HTMLInputElement && !first.checked) {
      first.click();
    }
  }
}

/**
 * @param {string} title
 * @param {VariantSummary[]} variants
 * @param {string} chosen
 */
function group(title, variants, chosen) {
  const cards = variants.map((variant) => card(variant, chosen));
  return element("section", {}, element("h3", {}, title), element("div", { class: "cards" }, ...cards));
}

/**
 * @param {VariantSummary} variant
 * @param {string} chosen
 */
function card(variant, chosen) {
  const { name, title, about, family } = variant;
  const src = `/api/board.svg?${toQuery({ variant: name }, { size: 200 })}`;
  return element(
    "label",
    { class: "card", "data-search": ` ${normalise(`${title} ${name} ${family} ${about}`)}` },
    element("input", { type: "radio", name: "variant", value: name, checked: name === chosen }),
    element("span", { class: "card-picture" }, element("img", { src, alt: "", loading: "lazy" })),
    element("span", { class: "card-title" }, title),
    element("span", { class: "card-about muted" }, about),
  );
}

/**
 * Normalise a text for the search: lower case, without accents and punctuation.
 * @param {string} text
 */
function normalise(text) {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
}

const form = find("#setup", HTMLFormElement);
const button = find("#play", HTMLButtonElement);
const problem = find("#position-problem", HTMLElement);
const clockProblem = find("#clock-problem", HTMLElement);
/** @type {VariantInfo | undefined} */
let facts;
let positionRequests = 0;
let variantRequests = 0;
/** The engines of the server. @type {EngineInfo[]} */
let engines = [];

/** Show the fields for the chosen opponent, and the summary. */
function showOptions() {
  const opponent = chosen("opponent");
  find("#levels", HTMLElement).hidden = opponent !== "computer";
  find("#engines", HTMLElement).hidden = opponent !== "engine";
  find("#side-choice", HTMLElement).hidden = opponent === "screen";
  find("#own-clock", HTMLElement).hidden = chosen("clock") !== "own";
  const levels = ["beginner", "easy", "medium", "strong", "very strong", "maximum"];
  find("#level-text", HTMLElement).textContent = levels[Math.floor(Number(chosen("level")) / 2)] ?? "";
  const computer = `computer, level ${chosen("level")}`;
  const against = { computer, screen: "on this device", link: "a friend", engine: chosen("engine") }[opponent];
  find("#summary", HTMLElement).textContent = facts ? `${facts.title} · ${against}` : "";
}

/**
 * Show the engines that can play the variant.
 * @param {string} variant
 * @param {string} wanted
 */
function showEngines(variant, wanted) {
  const able = engines.filter(({ variants }) => variants.includes(variant)).map(({ name }) => name);
  setChoices("#engines", "engine", able.map((name) => [name, name]));
  choose("engine", wanted, able[0]);
  find("#engine-opponent", HTMLElement).hidden = able.length === 0;
  if (able.length === 0 && chosen("opponent") === "engine") {
    choose("opponent", DEFAULTS.opponent);
  }
}

/** Return the chosen position for requests. */
function subject() {
  const size = (/** @type {string} */ name) =>
    facts && name in facts.size && field(name).value ? Number(field(name).value) : null;
  return {
    variant: facts?.name ?? DEFAULTS.variant,
    houses: size("houses"),
    seeds: size("seeds"),
    position: field("position").value.trim() || null,
  };
}

/** Show the chosen position, or why it is not valid. */
async function showPosition() {
  const number = ++positionRequests;
  const wanted = subject();
  try {
    /** @type {GameView} */
    const { outcome } = await fetchJson("POST", "/api/positions", { body: wanted });
    const about = wanted.houses || wanted.seeds ? (await fetchVariant(wanted)).about : facts?.about;
    if (number === positionRequests) {
      problem.textContent = outcome ? `The game is already over in this position: ${outcome.text}.` : "";
      problem.hidden = !outcome;
      button.disabled = Boolean(outcome);
      find("#chosen-picture", HTMLImageElement).src = `/api/board.svg?${toQuery(wanted, { size: 240 })}`;
      describe(about ?? "");
    }
  } catch (error) {
    if (number === positionRequests) {
      problem.textContent = error instanceof Error ? error.message : String(error);
      problem.hidden = false;
      button.disabled = true;
    }
  }
}

/** @param {string} about the description of the board */
function describe(about) {
  if (!facts) {
    return;
  }
  find("#chosen-title", HTMLElement).textContent = facts.title;
  find("#chosen-about", HTMLElement).textContent = subject().position ? "Custom position" : about;
  const note = noteText(facts.note);
  const doubt = facts.provisional ? "The rules of this variant are provisional." : "";
  find("#chosen-note", HTMLElement).textContent = `${note} ${doubt}`.trim();
}

/**
 * Choose a variant, and show its options and its start position.
 * @param {string} name
 * @param {string} [side] the index of a side, or `chance`
 * @param {string} [engine] the name of an engine
 */
async function chooseVariant(name, side = chosen("side") || "chance", engine = chosen("engine")) {
  button.disabled = true;
  const number = ++variantRequests;
  const found = await fetchVariant({ variant: name });
  if (number !== variantRequests) {
    return; // another variant was chosen meanwhile
  }
  facts = found;
  const { size, sides, first } = facts;
  find("#sizes", HTMLElement).hidden = Object.keys(size).length === 0;
  for (const [name, value] of Object.entries(size)) {
    field(name).placeholder = String(value);
  }
  const begins = sides.indexOf(first);
  const named = (/** @type {number} */ index) => [String(index), capital(sides[index] ?? "")];
  setChoices("#side-choice", "side", [named(begins), ["chance", "Random"], named(1 - begins)]);
  choose("side", side);
  showEngines(name, engine);
  await showPosition();
  showOptions();
}

/** Return the request for the chosen game. @returns {NewGame} */
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

/** Store the choices. */
function saveChoice() {
  /** @type {Choice} */
  const choice = {
    variant: facts?.name ?? DEFAULTS.variant,
    houses: field("houses").value,
    seeds: field("seeds").value,
    opponent: chosen("opponent"),
    level: chosen("level"),
    engine: chosen("engine"),
    side: chosen("side") || "chance",
    clock: chosen("clock"),
    minutes: field("minutes").value,
    increment: field("increment").value,
  };
  saveSetting("choice", JSON.stringify(choice));
}

/** Check the custom clock and show the error. Return the first invalid field, or null. */
function checkClock() {
  const fields = [field("minutes"), field("increment")];
  const [minutes, increment] = fields.map((each) => Number(each.value));
  const isCustom = chosen("clock") === "own";
  const isWrong = [!(Number(minutes) > 0 && Number(minutes) <= MAX_MINUTES), !(Number(increment) >= 0)];
  fields.forEach((each, number) => each.setAttribute("aria-invalid", String(isCustom && isWrong[number])));
  const wrong = isCustom ? fields.find((_, number) => isWrong[number]) : undefined;
  const text = `Enter more than 0 and at most ${MAX_MINUTES} minutes, and 0 or more seconds per move.`;
  clockProblem.textContent = wrong ? text : "";
  clockProblem.hidden = !wrong;
  return wrong ?? null;
}

/** Create the chosen game and open its page. */
async function createGame() {
  const wrong = checkClock();
  if (wrong) {
    wrong.focus();
    clockProblem.scrollIntoView({ block: "center" });
    return;
  }
  button.disabled = true;
  saveChoice();
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
  const choice = loadChoice();
  const levels = Array.from({ length: LEVELS }, (_, number) => String(number + 1));
  setChoices("#levels", "level", levels.map((each) => [each, each]));
  setChoices("#clocks", "clock", [["", "None"], ...CLOCKS.map((each) => [each, each]), ["own", "Custom"]]);
  for (const name of /** @type {const} */ (["opponent", "level", "clock"])) {
    choose(name, choice[name], name === "level" ? find("#levels", HTMLElement).dataset.default : DEFAULTS[name]);
  }
  const isGiven = address.has("variant");
  for (const name of /** @type {const} */ (["houses", "seeds", "minutes", "increment"])) {
    field(name).value = isGiven && (name === "houses" || name === "seeds") ? (address.get(name) ?? "") : choice[name];
  }
  field("position").value = address.get("position") ?? "";
  find("#more", HTMLDetailsElement).open = address.has("position");
  /** @type {[VariantSummary[], EngineInfo[]]} */
  const [variants, found] = await Promise.all([fetchJson("GET", "/api/variants"), fetchJson("GET", "/api/engines")]);
  engines = found;
  const known = new Map(variants.map(({ name, title }) => [name, title]));
  const wanted = address.get("variant") ?? choice.variant;
  const name = known.has(wanted) ? wanted : DEFAULTS.variant;
  if (name !== wanted) {
    toast(`Unknown game: ${wanted}.`, "bad");
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
    timer = setTimeout(showPosition, INPUT_DELAY);
  });
}
window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // after the browser's back button
form.addEventListener("change", () => {
  showOptions();
  if (!clockProblem.hidden) {
    checkClock();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!button.disabled) {
    void createGame();
  }
});
start().catch(showError);
