// A pit of a mancala board in words, for whoever hears it.

import { capital, count } from "../ui.js";

/**
 * What lies in a pit and what can be done with it.
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
