// The analysis page: creates the panels and connects them.

import { showError, errorText } from "../errors.js";
import { announce, element, find } from "../dom.js";
import { saveSetting, setting } from "../settings.js";
import { fetchVariant } from "../position-spec.js";
import { capital } from "../text.js";
import { BadLink, parseOrientation, parseSpec } from "./address.js";
import { AnalysisState } from "./state.js";
import { BoardEditor } from "./editor.js";
import { EnginePanel } from "./engine-panel.js";
import { EvaluationGraph } from "./evaluation-graph.js";
import { FilesPanel } from "./files.js";
import { GameReview } from "./game-review.js";
import { playersOf } from "./game-list.js";
import { GameReport } from "./game-report.js";
import { iconButton } from "./icons.js";
import { loadPrevious, loadSaved, saveState, savePrevious } from "./storage.js";
import { listenToKeys, showKeys } from "./keys.js";
import { MoveTree } from "./move-tree.js";
import { MoveNotes } from "./notes.js";
import { question } from "./dialog.js";
import { BoardPanel } from "./board-panel.js";
import { fromStored } from "./tree-forms.js";
import { VariantChooser } from "./variant-chooser.js";

/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("./storage.js").Kept} Kept */

const DEFAULT_VARIANT = "international";

const main = find("#main", HTMLElement);
const analysis = new AnalysisState();
const table = new BoardPanel(analysis);
const engine = new EnginePanel(analysis, (found, values) => table.showFound(found, values));
const notes = new MoveNotes(analysis);
const chooser = new VariantChooser(analysis, begin);
const editor = new BoardEditor(analysis, table, {
  onMode: (isEditing) => {
    main.classList.toggle("editing", isEditing);
    engine.pause(isEditing);
  },
  onAnalyse: async (position) => {
    const { variant, houses, seeds } = analysis.tree;
    await analysis.begin({ variant, houses, seeds, position });
  },
});

/** @type {import("./keys.js").Shortcut[]} */
const shortcuts = [
  { key: "ArrowLeft", shown: "←", does: "One move back", run: () => analysis.back() },
  { key: "ArrowRight", shown: "→", does: "One move on", run: () => analysis.forward() },
  { key: "ArrowUp", shown: "↑", does: "The variation before this", run: () => analysis.toNeighbour(-1) },
  { key: "ArrowDown", shown: "↓", does: "The variation after this", run: () => analysis.toNeighbour(1) },
  { key: "Home", shown: "Home", does: "To the start", run: () => analysis.toStart() },
  { key: "End", shown: "End", does: "To the end of the line", run: () => analysis.toEnd() },
  { key: "f", shown: "F", does: "Turn the board around", run: () => analysis.turnAround() },
  { key: "l", shown: "L", does: "Engine on or off", run: () => engine.toggle() },
  { key: "b", shown: "B", does: "Play the best move", run: () => engine.playBest() },
  { key: "c", shown: "C", does: "Comment on the move", run: () => notes.focusComment() },
  { key: "e", shown: "E", does: "Board editor", run: () => editor.open() },
  { key: "?", shown: "?", does: "This list", run: () => showKeys(shortcuts) },
];

const title = element("p", { class: "game-title", hidden: true });
const status = element("p", { class: "position-status" });
const former = element("div", { class: "notice former", hidden: true });

table.append(controls());
main.append(
  element("h1", { class: "visually-hidden" }, "Analysis board"),
  element("section", { class: "table", "aria-label": "Board" }, table),
  element(
    "section",
    { class: "side panel", "aria-label": "Analysis" },
    former,
    element("div", { class: "row choosing" }, chooser, iconButton("fresh", "Begin anew", () => void begin(analysis.tree))),
    engine,
    title,
    element("div", { class: "where" }, status, new GameReview(analysis)),
    new MoveTree(analysis),
    notes,
    new EvaluationGraph(analysis),
  ),
  element("section", { class: "side panel editor", "aria-label": "Board editor" }, editor),
  element(
    "div",
    { class: "below" },
    new GameReport(analysis),
    element("section", { class: "panel", "aria-label": "Share and export" }, new FilesPanel(analysis)),
  ),
);

function controls() {
  return element(
    "div",
    { class: "controls", role: "toolbar", "aria-label": "Moves and board" },
    iconButton("first", "To the start (Home)", () => analysis.toStart()),
    iconButton("back", "One move back (←)", () => analysis.back()),
    iconButton("forward", "One move on (→)", () => analysis.forward()),
    iconButton("last", "To the end (End)", () => analysis.toEnd()),
    element("span", { class: "space" }),
    iconButton("flip", "Turn the board around (F)", () => analysis.turnAround()),
    iconButton("edit", "Board editor (E)", () => editor.open()),
    iconButton("help", "Keys (?)", () => showKeys(shortcuts)),
  );
}

