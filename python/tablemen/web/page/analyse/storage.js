// What this browser keeps of the analysis: a reload loses nothing, and another day goes on where one was.

import { formatAddress } from "./address.js";
import { toStored } from "./tree-forms.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree-forms.js").KeptTree} KeptTree */
/** @typedef {{address: string, orientation: string, tree: KeptTree}} Kept */
/** What is put together in the editor. @typedef {Pick<import("../api-types").PositionState, "board" | "turn">} Edited */

const EDITED = "tablemen.analysis.edited";
const NAME = "tablemen.analysis";
const FORMER = "tablemen.analysis.former";
const WAIT = 400;

/**
 * What was kept for this address: of this window, or the last of any where the address asks for nothing.
 * @param {string} address
 * @param {boolean} asksForNothing
 * @returns {Kept | null}
 */
export function loadSaved(address, asksForNothing) {
  const here = read(() => sessionStorage, NAME);
  const [way] = performance.getEntriesByType("navigation");
  const isReload = way instanceof PerformanceNavigationTiming && way.type === "reload";
  // A reload may come right after a move, before the address has changed.
  if (here && (asksForNothing || isReload || here.address === address)) {
    return here;
  }
  return asksForNothing ? read(() => localStorage, NAME) : null;
}

/** What was on the analysis before a link put something else on it. */
export function loadPrevious() {
  return read(() => sessionStorage, FORMER);
}

/**
 * Put aside what is on the analysis, or what was there the last time, before something else is put on it.
 * @param {AnalysisState | null} analysis
 * @returns {boolean} whether there is something
 */
export function putAside(analysis) {
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
 * Keep what is on the analysis, and let the address show it: the address is a link to the position.
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
 * Keep a board that is being put together, as long as the same lies on the analysis; null where nobody does that.
 * @param {AnalysisState} analysis
 * @param {Edited | null} edited
 */
export function saveEdited(analysis, edited) {
  write(() => sessionStorage, EDITED, JSON.stringify(edited && { address: formatAddress(analysis.subject), edited }));
}

/**
 * The board that was being put together when this page was left.
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
    return null; // a browser that keeps nothing, or something else of that name
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
    // it is full or not allowed: it is forgotten with the page
  }
}
