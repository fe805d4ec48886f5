// Keys that work everywhere on the page of a game, and the help that lists them.

import { find } from "../dom.js";
import { keep, setting } from "../shell.js";

/** @typedef {{previous: () => void, next: () => void, first: () => void, last: () => void}} Steps */

const STEPS = /** @type {const} */ ({
  ArrowLeft: "previous",
  ArrowRight: "next",
  ArrowUp: "previous",
  ArrowDown: "next",
  Home: "first",
  End: "last",
  Escape: "last",
});
const BUTTONS = /** @type {Record<string, string>} */ ({ f: "#flip", h: "#hint", u: "#takeback", "?": "#show-help" });

/**
 * Listen for keys; those of text fields and of the board are left alone.
 * @param {Steps} steps
 */
export function listenToKeys(steps) {
  const help = find("#help", HTMLDialogElement);
  const letters = find("#letters", HTMLInputElement);
  letters.checked = setting("letters", "on") === "on";
  letters.addEventListener("change", () => keep("letters", letters.checked ? "on" : "off"));
  find("#show-help", HTMLElement).addEventListener("click", () => help.showModal());
  find("#close-help", HTMLElement).addEventListener("click", () => help.close());
  document.addEventListener("keydown", (event) => {
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (isOther || help.open || isTyping(event.target)) {
      return;
    }
    if (useKey(event.key, event.target, steps, letters.checked)) {
      event.preventDefault();
    }
  });
}

/**
 * @param {string} key
 * @param {EventTarget | null} target
 * @param {Steps} steps
 * @param {boolean} withLetters
 */
function useKey(key, target, steps, withLetters) {
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  const isOnBoard = target instanceof Element && target.closest("#board") !== null;
  if (step && !isOnBoard) {
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
  const selector = BUTTONS[key];
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
