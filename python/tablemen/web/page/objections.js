// Why a place on the board that somebody touched cannot be played, as the server says it.

import { ask } from "./api.js";
import { announce, toast } from "./dom.js";
import { capital } from "./words.js";

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
export async function tellObjection(question, isOccupied) {
  const mine = ++asked;
  /** @type {PlaceExplanation} */
  const { reason } = await ask("POST", "/api/positions/objection", { body: question });
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
