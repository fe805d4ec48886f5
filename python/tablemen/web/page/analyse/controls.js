// The keys of the page, and the list of them.

import { element } from "../ui.js";

const ON_BOARD =
  "On the board, where the tab key leads: the arrow keys go from square to square, Enter picks, Escape puts back.";

/** @typedef {{key: string, shown: string, does: string, run: () => void}} Shortcut */

/**
 * Listen to keys. They are off in fields; on the board the arrow keys are the board's own, unless the mouse led there.
 * @param {Shortcut[]} shortcuts
 * @param {() => boolean} isOff
 */
export function listenToKeys(shortcuts, isOff) {
  const runs = new Map(shortcuts.map(({ key, run }) => [key, run]));
  let isPointing = false;
  addEventListener("pointerdown", () => (isPointing = true), true);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Tab") {
        isPointing = false;
      }
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      const run = event.ctrlKey || event.altKey || event.metaKey ? undefined : runs.get(event.key);
      if (!run || isOff() || belongsTo(target, event.key, isPointing)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      run();
    },
    true,
  );
}

/**
 * Whether a key means something to what has the focus.
 * @param {HTMLElement} target
 * @param {string} key
 * @param {boolean} isPointing
 */
function belongsTo(target, key, isPointing) {
  if (target.closest("input, textarea, select, dialog")) {
    return true;
  }
  if (target.closest(".board-place")) {
    return !isPointing && key.length > 1; // letters mean nothing to the board
  }
  return target.closest('[role="slider"], .scrolling') !== null && key.length > 1;
}

/**
 * Show the list of keys.
 * @param {Shortcut[]} shortcuts
 */
export function showKeys(shortcuts) {
  const rows = shortcuts.map(({ shown, does }) =>
    element("tr", {}, element("td", {}, element("kbd", {}, shown)), element("td", {}, does)),
  );
  const dialog = element(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    element("h2", { id: "keys-title" }, "Keys"),
    element("table", {}, element("tbody", {}, ...rows)),
    element("p", { class: "muted" }, ON_BOARD),
    element(
      "div",
      { class: "row end" },
      element("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
