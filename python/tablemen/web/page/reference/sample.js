// Sample values and commands.

import { nameOf } from "./schema.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {{path: string, method: string, operation: Schema}} Question */

/**
 * Return a minimal valid value.
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
 * Return a command that sends a request.
 * @param {Question} question
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
