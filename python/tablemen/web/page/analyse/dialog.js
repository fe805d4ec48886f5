// A question before something is lost.

import { element } from "../ui.js";

/**
 * Whether the answer is yes. Escape is no.
 * @param {string} text
 * @param {string} yes what the button says that does it
 * @returns {Promise<boolean>}
 */
export function question(text, yes) {
  return new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { class: "question", "aria-labelledby": "question-text" },
      element("p", { id: "question-text" }, text),
      element(
        "div",
        { class: "row end" },
        element("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
        element("button", { type: "button", class: "primary", onclick: () => dialog.close("yes") }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
