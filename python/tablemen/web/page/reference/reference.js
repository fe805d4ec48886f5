// The API reference page, built from /api/openapi.json.

import { fetchJson } from "../api.js";
import { announce, count, element, find } from "../ui.js";
import { command, field, fields, inlineText, joined, kind, link, nameOf, paragraphs, sample } from "./schema.js";

/** @typedef {import("./schema.js").Endpoint} Endpoint */
/** @typedef {import("./schema.js").Schema} Schema */

const TITLES = /** @type {Record<string, string>} */ ({
  positions: "Variants and positions",
  games: "Games",
  analysis: "Analysis",
  files: "Game files",
});

const main = find("#main", HTMLElement);

/**
 * Create the table of contents, with a field to search the sections.
 * @param {HTMLElement[]} sections
 */
function contents(sections) {
  const items = sections.map((one) => {
    const panels = /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-entry]")]);
    const heading = find("h2", HTMLElement, one);
    return {
      one,
      title: element("li", {}, element("a", { href: `#${heading.id}` }, heading.textContent ?? "")),
      entries: panels.map((panel) => ({
        panel,
        text: [...panel.querySelectorAll("h3, p, dt, dd")].map((each) => each.textContent).join(" ").toLowerCase(),
        item: element("li", { class: "entry" }, element("a", { href: `#${panel.id}` }, panel.dataset.entry ?? "")),
      })),
    };
  });
  const search = element("input", { type: "search", id: "search", placeholder: "variant, clock, hint …", autocomplete: "off" });
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const { one, title, entries } of items) {
      let any = false;
      for (const { panel, text, item } of entries) {
        const fits = text.includes(wanted);
        panel.hidden = item.hidden = !fits;
        any ||= fits;
        found += Number(fits);
      }
      one.hidden = title.hidden = !any;
    }
    announce(count(found, "entry", "entries"));
  });
  return element(
    "nav",
    { class: "contents", "aria-label": "Contents" },
    element("div", { class: "field" }, element("label", { for: "search" }, "Search"), search),
    element("ul", {}, ...items.flatMap(({ title, entries }) => [title, ...entries.map(({ item }) => item)])),
  );
}

/**
 * Return the id of a heading.
 * @param {string} text
 */
function anchorId(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/**
 * Describe an endpoint.
 * @param {Endpoint} endpoint
 * @param {Record<string, Schema>} known
 */
function endpointPanel(endpoint, known) {
  const { path, method, operation } = endpoint;
  const parameters = /** @type {Schema[]} */ (operation.parameters ?? []);
  const body = /** @type {Schema | undefined} */ (operation.requestBody?.content?.["application/json"]?.schema);
  const label = `${method} ${path}`;
  return element(
    "article",
    { class: "panel", id: anchorId(label), "data-entry": label },
    element("h3", {}, element("a", { href: `#${anchorId(label)}` }, element("span", { class: "method" }, method), " ", element("code", {}, path))),
    ...paragraphs(operation.description ?? operation.summary ?? ""),
    element("pre", {}, element("code", {}, command(endpoint, known))),
    ...(parameters.length
      ? [
          element("h4", {}, "Parameters"),
          element(
            "dl",
            { class: "fields" },
            ...parameters.flatMap((each) =>
              field(each.name, each.schema ?? {}, {
                required: each.required,
                about: each.description ?? "",
                from: each.in === "query" ? "" : `in the ${each.in}`,
              }),
            ),
          ),
        ]
      : []),
    ...(body ? [element("h4", {}, "Body: ", ...kind(body)), fields(known[nameOf(body)] ?? body)] : []),
    element("h4", {}, "Responses"),
    responseList(operation.responses ?? {}),
  );
}

/**
 * List the responses by their status.
 * @param {Record<string, Schema>} responses
 */
function responseList(responses) {
  const sorted = Object.entries(responses).sort(([one], [other]) => Number(one) - Number(other));
  return element(
    "dl",
    { class: "fields" },
    ...sorted.flatMap(([status, response]) => {
      const content = Object.entries(/** @type {Record<string, Schema>} */ (response.content ?? {}));
      const shown = content.map(([type, { schema }]) => [
        ...(schema && Object.keys(schema).length ? kind(schema) : []),
        type === "application/json" ? "" : ` as ${type}`,
      ]);
      return [
        element("dt", {}, element("code", {}, status)),
        element("dd", {}, element("span", { class: "kind" }, ...joined(shown, ", ")), " ", ...inlineText(response.description ?? "")),
      ];
    }),
  );
}

/**
 * Describe a WebSocket and its messages.
 * @param {Schema} socket
 * @param {Record<string, Schema>} known
 */
function socketPanel(socket, known) {
  const label = `WS ${socket.path}`;
  return element(
    "article",
    { class: "panel", id: anchorId(label), "data-entry": label },
    element("h3", {}, element("a", { href: `#${anchorId(label)}` }, element("span", { class: "method" }, "WS"), " ", element("code", {}, socket.path))),
    ...paragraphs(socket.description),
    element("h4", {}, "You send"),
    ...socket.sent.flatMap((/** @type {Schema} */ each) => [
      element("p", {}, link(nameOf(each)), ", with the required fields:"),
      element("pre", {}, element("code", {}, JSON.stringify(sample(each, known)))),
    ]),
    element("h4", {}, "You receive"),
    element("p", {}, ...joined(socket.received.map((/** @type {Schema} */ each) => [link(nameOf(each))]), ", ")),
  );
}

/**
 * Describe a type of requests or responses.
 * @param {string} name
 * @param {Schema} schema
 */
function typePanel(name, schema) {
  return element(
    "article",
    { class: "panel", id: `type-${name}`, "data-entry": name },
    element("h3", {}, element("a", { href: `#type-${name}` }, element("code", {}, name))),
    ...paragraphs(schema.description ?? ""),
    fields(schema),
  );
}

/**
 * @param {string} title
 * @param {HTMLElement[]} panels
 */
function section(title, panels) {
  const id = anchorId(title);
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
      byTag.set(tag, [...(byTag.get(tag) ?? []), endpointPanel({ path, method: method.toUpperCase(), operation }, known)]);
    }
  }
  const sockets = /** @type {Schema[]} */ (description["x-sockets"] ?? []);
  return [
    ...[...byTag].map(([tag, panels]) => section(TITLES[tag] ?? tag, panels)),
    section("WebSockets", sockets.map((each) => socketPanel(each, known))),
    section("Types", Object.entries(known).map(([name, schema]) => typePanel(name, schema))),
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
        element("h1", {}, `${description.info.title} ${description.info.version} API`),
        ...paragraphs(description.info.description ?? ""),
        element("p", {}, "OpenAPI document: ", element("a", { href: "/api/openapi.json" }, "openapi.json"), "."),
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
