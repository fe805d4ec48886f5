// Errors: those of the server are shown to the user, those of the page go to the console.

import { ConnectionLost, RequestError } from "./api.js";
import { toast } from "./dom.js";
import { capital } from "./text.js";

/**
 * Return the error of the server as a sentence; null for an error of the page.
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof RequestError || error instanceof ConnectionLost ? capital(error.message) : null;
}

/**
 * Show an error.
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
