// The analysis page: create the panels and open a position.

import { errorText, fetchJson, fetchVariant, showError } from "../api.js";
import { announce, capital, element, find, saveSetting, setting } from "../ui.js";
import { BoardPanel } from "./board-panel.js";
import { confirm, iconButton, listenToKeys, showKeys } from "./controls.js";
import { BoardEditor } from "./editor.js";
import { EnginePanel } from "./engine-panel.js";
import { FilesPanel, getPlayerNames } from "./files.js";
import { MoveNotes, MoveTree } from "./moves.js";
import { EvaluationGraph, GameReport, GameReview } from "./review.js";
import {
  AnalysisState, BadLink, loadPrevious, loadSaved, parseOrientation, parseSpec, storePrevious, saveState,
} from "./state.js";
import { fromStored } from "./tree.js";

/** @typedef {import("./state.js").StoredAnalysis} StoredAnalysis */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantSummary} VariantSummary */

const DEFAULT_VARIANT = "international";

/** The fields for the variant and the size of its board. */
class VariantChooser extends HTMLElement {
  /**
   * @param {AnalysisState} analysis
   * @param {(subject: PositionSpec) => Promise<void>} onChoose
   */
  constructor(analysis, onChoose) {
    super();
    this.analysis = analysis;
    this.onChoose = onChoose;
    this.select = element("select", { "aria-label": "Variant", onchange: () => void this.choose(false) });
    const onchange = () => void this.choose(true);
    this.houses = element("input", { type: "number", id: "houses", min: 1, max: 24, required: true, onchange });
    this.seeds = element("input", { type: "number", id: "seeds", min: 1, max: 1000, required: true, onchange });
    this.size = element(
      "div",
      { class: "size", hidden: true },
      element("label", { for: "houses" }, "Houses"),
      this.houses,
      element("label", { for: "seeds" }, "Seeds"),
      this.seeds,
    );
    this.append(this.select, this.size);
    analysis.on("begin", () => this.show());
  }

  async load() {
    /** @type {VariantSummary[]} */
    const variants = await fetchJson("GET", "/api/variants");
    const families = [...new Set(variants.map(({ family }) => family))];
    const groups = families.map((family) =>
      element(
        "optgroup",
        { label: capital(family) },
        ...variants
          .filter((each) => each.family === family)
          .map(({ name, title, about }) => element("option", { value: name, title: about }, title)),
      ),
    );
    this.select.replaceChildren(...groups);
    if (this.analysis.known) {
      this.show();
    }
  }

  show() {
    const { facts } = this.analysis;
    this.select.value = facts.name;
    this.size.hidden = Object.keys(facts.size).length === 0;
    this.houses.value = String(facts.size.houses ?? "");
    this.seeds.value = String(facts.size.seeds ?? "");
  }

  /** @param {boolean} withSize */
  async choose(withSize) {
    if (withSize && !(this.houses.reportValidity() && this.seeds.reportValidity())) {
      return; // the browser shows the error
    }
    const size = withSize ? { houses: Number(this.houses.value), seeds: Number(this.seeds.value) } : {};
    try {
      await this.onChoose({ variant: this.select.value, ...size });
    } catch (error) {
      showError(error);
    }
    this.show();
  }
}

customElements.define("variant-chooser", VariantChooser);

const main = find("#main", HTMLElement);
const analysis = new AnalysisState();
const boardPanel = new BoardPanel(analysis);
const engine = new EnginePanel(analysis, (found, values) => boardPanel.showFound(found, values));
const notes = new MoveNotes(analysis);
const chooser = new VariantChooser(analysis, begin);
const editor = new BoardEditor(analysis, boardPanel, {
  onMode: (isEditing) => {
    main.classList.toggle("editing", isEditing);
    engine.pause(isEditing);
  },
  onAnalyse: async (position) => {
    const { variant, houses, seeds } = analysis.tree;
    await analysis.begin({ variant, houses, seeds, position });
  },
});

/** @type {import("./controls.js").Shortcut[]} */
const shortcuts = [
  { key: "ArrowLeft", shown: "←", does: "Previous move", run: () => analysis.back() },
  { key: "ArrowRight", shown: "→", does: "Next move", run: () => analysis.forward() },
  { key: "ArrowUp", shown: "↑", does: "Previous variation", run: () => analysis.toNeighbour(-1) },
  { key: "ArrowDown", shown: "↓", does: "Next variation", run: () => analysis.toNeighbour(1) },
  { key: "Home", shown: "Home", does: "Go to start", run: () => analysis.toStart() },
  { key: "End", shown: "End", does: "Go to end", run: () => analysis.toEnd() },
  { key: "f", shown: "F", does: "Flip board", run: () => analysis.turnAround() },
  { key: "l", shown: "L", does: "Turn the engine on or off", run: () => engine.toggle() },
  { key: "b", shown: "B", does: "Play the best move", run: () => engine.playBest() },
  { key: "c", shown: "C", does: "Comment on this move", run: () => notes.focusComment() },
  { key: "e", shown: "E", does: "Board editor", run: () => editor.open() },
  { key: "?", shown: "?", does: "Show shortcuts", run: () => showKeys(shortcuts) },
];

const title = element("p", { class: "game-title", hidden: true });
const status = element("p", { class: "position-status" });
const previous = element("div", { class: "notice former", hidden: true });

