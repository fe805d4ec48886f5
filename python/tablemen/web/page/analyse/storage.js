// The analysis in the browser's storage: it survives a reload, and is resumed on the next visit.

import { formatAddress } from "./address.js";
import { toStored } from "./tree-forms.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree-forms.js").KeptTree} KeptTree */
/** @typedef {{address: string, orientation: string, tree: KeptTree}} Kept */
/** The contents of the editor. @typedef {Pick<import("../api-types").PositionState, "board" | "turn">} Edited */

const EDITED = "tablemen.analysis.edited";
const NAME = "tablemen.analysis";
const FORMER = "tablemen.analysis.former";
const WAIT = 400;

/**
 * Load the analysis of this address: that of this tab, or the last one of any tab if the address names none.
 * @param {string} address
 * @param {boolean} asksForNothing
 * @returns {Kept | null}
 */
export function loadSaved(address, asksForNothing) {
  const here = read(() => sessionStorage, NAME);
  const [way] = performance.getEntriesByType("navigation");
  const isReload = way instanceof PerformanceNavigationTiming && way.type === "reload";
  // A reload can come right after a move, before the address is updated.
  if (here && (asksForNothing || isReload || here.address === address)) {
    return here;
  }
  return asksForNothing ? read(() => localStorage, NAME) : null;
}

/** Load the analysis that a link has replaced. */
export function loadPrevious() {
  return read(() => sessionStorage, FORMER);
}

/**
 * Store the current or last analysis as the previous one, before another replaces it.
 * @param {AnalysisState | null} analysis
 * @returns {boolean} whether there was one
 */
export function savePrevious(analysis) {
  const kept = analysis ? keptOf(analysis) : (read(() => sessionStorage, NAME) ?? read(() => localStorage, NAME));
  const isSomething = kept !== null && (kept.tree.nodes.length > 0 || kept.tree.comment !== "");
  if (isSomething) {
    write(() => sessionStorage, FORMER, JSON.stringify(kept));
  }
  return isSomething;
}

/**
 * @param {AnalysisState} analysis
 * @returns {Kept}
 */
function keptOf(analysis) {
  return { address: analysis.address, orientation: analysis.orientation, tree: toStored(analysis.tree, analysis.current) };
}

/**
 * Store every change of the analysis, and update the address, which is a link to the position.
 * @param {AnalysisState} analysis
 */
export function saveState(analysis) {
  /** @type {number | undefined} */
  let timer;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!analysis.opened) {
      return;
    }
    const kept = keptOf(analysis);
    const text = JSON.stringify(kept);
    history.replaceState(null, "", kept.address);
    write(() => sessionStorage, NAME, text);
    write(() => localStorage, NAME, text);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(save, WAIT);
  };
  for (const change of /** @type {const} */ (["go", "tree", "turn"])) {
    analysis.on(change, later);
  }
  const now = () => timer !== undefined && save();
  addEventListener("pagehide", now);
  document.addEventListener("visibilitychange", now);
}

/**
 * Store a board that is being edited, for as long as the position stays the same; null if none is.
 * @param {AnalysisState} analysis
 * @param {Edited | null} edited
 */
export function saveEdited(analysis, edited) {
  write(() => sessionStorage, EDITED, JSON.stringify(edited && { address: formatAddress(analysis.subject), edited }));
}

/**
 * Load the board that was being edited when the page was left.
 * @param {AnalysisState} analysis
 * @returns {Edited | null}
 */
export function loadEdited(analysis) {
  const kept = read(() => sessionStorage, EDITED);
  return kept?.address === formatAddress(analysis.subject) ? kept.edited : null;
}

/**
 * @param {() => Storage} storage
 * @param {string} name
 * @returns {any}
 */
function read(storage, name) {
  try {
    return JSON.parse(storage().getItem(name) ?? "null");
  } catch {
    return null; // no storage, or another value of that name
  }
}

/**
 * @param {() => Storage} storage
 * @param {string} name
 * @param {string} text
 */
function write(storage, name, text) {
  try {
    storage().setItem(name, text);
  } catch {
    // storage is full or not allowed: the value is lost with the page
  }
}
