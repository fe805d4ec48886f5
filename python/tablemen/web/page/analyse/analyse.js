// The analysis page: the panels around the desk, put together.

import { errorText, fetchVariant, showError } from "../api.js";
import { announce, capital, element, find, saveSetting, setting } from "../ui.js";
import { BadLink, parseOrientation, parseSpec } from "./address.js";
import { BoardPanel } from "./board-panel.js";
import { question } from "./dialog.js";
import { BoardEditor } from "./editor.js";
import { EnginePanel } from "./engine-panel.js";
import { EvaluationGraph } from "./evaluation-graph.js";
import { FilesPanel } from "./files.js";
import { playersOf } from "./game-list.js";
import { GameReport } from "./game-report.js";
import { GameReview } from "./game-review.js";
import { iconButton } from "./icons.js";
import { listenToKeys, showKeys } from "./keys.js";
import { MoveTree } from "./move-tree.js";
import { MoveNotes } from "./notes.js";
import { AnalysisState } from "./state.js";
import { loadPrevious, loadSaved, putAside, saveState } from "./storage.js";
import { fromStored } from "./tree-forms.js";
import { VariantChooser } from "./variant-chooser.js";

/** @typedef {import("./storage.js").Kept} Kept */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */

const USUAL = "international";

const main = find("#main", HTMLElement);
const desk = new AnalysisState();
const table = new BoardPanel(desk);
const engine = new EnginePanel(desk, (found, values) => table.showFound(found, values));
const notes = new MoveNotes(desk);
const chooser = new VariantChooser(desk, begin);
const editor = new BoardEditor(desk, table, {
  onMode: (isEditing) => {
    main.classList.toggle("editing", isEditing);
    engine.pause(isEditing);
  },
  onAnalyse: async (position) => {
    const { variant, houses, seeds } = desk.tree;
    await desk.begin({ variant, houses, seeds, position });
  },
});

/** @type {import("./keys.js").Shortcut[]} */
const shortcuts = [
  { key: "ArrowLeft", shown: "←", does: "One move back", run: () => desk.back() },
  { key: "ArrowRight", shown: "→", does: "One move on", run: () => desk.forward() },
  { key: "ArrowUp", shown: "↑", does: "The variation before this", run: () => desk.toNeighbour(-1) },
  { key: "ArrowDown", shown: "↓", does: "The variation after this", run: () => desk.toNeighbour(1) },
  { key: "Home", shown: "Home", does: "To the start", run: () => desk.toStart() },
  { key: "End", shown: "End", does: "To the end of the line", run: () => desk.toEnd() },
  { key: "f", shown: "F", does: "Turn the board around", run: () => desk.turnAround() },
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
    element("div", { class: "row choosing" }, chooser, iconButton("fresh", "Begin anew", () => void begin(desk.tree))),
    engine,
    title,
    element("div", { class: "where" }, status, new GameReview(desk)),
    new MoveTree(desk),
    notes,
    new EvaluationGraph(desk),
  ),
  element("section", { class: "side panel editor", "aria-label": "Board editor" }, editor),
  element(
    "div",
    { class: "below" },
    new GameReport(desk),
    element("section", { class: "panel", "aria-label": "Share and export" }, new FilesPanel(desk)),
  ),
);

function controls() {
  return element(
    "div",
    { class: "controls", role: "toolbar", "aria-label": "Moves and board" },
    iconButton("first", "To the start (Home)", () => desk.toStart()),
    iconButton("back", "One move back (←)", () => desk.back()),
    iconButton("forward", "One move on (→)", () => desk.forward()),
    iconButton("last", "To the end (End)", () => desk.toEnd()),
    element("span", { class: "space" }),
    iconButton("flip", "Turn the board around (F)", () => desk.turnAround()),
    iconButton("edit", "Board editor (E)", () => editor.open()),
    iconButton("help", "Keys (?)", () => showKeys(shortcuts)),
  );
}

/**
 * Begin anew, after a question where something would be lost.
 * @param {PositionSpec} subject
 */
async function begin({ variant, houses, seeds }) {
  if (!desk.tree.isEmpty && !(await question("Begin anew? What is here is put aside.", "Begin anew"))) {
    return false;
  }
  await desk.begin({ variant, houses, seeds });
  saveSetting("analyse.variant", variant);
  announce(desk.facts.title);
  return true;
}

/**
 * Offer what was on the desk before something else was put on it.
 * @param {boolean} isLeft whether there was something
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

/** What is put away has no focus: it goes where one goes on. */
function toBoard() {
  main.focus({ preventScroll: true });
}

/** @param {Kept} kept */
async function openKept(kept) {
  const { tree, current } = fromStored(kept.tree);
  const facts = await fetchVariant(tree);
  desk.orientation = kept.orientation;
  desk.open(facts, tree, current);
}

/** Tell who is to move, or how it ended. */
function showStatus() {
  const view = desk.current.view;
  const parts = [view?.outcome?.text ?? `${capital(desk.turn)} to move.`];
  for (const claim of view?.claims ?? []) {
    parts.push(`A draw can be claimed: ${claim}.`);
  }
  status.textContent = parts.join(" ");
  status.parentElement?.classList.toggle("over", Boolean(view?.outcome));
}

/** Show beside the board what the engine has found, now or when the game was judged. */
function showFound() {
  table.showFound(engine.engine.found, engine.engine.values);
}

/** Open what the address asks for, or what was kept, or the usual. */
async function start() {
  const address = location.pathname + location.search;
  try {
    const subject = parseSpec(location.search);
    const kept = loadSaved(address, subject === null);
    if (kept) {
      await openKept(kept);
    } else if (subject) {
      desk.orientation = parseOrientation(location.search);
      await desk.begin(subject);
      offerFormer(putAside(null));
    } else {
      await desk.begin({ variant: setting("analyse.variant", USUAL) });
    }
  } catch (error) {
    await offerStart(reasonOf(error));
  }
}

/**
 * Why an address cannot be opened, or what was kept for it.
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
 * A link that makes no sense: say why, and begin with the start.
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
  const variant = new URLSearchParams(location.search).get("variant") ?? USUAL;
  offerFormer(putAside(null));
  try {
    await desk.begin({ variant });
  } catch {
    await desk.begin({ variant: USUAL });
  }
}

let isLeft = false; // whether something was put aside
desk.on("leave", () => {
  isLeft = putAside(desk);
});
desk.on("begin", () => {
  offerFormer(isLeft);
  const { tags } = desk.tree;
  title.hidden = !tags.White && !tags.Black && !tags.Event;
  title.textContent = [playersOf(tags), tags.Event, tags.Date, tags.Result].filter(Boolean).join(" · ");
  document.title = `Analyse · ${desk.facts.title} · tablemen`;
});
desk.on("go", showStatus);
desk.on("view", showStatus);
desk.on("go", showFound);
desk.on("tree", showFound);
desk.on("turn", () => {
  showFound();
  announce(`${capital(desk.orientation)} is at the bottom`);
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault(); // it is told
  showError(event.reason);
});
listenToKeys(shortcuts, () => !desk.at || !editor.hidden);

/** Until there is a position, nothing can be done with it. @param {boolean} isReady */
function setReady(isReady) {
  for (const part of main.children) {
    part.toggleAttribute("inert", !isReady);
  }
}

setReady(false);
desk.on("begin", () => setReady(true));
await Promise.all([chooser.load(), start()]);
editor.openKept();
saveState(desk);
