// The reference of the API: what can be asked, with what, and what is answered; all of it from /api/openapi.json.

import { fetchJson } from "../api.js";
import { element, find } from "../ui.js";
import { contents } from "./contents.js";
import { anchorOf, questionPanel, socketPanel, valuePanel } from "./panels.js";
import { paragraphs } from "./schema.js";

/** @typedef {import("./schema.js").Schema} Schema */

const TITLES = /** @type {Record<string, string>} */ ({
  positions: "Variants and positions",
  games: "Games",
  analysis: "Analysis",
  files: "Game files",
});

const main = find("#main", HTMLElement);

/**
 * @param {string} title
 * @param {HTMLElement[]} panels
 */
function section(title, panels) {
  const id = anchorOf(title);
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...panels);
}

/** @param {Schema} description */
function sections(description) {
  const known = /** @type {Record<string, Schema>} */ (description.components?.schemas ?? {});
  /** @type {Map<string, HTMLElement[]>} */
  const byTag = new Map();
  for (const [path, methods] of Object.entries(/** @type {Record<string, Schema>} */ (description.paths))) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "others";
      byTag.set(tag, [...(byTag.get(tag) ?? []), questionPanel({ path, method: method.toUpperCase(), operation }, known)]);
    }
  }
  const sockets = /** @type {Schema[]} */ (description["x-sockets"] ?? []);
  return [
    ...[...byTag].map(([tag, panels]) => section(TITLES[tag] ?? tag, panels)),
    section("Sockets", sockets.map((each) => socketPanel(each, known))),
    section("Values", Object.entries(known).map(([name, schema]) => valuePanel(name, schema))),
  ];
}

async function show() {
  const description = /** @type {Schema} */ (await fetchJson("GET", "/api/openapi.json"));
  const shown = sections(description);
  main.append(
    element(
      "div",
      { class: "reference" },
      contents(shown),
      element(
        "div",
        { class: "entries" },
        element("h1", {}, `API of ${description.info.title} ${description.info.version}`),
        ...paragraphs(description.info.description ?? ""),
        element("p", {}, "For programs: ", element("a", { href: "/api/openapi.json" }, "openapi.json"), "."),
        ...shown,
      ),
    ),
  );
  if (location.hash) {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
}

show().catch((error) => {
  main.append(element("h1", {}, "API"), element("p", { class: "notice bad" }, `The reference could not be loaded: ${error.message}`));
});
