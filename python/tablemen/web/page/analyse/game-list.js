// One of several games of a file.

import { count, element } from "../ui.js";

/** @typedef {import("../api-types").GameTreeState} GameTreeState */

/**
 * The game that is chosen; undefined where none is.
 * @param {GameTreeState[]} games
 * @returns {Promise<GameTreeState | undefined>}
 */
export function chooseGame(games) {
  return new Promise((resolve) => {
    const items = games.map((game, number) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: "quiet game", onclick: () => dialog.close(String(number)) },
          element("strong", {}, `${number + 1}. ${playersOf(game.tags)}`),
          element("span", { class: "muted" }, factsOf(game)),
        ),
      ),
    );
    const dialog = element(
      "dialog",
      { class: "games", "aria-labelledby": "games-title" },
      element("h2", { id: "games-title" }, `The file has ${games.length} games`),
      element("ol", {}, ...items),
      element(
        "div",
        { class: "row end" },
        element("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "" ? undefined : games[Number(dialog.returnValue)]);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Who plays, by the tags of a game.
 * @param {Record<string, string>} tags
 */
export function playersOf(tags) {
  const names = [tags.White ?? tags.South ?? tags.south, tags.Black ?? tags.North ?? tags.north];
  return names.map((name) => name || "?").join(" – ");
}

/** @param {GameTreeState} game */
function factsOf({ tags, nodes, variant }) {
  return [tags.Event, tags.Date, tags.Result, variant, count(nodes.length, "move", "moves")]
    .filter((text) => text && text !== "?")
    .join(" · ");
}
