// The reference of the API: what can be asked, with what, and what is answered; all of it from /api/openapi.json.

import { ask } from "./api.js";
import { announce, element, find } from "./dom.js";

/** @typedef {Record<string, any>} Schema */
/** @typedef {{path: string, method: string, operation: Schema}} Question */

const REFERENCE = "#/components/schemas/";
const TITLES = /** @type {Record<string, string>} */ ({
  positions: "Variants and positions",
  games: "Games",
  analysis: "Analysis",
  files: "Game files",
});

const main = find("#main", HTMLElement);

/**
 * Words with `code` in them.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function words(text) {
  return text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

/**
 * Paragraphs, as empty lines part them.
 * @param {string} text
 */
function paragraphs(text) {
  return text.split(/\n\s*\n/).map((each) => element("p", {}, ...words(each.replaceAll("\n", " "))));
}

/** @param {string} text */
function anchorOf(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** @param {Schema} schema */
function nameOf(schema) {
  return typeof schema.$ref === "string" ? schema.$ref.slice(REFERENCE.length) : "";
}

/**
 * A link to a value.
 * @param {string} name
 */
function link(name) {
  return element("a", { href: `#value-${name}` }, element("code", {}, name));
}

/**
 * @param {(Node | string)[][]} parts
 * @param {string} between
 */
function joined(parts, between) {
  return parts.flatMap((part, index) => (index ? [between, ...part] : part));
}

/**
 * What a value is, in words and links.
 * @param {Schema} schema
 * @returns {(Node | string)[]}
 */
function kind(schema) {
  if (schema.$ref) {
    return [link(nameOf(schema))];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return joined(choices.map(kind), " or ");
  }
  if (schema.const !== undefined || schema.enum) {
    const values = /** @type {unknown[]} */ (schema.enum ?? [schema.const]);
    return joined(values.map((each) => [element("code", {}, JSON.stringify(each))]), " or ");
  }
  if (schema.type === "array") {
    return ["list of ", ...kind(schema.items ?? {})];
  }
  if (schema.type === "object") {
    return schema.additionalProperties ? ["by name: ", ...kind(schema.additionalProperties)] : ["object"];
  }
  return [String(schema.type ?? "any value")];
}

/**
 * The bounds of a value, in words.
 * @param {Schema} schema
 * @returns {string}
 */
function bounds(schema) {
  const one = /** @type {Schema} */ (schema.anyOf?.find((/** @type {Schema} */ each) => each.type !== "null") ?? schema);
  const told = [
    one.minimum !== undefined ? `from ${one.minimum}` : "",
    one.exclusiveMinimum !== undefined ? `above ${one.exclusiveMinimum}` : "",
    one.maximum !== undefined ? `to ${one.maximum}` : "",
    one.maxLength !== undefined ? `at most ${one.maxLength} characters` : "",
    one.maxItems !== undefined ? `at most ${one.maxItems}` : "",
  ];
  return told.filter((each) => each).join(" ");
}

/**
 * A name, what it is, and what it means.
 * @param {string} name
 * @param {Schema} schema
 * @param {{required: boolean, about?: string, from?: string}} facts
 */
function field(name, schema, { required, about = schema.description ?? "", from = "" }) {
  const plain = schema.default !== undefined && schema.default !== null && typeof schema.default !== "object";
  const extra = [
    from,
    bounds(schema),
    required ? "required" : plain && schema.const === undefined ? `else ${JSON.stringify(schema.default)}` : "",
  ].filter((each) => each);
  return [
    element("dt", {}, element("code", {}, name)),
    element(
      "dd",
      {},
      element("span", { class: "kind" }, ...kind(schema), ...(extra.length ? [`; ${extra.join("; ")}`] : [])),
      ...(about ? [" ", element("span", {}, ...words(about))] : []),
    ),
  ];
}

/**
 * The fields of a value.
 * @param {Schema} schema
 */
function fields(schema) {
  const names = Object.entries(/** @type {Record<string, Schema>} */ (schema.properties ?? {}));
  if (!names.length) {
    return element("p", { class: "muted" }, "No fields.");
  }
  const required = new Set(/** @type {string[]} */ (schema.required ?? []));
  return element("dl", { class: "fields" }, ...names.flatMap(([name, each]) => field(name, each, { required: required.has(name) })));
}

/**
 * A value that would do, with no more than it must have.
 * @param {Schema} schema
 * @param {Record<string, Schema>} known
 * @returns {unknown}
 */
function sample(schema, known) {
  if (schema.$ref) {
    return sample(known[nameOf(schema)] ?? {}, known);
  }
  if (schema.examples?.length) {
    return schema.examples[0];
  }
  if (schema.const !== undefined || schema.enum) {
    return schema.const ?? schema.enum[0];
  }
  if (schema.anyOf) {
    return sample(schema.anyOf[0], known);
  }
  if (schema.type === "object") {
    const properties = /** @type {Record<string, Schema>} */ (schema.properties ?? {});
    const required = new Set(/** @type {string[]} */ (schema.required ?? []));
    const needed = Object.entries(properties).filter(([name, each]) => required.has(name) || each.const !== undefined);
    return Object.fromEntries(needed.map(([name, each]) => [name, sample(each, known)]));
  }
  return /** @type {Record<string, unknown>} */ ({ array: [], integer: 1, number: 1, boolean: true })[schema.type] ?? "…";
}

/**
 * A command that asks it.
 * @param {Question} question
 * @param {Record<string, Schema>} known
 */
function command({ path, method, operation }, known) {
  const parameters = /** @type {Schema[]} */ (operation.parameters ?? []);
  const query = parameters
    .filter((each) => each.in === "query" && each.required)
    .map((each) => `${each.name}=${sample({ examples: ["international"], ...each.schema }, known)}`)
    .join("&");
  const body = operation.requestBody?.content?.["application/json"]?.schema;
  const lines = operation.responses?.["200"]?.content?.["application/x-ndjson"];
  const place = path.replace("{name}", "international").replace(/\{(\w+)\}/g, (_, name) => `$${name.toUpperCase()}`);
  return [
    `curl ${lines ? "-N " : ""}"${location.origin}${place}${query ? `?${query}` : ""}"`,
    ...(parameters.some((each) => each.name === "authorization") && method === "POST" ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(sample(body, known))}'`] : []),
  ].join(" \\\n  ");
}

/**
 * What can be answered, by its status.
 * @param {Record<string, Schema>} responses
 */
function answers(responses) {
  const told = Object.entries(responses).sort(([one], [other]) => Number(one) - Number(other));
  return element(
    "dl",
    { class: "fields" },
    ...told.flatMap(([status, answer]) => {
      const content = Object.entries(/** @type {Record<string, Schema>} */ (answer.content ?? {}));
      const shown = content.map(([type, { schema }]) => [
        ...(schema && Object.keys(schema).length ? kind(schema) : []),
        type === "application/json" ? "" : ` as ${type}`,
      ]);
      return [
        element("dt", {}, element("code", {}, status)),
        element("dd", {}, element("span", { class: "kind" }, ...joined(shown, ", ")), " ", ...words(answer.description ?? "")),
      ];
    }),
  );
}

/**
 * A question, with all that belongs to it.
 * @param {Question} question
 * @param {Record<string, Schema>} known
 */
function questionPanel(question, known) {
  const { path, method, operation } = question;
  const parameters = /** @type {Schema[]} */ (operation.parameters ?? []);
  const body = /** @type {Schema | undefined} */ (operation.requestBody?.content?.["application/json"]?.schema);
  const label = `${method} ${path}`;
  return element(
    "article",
    { class: "panel", id: anchorOf(label), "data-entry": label },
    element("h3", {}, element("a", { href: `#${anchorOf(label)}` }, element("span", { class: "method" }, method), " ", element("code", {}, path))),
    ...paragraphs(operation.description ?? operation.summary ?? ""),
    element("pre", {}, element("code", {}, command(question, known))),
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
    element("h4", {}, "Answers"),
    answers(operation.responses ?? {}),
  );
}

/**
 * A socket, and what is said over it.
 * @param {Schema} socket
 * @param {Record<string, Schema>} known
 */
function socketPanel(socket, known) {
  const label = `WS ${socket.path}`;
  return element(
    "article",
    { class: "panel", id: anchorOf(label), "data-entry": label },
    element("h3", {}, element("a", { href: `#${anchorOf(label)}` }, element("span", { class: "method" }, "WS"), " ", element("code", {}, socket.path))),
    ...paragraphs(socket.description),
    element("h4", {}, "You send"),
    ...socket.sent.flatMap((/** @type {Schema} */ each) => [
      element("p", {}, link(nameOf(each)), ", at least:"),
      element("pre", {}, element("code", {}, JSON.stringify(sample(each, known)))),
    ]),
    element("h4", {}, "You are told"),
    element("p", {}, ...joined(socket.told.map((/** @type {Schema} */ each) => [link(nameOf(each))]), ", ")),
  );
}

/**
 * A value that is sent or told.
 * @param {string} name
 * @param {Schema} schema
 */
function valuePanel(name, schema) {
  return element(
    "article",
    { class: "panel", id: `value-${name}`, "data-entry": name },
    element("h3", {}, element("a", { href: `#value-${name}` }, element("code", {}, name))),
    ...paragraphs(schema.description ?? ""),
    fields(schema),
  );
}

/**
 * @param {string} title
 * @param {HTMLElement[]} panels
 */
function section(title, panels) {
  const id = anchorOf(title);
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...panels);
}

