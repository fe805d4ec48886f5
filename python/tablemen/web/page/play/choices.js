// The fields of the start page, and what was chosen in them the last time.

import { element, find, setting } from "../ui.js";

/**
 * What was chosen the last time. `side` is a place in the list of sides, so that it fits every family.
 * @typedef {Record<"variant" | "houses" | "seeds" | "opponent" | "level" | "engine" | "side", string>} ChoiceOfGame
 * @typedef {ChoiceOfGame & Record<"clock" | "minutes" | "increment", string>} Choice
 */

/** @type {Choice} */
export const USUAL = {
  variant: "international",
  houses: "",
  seeds: "",
  opponent: "computer",
  level: "3",
  engine: "",
  side: "chance",
  clock: "",
  minutes: "7",
  increment: "4",
};

/** @returns {Choice} */
export function remembered() {
  try {
    return { ...USUAL, ...JSON.parse(setting("choice", "{}")) };
  } catch {
    return USUAL;
  }
}

/**
 * The text of a field.
 * @param {string} name
 */
export function field(name) {
  return find(`#${name}`, HTMLInputElement);
}

/**
 * Which radio button of a group is chosen.
 * @param {string} name
 */
export function chosen(name) {
  const found = document.querySelector(`input[name="${name}"]:checked`);
  return found instanceof HTMLInputElement ? found.value : "";
}

/**
 * Choose a radio button of a group; where none has the value, the usual one.
 * @param {string} name
 * @param {string} value
 * @param {string} [usual]
 */
export function choose(name, value, usual = value) {
  const found = [...document.querySelectorAll(`input[name="${name}"]`)];
  const buttons = found.filter((each) => each instanceof HTMLInputElement);
  const wanted = buttons.some((each) => each.value === value) ? value : usual;
  for (const each of buttons) {
    each.checked = each.value === wanted;
  }
}

/**
 * Radio buttons for a group.
 * @param {string} place
 * @param {string} name
 * @param {[value: string, words: string][]} choices
 */
export function addChoices(place, name, choices) {
  const group = find(place, HTMLElement);
  for (const each of group.querySelectorAll("label")) {
    each.remove();
  }
  for (const [value, words] of choices) {
    group.append(element("label", {}, element("input", { type: "radio", name, value }), words));
  }
}
