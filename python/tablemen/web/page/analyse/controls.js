// Controls of the analysis page: icon buttons, dialogs and keyboard shortcuts.

import { element, picture } from "../ui.js";

const BOARD_KEYS =
  "Press Tab to reach the board. There the arrow keys move the cursor, Enter selects, and Escape deselects.";

/** @typedef {{key: string, shown: string, does: string, run: () => void}} Shortcut */

const PATHS = {
  first: "M5 5h2v14H5zM20 5v14l-6-7zM14 5v14l-6-7z",
  back: "M16 5v14L7 12z",
  forward: "M8 5v14l9-7z",
  last: "M17 5h2v14h-2zM4 5l6 7-6 7zM10 5l6 7-6 7z",
  flip: "M7 4 3 8h3v9h2V8h3zM17 20l4-4h-3V7h-2v9h-3z",
  edit: "M4 16.5V20h3.5L18 9.5 14.5 6zM20.4 7.1a1 1 0 0 0 0-1.4l-2.1-2.1a1 1 0 0 0-1.4 0l-1.4 1.4L19 8.5z",
  fresh: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  help: "M11 17h2v2h-2zm1-13a4 4 0 0 0-4 4h2a2 2 0 1 1 3 1.7c-1.3.8-2 1.6-2 3.3h2c0-1 .4-1.3 1.3-1.9A4 4 0 0 0 12 4z",
  play: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm-2 4.5 6 3.5-6 3.5z",
  up: "M12 6l6 6h-4v7h-4v-7H6z",
  star: "M12 4l2.4 5 5.6.8-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.6-.8z",
  comment: "M4 4h16v12h-9l-5 4v-4H4z",
  more: "M5.4 8.3 12 14.9l6.6-6.6L20 9.7l-8 8-8-8z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z",
  remove: "M8 5V4h8v1h4v2H4V5zM6 8h12l-1 12H7z",
  link: [
    "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3 1.4 1.4L14.7 7a2 2 0 1 1 2.9 2.9l-3 3a2 2 0 0 1-3-.2z",
    "M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3-1.4-1.4L9.3 17a2 2 0 1 1-2.9-2.9l3-3a2 2 0 0 1 3 .2z",
  ].join(""),
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return picture("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, picture("path", { d: PATHS[name] }));
}

/**
 * Create a button with an icon. The label is also the tooltip.
 * @param {keyof typeof PATHS} name
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [text] beside the icon
 */
export function iconButton(name, label, onclick, text = "") {
  const attributes = text ? { title: label } : { "aria-label": label, title: label };
  const kind = text ? "" : "icon";
  return element("button", { type: "button", class: kind, ...attributes, onclick }, icon(name), text || null);
}

/**
 * Ask the user for confirmation. Escape cancels.
 * @param {string} text
 * @param {string} yes the label of the button that confirms
 * @returns {Promise<boolean>}
 */
export function confirm(text, yes) {
  return new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { class: "question", "aria-labelledby": "question-text" },
      element("p", { id: "question-text" }, text),
      element(
        "div",
        { class: "row end" },
        element("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
        element("button", { type: "button", class: "primary", onclick: () => dialog.close("yes") }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Handle the shortcuts, except in input fields. The board handles arrow keys itself, unless the user has used the
 * pointer since the last Tab.
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
      if (!run || isOff() || handlesKey(target, event.key, isPointing)) {
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
 * Return whether the focused element handles a key itself.
 * @param {HTMLElement} target
 * @param {string} key
 * @param {boolean} isPointing
 */
function handlesKey(target, key, isPointing) {
  if (target.closest("input, textarea, select, dialog")) {
    return true;
  }
  if (target.closest(".board-place")) {
    return !isPointing && key.length > 1; // the board does not use letters
  }
  return target.closest('[role="slider"], .scrolling') !== null && key.length > 1;
}

/**
 * Show the list of shortcuts.
 * @param {Shortcut[]} shortcuts
 */
export function showKeys(shortcuts) {
  const rows = shortcuts.map(({ shown, does }) =>
    element("tr", {}, element("td", {}, element("kbd", {}, shown)), element("td", {}, does)),
  );
  const dialog = element(
    "dialog",
    { class: "keys", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    element("h2", { id: "keys-title" }, "Keyboard shortcuts"),
    element("table", {}, element("tbody", {}, ...rows)),
    element("p", { class: "muted" }, BOARD_KEYS),
    element(
      "div",
      { class: "row end" },
      element("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
