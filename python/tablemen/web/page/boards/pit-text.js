// The description of a pit for screen readers.

import { capital, count } from "../text.js";

/**
 * Describe the contents and the state of a pit.
 * @param {{side: string, house: number, seeds: number, canPlay: boolean, isLast: boolean, value: string}} pit `house` is 0
 *   for the store
 */
export function describePit({ side, house, seeds, canPlay, isLast, value }) {
  const parts = [house ? `${capital(side)}, house ${house}` : `${capital(side)}'s store`, count(seeds, "seed")];
  if (canPlay) {
    parts.push("can be played");
  }
  if (isLast) {
    parts.push("last move");
  }
  if (value) {
    parts.push(`value ${value}`);
  }
  return parts.join(", ");
}
