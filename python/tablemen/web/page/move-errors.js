// Why a place on the board that somebody touched cannot be played, as the server says it.

import { fetchJson } from "./api.js";
import { announce, capital, toast } from "./ui.js";

/** @typedef {import("./api-types").PlaceExplanation} PlaceExplanation */
/** @typedef {import("./api-types").PlaceQuery} PlaceQuery */

let asked = 0;
let shown = "";
let timer = 0;

/**
 * Tell it: shown where something lies there, and said in any case; not again while it is to be read.
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
