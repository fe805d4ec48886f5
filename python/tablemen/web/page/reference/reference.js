// A panel for each question, socket and value.

import { element } from "../ui.js";
import { command, sample } from "./sample.js";
import { field, fields, joined, kind, link, nameOf, paragraphs, words } from "./schema.js";

/** @typedef {import("./sample.js").Question} Question */
/** @typedef {import("./schema.js").Schema} Schema */

/** @param {string} text */
export function anchorOf(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/**
 * A question, with all that belongs to it.
 * @param {Question} question
 * @param {Record<string, Schema>} known
 */
export function questionPanel(question, known) {
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
 * A socket, and what is said over it.
 * @param {Schema} socket
 * @param {Record<string, Schema>} known
 */
export function socketPanel(socket, known) {
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
export function valuePanel(name, schema) {
  return element(
    "article",
    { class: "panel", id: `value-${name}`, "data-entry": name },
    element("h3", {}, element("a", { href: `#value-${name}` }, element("code", {}, name))),
    ...paragraphs(schema.description ?? ""),
    fields(schema),
  );
}
