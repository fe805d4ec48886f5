// What goes wrong: what the server says of it is for whoever uses the page, and mistakes of the page for the console.

import { ConnectionLost, RequestError } from "./api.js";
import { capital, toast } from "./ui.js";

/**
 * What the server says, as a sentence; nothing where it is a mistake of the page.
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof RequestError || error instanceof ConnectionLost ? capital(error.message) : null;
}

/**
 * Show what went wrong where it is seen.
 * @param {unknown} error
 */
export function showError(error) {
  const words = errorText(error);
  if (words === null) {
    console.error(error);
  } else {
    toast(words);
  }
}
