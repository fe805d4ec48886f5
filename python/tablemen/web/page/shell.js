// What every page has: the switches for light and dark and for sounds, and what they are set to.

import { find } from "./dom.js";

const THEMES = ["auto", "light", "dark"];

/** What the browser did not keep: it holds as long as the page. @type {Map<string, string>} */
const unkept = new Map();

/**
 * A setting that this browser keeps.
 * @param {string} name
 * @param {string} usual
 */
export function setting(name, usual) {
  const value = unkept.get(name);
  if (value !== undefined) {
    return value;
  }
  try {
    return localStorage.getItem(`tablemen.${name}`) ?? usual;
  } catch {
    return usual; // a browser that keeps nothing
  }
}

/**
 * Keep a setting.
 * @param {string} name
 * @param {string} value
 * @returns {boolean} whether it is there after the page
 */
export function keep(name, value) {
  try {
    localStorage.setItem(`tablemen.${name}`, value);
    unkept.delete(name);
    return true;
  } catch {
    unkept.set(name, value);
    return false;
  }
}

function showTheme() {
  const theme = setting("theme", "auto");
  if (theme === "auto") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  const button = find("#theme", HTMLButtonElement);
  button.setAttribute("aria-label", `Colours: ${theme === "auto" ? "as the system has them" : theme}`);
  button.title = button.getAttribute("aria-label") ?? "";
}

function showSound() {
  const button = find("#sound", HTMLButtonElement);
  button.setAttribute("aria-pressed", String(setting("sound", "off") === "on"));
}

find("#theme", HTMLButtonElement).addEventListener("click", () => {
  const next = (THEMES.indexOf(setting("theme", "auto")) + 1) % THEMES.length;
  keep("theme", THEMES[next] ?? "auto");
  showTheme();
});
find("#sound", HTMLButtonElement).addEventListener("click", () => {
  keep("sound", setting("sound", "off") === "on" ? "off" : "on");
  showSound();
});
showTheme();
showSound();