boardPanel.append(controls());
main.append(
  element("h1", { class: "visually-hidden" }, "Analysis board"),
  element("section", { class: "table", "aria-label": "Board" }, boardPanel),
  element(
    "section",
    { class: "side panel", "aria-label": "Analysis" },
    previous,
    element("div", { class: "row choosing" }, chooser, iconButton("fresh", "New analysis", () => void begin(analysis.tree))),
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
    element("section", { class: "panel", "aria-label": "Share, import and export" }, new FilesPanel(analysis)),
  ),
);

function controls() {
  return element(
    "div",
    { class: "controls", role: "toolbar", "aria-label": "Board controls" },
    iconButton("first", "Go to start (Home)", () => analysis.toStart()),
    iconButton("back", "Previous move (←)", () => analysis.back()),
    iconButton("forward", "Next move (→)", () => analysis.forward()),
    iconButton("last", "Go to end (End)", () => analysis.toEnd()),
    element("span", { class: "space" }),
    iconButton("flip", "Flip board (F)", () => analysis.turnAround()),
    iconButton("edit", "Board editor (E)", () => editor.open()),
    iconButton("help", "Shortcuts (?)", () => showKeys(shortcuts)),
  );
}

/**
 * Begin with the start position. Ask for confirmation if the tree is not empty.
 * @param {PositionSpec} subject
 */
async function begin({ variant, houses, seeds }) {
  const question = "Start a new analysis? You can restore the current one afterwards.";
  if (!analysis.tree.isEmpty && !(await confirm(question, "New analysis"))) {
    return;
  }
  await analysis.begin({ variant, houses, seeds });
  saveSetting("analyse.variant", variant);
  announce(analysis.facts.title);
}

/**
 * Offer to restore the previous analysis.
 * @param {boolean} isStored whether there is one
 */
function offerPrevious(isStored) {
  const stored = isStored ? loadPrevious() : null;
  previous.hidden = !stored;
  if (stored) {
    const restore = () => {
      focusMain();
      void openStored(stored);
    };
    const dismiss = () => {
      previous.hidden = true;
      focusMain();
    };
    previous.replaceChildren(
      element("span", {}, "Your previous analysis was saved."),
      element("button", { type: "button", class: "small", onclick: restore }, "Restore"),
      iconButton("close", "Dismiss", dismiss),
    );
  }
}

/** Focus the page, because a hidden element loses the focus. */
function focusMain() {
  main.focus({ preventScroll: true });
}

/** @param {StoredAnalysis} stored */
async function openStored(stored) {
  const { tree, current } = fromStored(stored.tree);
  const facts = await fetchVariant(tree);
  analysis.orientation = stored.orientation;
  analysis.open(facts, tree, current);
}

/** Show the side to move, or the result. */
function showStatus() {
  const view = analysis.current.view;
  const parts = [`${view?.outcome?.text ?? `${capital(analysis.turn)} to move`}.`];
  for (const claim of view?.claims ?? []) {
    parts.push(`A draw can be claimed: ${claim}.`);
  }
  status.textContent = parts.join(" ");
  status.parentElement?.classList.toggle("over", Boolean(view?.outcome));
}

/** Show the engine's result on the board, or the verdict of the review. */
function showFound() {
  boardPanel.showFound(engine.engine.found, engine.engine.values);
}

/** Open the position of the address, the stored analysis, or the last variant. */
async function start() {
  const address = location.pathname + location.search;
  try {
    const subject = parseSpec(location.search);
    const stored = loadSaved(address, subject === null);
    if (stored) {
      await openStored(stored);
    } else if (subject) {
      analysis.orientation = parseOrientation(location.search);
      await analysis.begin(subject);
      offerPrevious(storePrevious(null));
    } else {
      await analysis.begin({ variant: setting("analyse.variant", DEFAULT_VARIANT) });
    }
  } catch (error) {
    await showBadLink(error);
  }
}

/**
 * Show why the address or the stored analysis cannot be opened, and begin with the start position.
 * @param {unknown} error
 */
async function showBadLink(error) {
  const reason = error instanceof BadLink ? error.message : errorText(error);
  if (reason === null) {
    console.error(error);
  }
  const close = () => {
    notice.remove();
    focusMain();
  };
  const text = reason ?? "The stored analysis is not valid.";
  const notice = element(
    "div",
    { class: "notice bad broken", role: "alert" },
    element("p", {}, element("strong", {}, "This link cannot be opened. "), text),
    element("button", { type: "button", onclick: close }, "Analyse from the start position"),
  );
  boardPanel.before(notice);
  const variant = new URLSearchParams(location.search).get("variant") ?? DEFAULT_VARIANT;
  offerPrevious(storePrevious(null));
  try {
    await analysis.begin({ variant });
  } catch {
    await analysis.begin({ variant: DEFAULT_VARIANT });
  }
}

let hasPrevious = false;
analysis.on("leave", () => {
  hasPrevious = storePrevious(analysis);
});
analysis.on("begin", () => {
  offerPrevious(hasPrevious);
  const { tags } = analysis.tree;
  title.hidden = !tags.White && !tags.Black && !tags.Event;
  title.textContent = [getPlayerNames(tags), tags.Event, tags.Date, tags.Result].filter(Boolean).join(" · ");
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
  event.preventDefault();
  showError(event.reason);
});
listenToKeys(shortcuts, () => !analysis.at || !editor.hidden);

/** Make the page inert until a position is open. @param {boolean} isReady */
function setReady(isReady) {
  for (const part of main.children) {
    part.toggleAttribute("inert", !isReady);
  }
}

setReady(false);
analysis.on("begin", () => setReady(true));
await Promise.all([chooser.load(), start()]);
editor.openStored();
saveState(analysis);
