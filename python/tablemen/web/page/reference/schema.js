// The schemas of the API: descriptions, sample values and curl commands.

import { element } from "../ui.js";

/** A schema, or any other part of the OpenAPI document. @typedef {Record<string, any>} Schema */
/** @typedef {{path: string, method: string, operation: Schema}} Endpoint */

const REFERENCE = "#/components/schemas/";

/**
 * Return the name of a schema that is referenced, or an empty text.
 * @param {Schema} schema
 */
export function nameOf(schema) {
  return typeof schema.$ref === "string" ? schema.$ref.slice(REFERENCE.length) : "";
}

/**
 * Render a text in which backticks mark code.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function inlineText(text) {
  return text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

/**
 * Render a text whose paragraphs are separated by empty lines.
 * @param {string} text
 */
export function paragraphs(text) {
  return text.split(/\n\s*\n/).map((each) => element("p", {}, ...inlineText(each.replaceAll("\n", " "))));
}

/**
 * Create a link to a type.
 * @param {string} name
 */
export function link(name) {
  return element("a", { href: `#type-${name}` }, element("code", {}, name));
}

/**
 * Join lists of nodes with a separator.
 * @param {(Node | string)[][]} parts
 * @param {string} between
 */
export function joined(parts, between) {
  return parts.flatMap((part, index) => (index ? [between, ...part] : part));
}

/**
 * Render the type of a value, with links.
 * @param {Schema} schema
 * @returns {(Node | string)[]}
 */
export function kind(schema) {
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
    return schema.additionalProperties ? ["object with values of type ", ...kind(schema.additionalProperties)] : ["object"];
  }
  return [String(schema.type ?? "any value")];
}

/**
 * Describe the bounds of a value.
 * @param {Schema} schema
 * @returns {string}
 */
function bounds(schema) {
  const one = /** @type {Schema} */ (schema.anyOf?.find((/** @type {Schema} */ each) => each.type !== "null") ?? schema);
  const parts = [
    one.minimum !== undefined ? `from ${one.minimum}` : "",
    one.exclusiveMinimum !== undefined ? `above ${one.exclusiveMinimum}` : "",
    one.maximum !== undefined ? `to ${one.maximum}` : "",
    one.maxLength !== undefined ? `at most ${one.maxLength} characters` : "",
    one.maxItems !== undefined ? `at most ${one.maxItems}` : "",
  ];
  return parts.filter((each) => each).join(" ");
}

/**
 * Render the name, the type and the description of a field.
 * @param {string} name
 * @param {Schema} schema
 * @param {{required: boolean, about?: string, from?: string}} facts
 */
export function field(name, schema, { required, about = schema.description ?? "", from = "" }) {
  const plain = schema.default !== undefined && schema.default !== null && typeof schema.default !== "object";
  const extra = [
    from,
    bounds(schema),
    required ? "required" : plain && schema.const === undefined ? `default ${JSON.stringify(schema.default)}` : "",
  ].filter((each) => each);
  return [
    element("dt", {}, element("code", {}, name)),
    element(
      "dd",
      {},
      element("span", { class: "kind" }, ...kind(schema), ...(extra.length ? [`; ${extra.join("; ")}`] : [])),
      ...(about ? [" ", element("span", {}, ...inlineText(about))] : []),
    ),
  ];
}

/**
 * Render the fields of a type.
 * @param {Schema} schema
 */
export function fields(schema) {
  const names = Object.entries(/** @type {Record<string, Schema>} */ (schema.properties ?? {}));
  if (!names.length) {
    return element("p", { class: "muted" }, "No fields.");
  }
  const required = new Set(/** @type {string[]} */ (schema.required ?? []));
  return element("dl", { class: "fields" }, ...names.flatMap(([name, each]) => field(name, each, { required: required.has(name) })));
}

/**
 * Return a sample value with only the required fields.
 * @param {Schema} schema
 * @param {Record<string, Schema>} known
 * @returns {unknown}
 */
export function sample(schema, known) {
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
 * Return a curl command for an endpoint.
 * @param {Endpoint} endpoint
 * @param {Record<string, Schema>} known
 */
export function command({ path, method, operation }, known) {
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
