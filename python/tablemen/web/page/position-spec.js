// Requests for a variant, a board size and a position.

import { fetchJson } from "./api.js";

/** @typedef {import("./api-types").PositionSpec} PositionSpec */
/** @typedef {import("./api-types").VariantInfo} VariantInfo */

/**
 * Format a position for a query, without its moves: `variant=…&houses=…`. Defaults are omitted.
 * @param {PositionSpec} subject
 * @param {Record<string, string | number>} [more]
 */
export function toQuery({ variant, houses, seeds, position }, more = {}) {
  const query = new URLSearchParams({ variant });
  for (const [name, value] of Object.entries({ houses, seeds, position, ...more })) {
    if (value !== null && value !== undefined && value !== "") {
      query.set(name, String(value));
    }
  }
  return query;
}

/**
 * Fetch a variant on a board of a given size.
 * @param {PositionSpec} subject
 */
export function fetchVariant({ variant, houses, seeds }) {
  const query = toQuery({ variant, houses, seeds });
  query.delete("variant");
  const path = [`/api/variants/${encodeURIComponent(variant)}`, String(query)].filter(Boolean).join("?");
  return /** @type {Promise<VariantInfo>} */ (fetchJson("GET", path));
}
