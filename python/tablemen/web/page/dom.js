// Helpers to create elements, announcements and toasts.

/**
 * Create an element with attributes, listeners (`onclick`) and children. Text is never parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes] `class`, `aria-…`, `data-…`; true is an attribute without a value, false and
 *   null omit it; functions are listeners
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function picture(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Find an element that the page must have.
 * @template {HTMLElement} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [within]
 * @returns {E}
 */
export function find(selector, kind, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) {
    throw new TypeError(`the page has no ${selector}`);
  }
  return found;
}

/**
 * Announce a text to screen readers, also if it is the same as before.
 * @param {string} text
 */
export function announce(text) {
  const region = find("#announcer", HTMLElement);
  region.replaceChildren(element("p", {}, text));
}

/**
 * Show a text for a few seconds, and announce it.
 * @param {string} text
 */
export function toast(text) {
  const shown = element("div", { class: "toast" }, text);
  find("#toasts", HTMLElement).append(shown);
  announce(text);
  setTimeout(() => shown.remove(), 5000);
}
