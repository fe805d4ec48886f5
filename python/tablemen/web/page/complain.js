// What goes wrong: what the server says of it is for whoever uses the page, and mistakes of the page for the console.

import { Lost, Refused } from "./api.js";
import { toast } from "./dom.js";
import { capital } from "./words.js";

/**
 * What the server says, as a sentence; nothing where it is a mistake of the page.
 * @param {unknown} error
 */
export function wordsOf(error) {
  return error instanceof Refused || error instanceof Lost ? capital(error.message) : null;
}

/**
 * Show what went wrong where it is seen.
 * @param {unknown} error
 */
export function complain(error) {
  const words = wordsOf(error);
  if (words === null) {
    console.error(error);
  } else {
    toast(words);
  }
}
