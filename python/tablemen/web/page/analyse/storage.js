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

/** What was on the desk before a link put something else on it. */
export function loadPrevious() {
  return read(() => sessionStorage, FORMER);
}

/**
 * Put aside what is on the desk, or what was there the last time, before something else is put on it.
 * @param {AnalysisState | null} desk
 * @returns {boolean} whether there is something
 */
export function putAside(desk) {
  const kept = desk ? keptOf(desk) : (read(() => sessionStorage, NAME) ?? read(() => localStorage, NAME));
  const isSomething = kept !== null && (kept.tree.nodes.length > 0 || kept.tree.comment !== "");
  if (isSomething) {
    write(() => sessionStorage, FORMER, JSON.stringify(kept));
  }
  return isSomething;
}

/**
 * @param {AnalysisState} desk
 * @returns {Kept}
 */
function keptOf(desk) {
  return { address: desk.address, orientation: desk.orientation, tree: toStored(desk.tree, desk.current) };
}

/**
 * Keep what is on the desk, and let the address show it: the address is a link to the position.
 * @param {AnalysisState} desk
 */
export function saveState(desk) {
  /** @type {number | undefined} */
  let timer;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!desk.opened) {
      return;
    }
    const kept = keptOf(desk);
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
    desk.on(change, later);
  }
  const now = () => timer !== undefined && save();
  addEventListener("pagehide", now);
  document.addEventListener("visibilitychange", now);
}

/**
 * Keep a board that is being put together, as long as the same lies on the desk; null where nobody does that.
 * @param {AnalysisState} desk
 * @param {Edited | null} edited
 */
export function saveEdited(desk, edited) {
  write(() => sessionStorage, EDITED, JSON.stringify(edited && { address: formatAddress(desk.subject), edited }));
}

/**
 * The board that was being put together when this page was left.
 * @param {AnalysisState} desk
 * @returns {Edited | null}
 */
export function loadEdited(desk) {
  const kept = read(() => sessionStorage, EDITED);
  return kept?.address === formatAddress(desk.subject) ? kept.edited : null;
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
