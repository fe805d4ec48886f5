// The buttons in the header of every page: theme (system, light, dark) and sounds.

import { find, saveSetting, setting } from "./ui.js";

const THEMES = ["auto", "light", "dark"];

function showTheme() {
  const theme = setting("theme", "auto");
  if (theme === "auto") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  const button = find("#theme", HTMLButtonElement);
  button.setAttribute("aria-label", `Theme: ${theme === "auto" ? "system" : theme}`);
  button.title = button.getAttribute("aria-label") ?? "";
}

function showSound() {
  const button = find("#sound", HTMLButtonElement);
  button.setAttribute("aria-pressed", String(setting("sound", "off") === "on"));
}

find("#theme", HTMLButtonElement).addEventListener("click", () => {
  const next = (THEMES.indexOf(setting("theme", "auto")) + 1) % THEMES.length;
  saveSetting("theme", THEMES[next] ?? "auto");
  showTheme();
});
find("#sound", HTMLButtonElement).addEventListener("click", () => {
  saveSetting("sound", setting("sound", "off") === "on" ? "off" : "on");
  showSound();
});
showTheme();
showSound();