/**
 * Start a new analysis, after a confirmation if something would be lost.
 * @param {PositionSpec} subject
 */
async function begin({ variant, houses, seeds }) {
  if (!analysis.tree.isEmpty && !(await question("Begin anew? What is here is put aside.", "Begin anew"))) {
    return false;
  }
  await analysis.begin({ variant, houses, seeds });
  saveSetting("analyse.variant", variant);
  announce(analysis.facts.title);
  return true;
}

/**
 * Offer to restore the previous analysis.
 * @param {boolean} isLeft whether there was one
 */
function offerFormer(isLeft) {
  const kept = isLeft ? loadPrevious() : null;
  former.hidden = !kept;
  if (kept) {
    const bringBack = () => {
      toBoard();
      void openKept(kept);
    };
    const forget = () => {
      former.hidden = true;
      toBoard();
    };
    former.replaceChildren(
      element("span", {}, "Your former analysis was put aside."),
      element("button", { type: "button", class: "small", onclick: bringBack }, "Bring it back"),
      iconButton("close", "Forget it", forget),
    );
  }
}

/** A hidden element loses the focus: move it to the next useful one. */
function toBoard() {
  main.focus({ preventScroll: true });
}

/** @param {Kept} kept */
async function openKept(kept) {
  const { tree, current } = fromStored(kept.tree);
  const facts = await fetchVariant(tree);
  analysis.orientation = kept.orientation;
  analysis.open(facts, tree, current);
}

/** Show the side to move, or the outcome. */
function showStatus() {
  const view = analysis.current.view;
  const parts = [view?.outcome?.text ?? `${capital(analysis.turn)} to move.`];
  for (const claim of view?.claims ?? []) {
    parts.push(`A draw can be claimed: ${claim}.`);
  }
  status.textContent = parts.join(" ");
  status.parentElement?.classList.toggle("over", Boolean(view?.outcome));
}

/** Show the result of the engine, or of the review, beside the board. */
function showFound() {
  table.showFound(engine.engine.found, engine.engine.values);
}

/** Open the address, the stored analysis, or the default variant. */
async function start() {
  const address = location.pathname + location.search;
  try {
    const subject = parseSpec(location.search);
    const kept = loadSaved(address, subject === null);
    if (kept) {
      await openKept(kept);
    } else if (subject) {
      analysis.orientation = parseOrientation(location.search);
      await analysis.begin(subject);
      offerFormer(savePrevious(null));
    } else {
      await analysis.begin({ variant: setting("analyse.variant", DEFAULT_VARIANT) });
    }
  } catch (error) {
    await offerStart(reasonOf(error));
  }
}

/**
 * Explain why an address, or the analysis stored for it, cannot be opened.
 * @param {unknown} error
 */
function reasonOf(error) {
  const reason = error instanceof BadLink ? error.message : errorText(error);
  if (reason === null) {
    console.error(error);
  }
  return reason ?? "Something else was kept here than this page can show.";
}

/**
 * Explain an invalid link, and start with the start position.
 * @param {string} reason
 */
async function offerStart(reason) {
  const putAway = () => {
    notice.remove();
    toBoard();
  };
  const notice = element(
    "div",
    { class: "notice bad broken", role: "alert" },
    element("p", {}, element("strong", {}, "This link cannot be opened. "), reason),
    element("button", { type: "button", onclick: putAway }, "Analyse from the start position"),
  );
  table.before(notice);
  const variant = new URLSearchParams(location.search).get("variant") ?? DEFAULT_VARIANT;
  offerFormer(savePrevious(null));
  try {
    await analysis.begin({ variant });
  } catch {
    await analysis.begin({ variant: DEFAULT_VARIANT });
  }
}

let isLeft = false; // whether the previous analysis was stored
analysis.on("leave", () => {
  isLeft = savePrevious(analysis);
});
analysis.on("begin", () => {
  offerFormer(isLeft);
  const { tags } = analysis.tree;
  title.hidden = !tags.White && !tags.Black && !tags.Event;
  title.textContent = [playersOf(tags), tags.Event, tags.Date, tags.Result].filter(Boolean).join(" · ");
  document.title = `Analyse · ${analysis.facts.title} · tablemen`;
});
analysis.on("go", showStatus);
analysis.on("view", showStatus);
analysis.on("go", showFound);
analysis.on("tree", showFound);
analysis.on("turn", () => {
  showFound();
  announce(`${capital(analysis.orientation)} is at the bottom`);
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault(); // already shown
  showError(event.reason);
});
listenToKeys(shortcuts, () => !analysis.at || !editor.hidden);

/** Disable everything until there is a position. @param {boolean} isReady */
function setReady(isReady) {
  for (const part of main.children) {
    part.toggleAttribute("inert", !isReady);
  }
}

setReady(false);
analysis.on("begin", () => setReady(true));
await Promise.all([chooser.load(), start()]);
editor.openKept();
saveState(analysis);