/** @param {Schema} document_ */
function sections(document_) {
  const known = /** @type {Record<string, Schema>} */ (document_.components?.schemas ?? {});
  /** @type {Map<string, HTMLElement[]>} */
  const byTag = new Map();
  for (const [path, methods] of Object.entries(/** @type {Record<string, Schema>} */ (document_.paths))) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "others";
      byTag.set(tag, [...(byTag.get(tag) ?? []), questionPanel({ path, method: method.toUpperCase(), operation }, known)]);
    }
  }
  const sockets = /** @type {Schema[]} */ (document_["x-sockets"] ?? []);
  return [
    ...[...byTag].map(([tag, panels]) => section(TITLES[tag] ?? tag, panels)),
    section("Sockets", sockets.map((each) => socketPanel(each, known))),
    section("Values", Object.entries(known).map(([name, schema]) => valuePanel(name, schema))),
  ];
}

/**
 * A list of all entries, which a few letters make shorter.
 * @param {HTMLElement[]} shown
 */
function contents(shown) {
  const items = shown.map((one) => {
    const panels = /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-entry]")]);
    return {
      one,
      title: element("li", {}, element("a", { href: `#${find("h2", HTMLElement, one).id}` }, find("h2", HTMLElement, one).textContent ?? "")),
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
    let count = 0;
    for (const { one, title, entries } of items) {
      let any = false;
      for (const { panel, text, item } of entries) {
        const fits = text.includes(wanted);
        panel.hidden = item.hidden = !fits;
        any ||= fits;
        count += Number(fits);
      }
      one.hidden = title.hidden = !any;
    }
    announce(count === 1 ? "1 entry" : `${count} entries`);
  });
  return element(
    "nav",
    { class: "contents", "aria-label": "Contents" },
    element("div", { class: "field" }, element("label", { for: "search" }, "Search"), search),
    element("ul", {}, ...items.flatMap(({ title, entries }) => [title, ...entries.map(({ item }) => item)])),
  );
}

async function show() {
  const document_ = /** @type {Schema} */ (await ask("GET", "/api/openapi.json"));
  const shown = sections(document_);
  main.append(
    element(
      "div",
      { class: "reference" },
      contents(shown),
      element(
        "div",
        { class: "entries" },
        element("h1", {}, `API of ${document_.info.title} ${document_.info.version}`),
        ...paragraphs(document_.info.description ?? ""),
        element("p", {}, "For programs: ", element("a", { href: "/api/openapi.json" }, "openapi.json"), "."),
        ...shown,
      ),
    ),
  );
  if (location.hash) {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
}

show().catch((error) => {
  main.append(element("h1", {}, "API"), element("p", { class: "notice bad" }, `The reference could not be loaded: ${error.message}`));
});
