// The clipboard.

import { toast } from "./dom.js";

/**
 * Copy a text, and confirm it.
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text); // without HTTPS a page has no access to the clipboard
  }
}
