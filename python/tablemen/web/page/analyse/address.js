// Links that hold a position: the variant, where it begins, and the moves to here.

import { toQuery } from "../api.js";

/** @typedef {import("../api-types").PositionSpec} PositionSpec */

const PATH = "/analyse";

/** An address that makes no sense, and why. */
export class BadLink extends Error {}

/**
 * The address of a position on this page.
 * @param {PositionSpec} subject
 * @param {string | null} [orientation] the side at the bottom, where that is not the usual one
 */
export function formatAddress(subject, orientation = null) {
  return `${PATH}?${toQuery(subject, { moves: subject.moves?.join(" ") ?? "", orientation: orientation ?? "" })}`;
}

/**
 * The side that an address asks to be at the bottom; empty where it does not say.
 * @param {string} search
 */
export function parseOrientation(search) {
  return new URLSearchParams(search).get("orientation") ?? "";
}

/**
 * What an address asks for; null where it asks for nothing. Raises `BadLink` where it makes no sense.
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
