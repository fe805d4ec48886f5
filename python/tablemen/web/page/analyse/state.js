// The state of the analysis: the variant, the tree and the current move, with their address and storage.

import { fetchJson, fetchVariant, toQuery } from "../api.js";
import { GameTree, toStored } from "./tree.js";

/** @typedef {import("./tree.js").StoredTree} StoredTree */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/**
 * `leave`: another tree is about to be opened; `begin`: a tree was opened; `go`: the current move has changed; `view`:
 * the legal moves of the current position were loaded; `tree`: moves, comments or marks have changed; `turn`: the board
 * was flipped.
 * @typedef {"leave" | "begin" | "go" | "view" | "tree" | "turn"} Change
 */

const PATH = "/analyse";
const STORED = "tablemen.analysis";
const PREVIOUS = "tablemen.analysis.former";
const EDITED = "tablemen.analysis.edited";
const SAVE_DELAY = 400; // milliseconds

/** The analysis of a game. It is empty until `begin` or `open` is called. */
export class AnalysisState {
  constructor() {
    /** @type {VariantInfo | null} */
    this.known = null;
    /** @type {GameTree | null} */
    this.opened = null;
    /** @type {TreeNode | null} */
    this.at = null;
    this.orientation = "";
    /** Whether the last step was one move forward, which can be animated. */
    this.isStep = false;
    /** The controller of the request for the current position. @type {AbortController | null} */
    this.request = null;
    this.events = new EventTarget();
  }

  get facts() {
    return /** @type {VariantInfo} */ (this.known);
  }

  get tree() {
    return /** @type {GameTree} */ (this.opened);
  }

  get current() {
    return /** @type {TreeNode} */ (this.at);
  }

  get subject() {
    return this.tree.subject(this.current);
  }

  /** The address of the current position. */
  get address() {
    return formatAddress(this.subject, this.orientation === this.facts.sides[0] ? null : this.orientation);
  }

  /** The side to move. */
  get turn() {
    return this.current.state?.turn ?? this.tree.start.turn;
  }

  /**
   * @param {Change} change
   * @param {() => void} listener
   */
  on(change, listener) {
    this.events.addEventListener(change, listener);
  }

  /** @param {Change} change */
  emit(change) {
    this.events.dispatchEvent(new Event(change));
  }

  /**
   * Open a position and the moves after it. If they are not valid, throw `RequestError` and change nothing.
   * @param {PositionSpec} subject
   */
  async begin(subject) {
    const facts = await fetchVariant(subject);
    /** @type {GameView} */
    const view = await fetchJson("POST", "/api/positions", { body: subject });
    const position = view.start.position === facts.start ? null : (subject.position ?? view.start.position);
    const { variant, houses = null, seeds = null } = subject;
    const tree = new GameTree({ variant, houses, seeds, position, start: view.start });
    let node = tree.root;
    for (const ply of view.plies) {
      node = tree.add(node, ply);
    }
    tree.update(node, view);
    this.open(facts, tree, node);
  }

  /**
   * Open a tree.
   * @param {VariantInfo} facts
   * @param {GameTree} tree
   * @param {TreeNode} current
   */
  open(facts, tree, current) {
    if (this.at) {
      this.emit("leave");
    }
    this.known = facts;
    this.opened = tree;
    if (!facts.sides.includes(this.orientation)) {
      this.orientation = facts.sides[0] ?? "";
    }
    this.at = null;
    this.emit("begin");
    this.go(current);
  }

  /**
   * Go to a move.
   * @param {TreeNode} node
   */
  go(node) {
    if (node === this.at) {
      if (!node.view && !this.request) {
        void this.fetchView(node); // the previous request failed
      }
      return;
    }
    this.isStep = node.parent === this.at && this.at !== null;
    this.at = node;
    this.request?.abort();
    this.emit("go");
    if (node.view) {
      this.emit("view");
    } else {
      void this.fetchView(node);
    }
  }

  /**
   * Fetch the legal moves after a move.
   * @param {TreeNode} node
   */
  async fetchView(node) {
    const { tree } = this;
    const request = new AbortController();
    this.request = request;
    try {
      /** @type {GameView} */
      const view = await fetchJson("POST", `/api/positions?since=${tree.knownTo(node)}`, {
        body: tree.subject(node),
        signal: request.signal,
      });
      tree.update(node, view);
      if (node === this.at) {
        this.emit("view");
      }
    } catch (error) {
      if (!request.signal.aborted) {
        throw error;
      }
    } finally {
      if (this.request === request) {
        this.request = null;
      }
    }
  }

  /**
   * Add moves after the current one, and go to the last. If one is not legal, throw `RequestError` and change nothing.
   * @param {string[]} moves
   */
  async play(moves) {
    const { tree, current } = this;
    const subject = tree.subject(current);
    const before = subject.moves.length;
    /** @type {GameView} */
    const view = await fetchJson("POST", `/api/positions?since=${before}`, {
      body: { ...subject, moves: [...subject.moves, ...moves] },
    });
    if (tree !== this.opened) {
      return;
    }
    let node = current;
    for (const ply of view.plies) {
      node = tree.add(node, ply);
    }
    tree.update(node, view);
    this.emit("tree");
    if (current === this.at) {
      this.go(node); // unless the user went elsewhere meanwhile
    }
  }

  /**
   * Play a legal move.
   * @param {MoveInfo} move
   */
  async playMove(move) {
    const known = this.tree.follow(this.current, move);
    if (known) {
      this.go(known);
    } else {
      await this.play([move.full]);
    }
  }

  forward() {
    this.go(this.current.children[0] ?? this.current);
  }

