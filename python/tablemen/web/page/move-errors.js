// Explanations why no move begins with a place, from the server.

import { fetchJson } from "./api.js";
import { announce, toast } from "./dom.js";
import { capital } from "./text.js";

/** @typedef {import("./api-types").PlaceExplanation} PlaceExplanation */
/** @typedef {import("./api-types").PlaceQuery} PlaceQuery */

let asked = 0;
let shown = "";
let timer = 0;

/**
 * Explain it: in a toast if the place is occupied, and to screen readers in any case; not again while it is visible.
 * @param {PlaceQuery} question
 * @param {boolean} isOccupied
 */
export async function explainPlace(question, isOccupied) {
  const mine = ++asked;
  /** @type {PlaceExplanation} */
  const { reason } = await fetchJson("POST", "/api/positions/objection", { body: question });
  if (reason === null || mine !== asked) {
    return;
  }
  const words = `${capital(reason)}.`;
  if (!isOccupied || words === shown) {
    announce(words);
    return;
  }
  toast(words);
  shown = words;
  clearTimeout(timer);
  timer = setTimeout(() => (shown = ""), 5000);
}
