// Links that contain a position: the variant, the start, and the moves.

import { toQuery } from "../position-spec.js";

/** @typedef {import("../api-types").PositionSpec} PositionSpec */

const PATH = "/analyse";

/** An invalid address, with the reason. */
export class BadLink extends Error {}

/**
 * Format the address of a position on this page.
 * @param {PositionSpec} subject
 * @param {string | null} [orientation] the side at the bottom, if it is not the default
 */
export function formatAddress(subject, orientation = null) {
  return `${PATH}?${toQuery(subject, { moves: subject.moves?.join(" ") ?? "", orientation: orientation ?? "" })}`;
}

/**
 * Parse the side at the bottom from an address; empty if it has none.
 * @param {string} search
 */
export function parseOrientation(search) {
  return new URLSearchParams(search).get("orientation") ?? "";
}

/**
 * Parse the position of an address; null if it has none. Throws `BadLink` if it is invalid.
 * @param {string} search
 * @returns {PositionSpec | null}
 */
export function parseSpec(search) {
  const query = new URLSearchParams(search);
  const variant = query.get("variant");
  if (variant === null) {
    if ([...query.keys()].some((name) => ["position", "moves"].includes(name))) {
      throw new BadLink("The link does not say which variant it is of.");
    }
    return null;
  }
  return {
    variant,
    houses: wholeNumber(query, "houses"),
    seeds: wholeNumber(query, "seeds"),
    position: query.get("position") || null,
    moves: (query.get("moves") ?? "").split(/\s+/).filter((move) => move),
  };
}

/**
 * @param {URLSearchParams} query
 * @param {string} name
 */
function wholeNumber(query, name) {
  const text = query.get(name);
  if (text === null) {
    return null;
  }
  if (!/^\d{1,4}$/.test(text)) {
    throw new BadLink(`The link says ${name}=${text}, which is not a number.`);
  }
  return Number(text);
}
