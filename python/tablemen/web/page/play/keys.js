// Keys that work everywhere on the page of a game, and the help that lists them.

import { find, saveSetting, setting } from "../ui.js";

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
 * Listen for keys; those of text fields are left alone, and those of the board, unless a mouse or finger led there.
 * @param {Steps} steps
 */
export function listenToKeys(steps) {
  const help = find("#help", HTMLDialogElement);
  const letters = find("#letters", HTMLInputElement);
  letters.checked = setting("letters", "on") === "on";
  letters.addEventListener("change", () => saveSetting("letters", letters.checked ? "on" : "off"));
  find("#show-help", HTMLElement).addEventListener("click", () => help.showModal());
  find("#close-help", HTMLElement).addEventListener("click", () => help.close());
  let isPointing = false;
  addEventListener("pointerdown", () => (isPointing = true), true);
  addEventListener(
    "keydown",
    (event) => {
      isPointing &&= event.key !== "Tab";
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (isOther || help.open || isTyping(event.target) || isOfBoard(event, isPointing)) {
        return;
      }
      if (useKey(event.key, steps, letters.checked)) {
        event.preventDefault();
        if (event.target instanceof Element && event.target.closest("#board")) {
          event.stopPropagation(); // the board has an arrow of its own
        }
      }
    },
    true,
  );
}

/**
 * Whether a key means something on the board, where the focus is: the arrows do for who came by keyboard, and Escape
 * while something is picked.
 * @param {KeyboardEvent} event
 * @param {boolean} isPointing
 */
function isOfBoard({ key, target }, isPointing) {
  const board = target instanceof Element ? target.closest("#board") : null;
  if (board === null || !(key in STEPS)) {
    return false;
  }
  return key === "Escape" ? board.querySelector('[aria-selected="true"]') !== null : !isPointing;
}

/**
 * @param {string} key
 * @param {Steps} steps
 * @param {boolean} withLetters
 */
function useKey(key, steps, withLetters) {
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  if (step) {
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