  back() {
    this.go(this.current.parent ?? this.current);
  }

  toStart() {
    this.go(this.tree.root);
  }

  toEnd() {
    this.go(this.tree.mainLine(this.current).at(-1) ?? this.current);
  }

  /** @param {1 | -1} step */
  toNeighbour(step) {
    this.go(this.tree.neighbour(this.current, step) ?? this.current);
  }

  /** Remove the current move and all moves after it. */
  removeFromHere() {
    const left = this.tree.remove(this.current);
    this.emit("tree");
    this.go(left);
  }

  turnAround() {
    const { sides } = this.facts;
    this.orientation = sides.find((side) => side !== this.orientation) ?? this.orientation;
    this.emit("turn");
  }
}

/** The error for an address that is not valid. */
export class BadLink extends Error {}

/**
 * Return the address of a position.
 * @param {PositionSpec} subject
 * @param {string | null} [orientation] the side at the bottom, unless it is the first side
 */
export function formatAddress(subject, orientation = null) {
  return `${PATH}?${toQuery(subject, { moves: subject.moves?.join(" ") ?? "", orientation: orientation ?? "" })}`;
}

/**
 * Return the side at the bottom in an address, or an empty text.
 * @param {string} search
 */
export function parseOrientation(search) {
  return new URLSearchParams(search).get("orientation") ?? "";
}

/**
 * Return the position in an address, or null if it has none. Throws `BadLink` if it is not valid.
 * @param {string} search
 * @returns {PositionSpec | null}
 */
export function parseSpec(search) {
  const query = new URLSearchParams(search);
  const variant = query.get("variant");
  if (variant === null) {
    if ([...query.keys()].some((name) => ["position", "moves"].includes(name))) {
      throw new BadLink("The link does not name a variant.");
    }
    return null;
  }
  return {
    variant,
    houses: wholeNumber(query, "houses"),
    seeds: wholeNumber(query, "seeds"),
    position: query.get("position") || null,
    moves: (query.get("moves") ?? "").split(/\s+/).filter((move) => move),
  };
}

/**
 * @param {URLSearchParams} query
 * @param {string} name
 */
function wholeNumber(query, name) {
  const text = query.get(name);
  if (text === null) {
    return null;
  }
  if (!/^\d{1,4}$/.test(text)) {
    throw new BadLink(`The link contains ${name}=${text}, which is not a whole number below 10,000.`);
  }
  return Number(text);
}

/** @typedef {{address: string, orientation: string, tree: StoredTree}} StoredAnalysis */
/** A position in the editor. @typedef {Pick<import("../api-types").PositionState, "board" | "turn">} Edited */

/**
 * Return the stored analysis of this tab if it is for the address. If the address has no position, return the last
 * analysis of this or any other tab.
 * @param {string} address
 * @param {boolean} isEmpty whether the address has no position
 * @returns {StoredAnalysis | null}
 */
export function loadSaved(address, isEmpty) {
  const stored = read(() => sessionStorage, STORED);
  const [entry] = performance.getEntriesByType("navigation");
  const isReload = entry instanceof PerformanceNavigationTiming && entry.type === "reload";
  // After a reload the address may be that of the move before, because it is updated with a delay.
  if (stored && (isEmpty || isReload || stored.address === address)) {
    return stored;
  }
  return isEmpty ? read(() => localStorage, STORED) : null;
}

/** Return the analysis that `storePrevious` has stored. */
export function loadPrevious() {
  return read(() => sessionStorage, PREVIOUS);
}

/**
 * Store an analysis as the previous one, before another is opened.
 * @param {AnalysisState | null} analysis null for the last stored one
 * @returns {boolean} whether the analysis has content
 */
export function storePrevious(analysis) {
  const last = () => read(() => sessionStorage, STORED) ?? read(() => localStorage, STORED);
  const stored = analysis ? toEntry(analysis) : last();
  const hasContent = stored !== null && (stored.tree.nodes.length > 0 || stored.tree.comment !== "");
  if (hasContent) {
    write(() => sessionStorage, PREVIOUS, JSON.stringify(stored));
  }
  return hasContent;
}

/**
 * @param {AnalysisState} analysis
 * @returns {StoredAnalysis}
 */
function toEntry({ address, orientation, tree, current }) {
  return { address, orientation, tree: toStored(tree, current) };
}

/**
 * Store each change of the analysis, and set the address to the current position.
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
    const stored = toEntry(analysis);
    const text = JSON.stringify(stored);
    history.replaceState(null, "", stored.address);
    write(() => sessionStorage, STORED, text);
    write(() => localStorage, STORED, text);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY);
  };
  for (const change of /** @type {const} */ (["go", "tree", "turn"])) {
    analysis.on(change, later);
  }
  const now = () => timer !== undefined && save();
  addEventListener("pagehide", now);
  document.addEventListener("visibilitychange", now);
}

/**
 * Store the position in the editor with the address of the current position.
 * @param {AnalysisState} analysis
 * @param {Edited | null} edited
 */
export function saveEdited(analysis, edited) {
  write(() => sessionStorage, EDITED, JSON.stringify(edited && { address: formatAddress(analysis.subject), edited }));
}

/**
 * Return the stored position of the editor if it belongs to the current position.
 * @param {AnalysisState} analysis
 * @returns {Edited | null}
 */
export function loadEdited(analysis) {
  const stored = read(() => sessionStorage, EDITED);
  return stored?.address === formatAddress(analysis.subject) ? stored.edited : null;
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
    return null; // storage is disabled, or the value is not JSON
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
    // storage is full or disabled
  }
}
