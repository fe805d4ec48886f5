// What is copied, to be put in elsewhere.

import { toast } from "./dom.js";

/**
 * Copy a text, and say so.
 * @param {string} text
 * @param {string} what
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text); // a page without a secure address may not copy by itself
  }
}
