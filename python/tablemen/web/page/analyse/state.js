// The state of the analysis: the variant, the tree and the current move, with its address and its storage.

import { fetchJson, fetchVariant, toQuery } from "../api.js";
import { GameTree, toStored } from "./tree.js";

/** @typedef {import("./tree.js").KeptTree} KeptTree */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/**
 * `leave`: something else is about to be put on the analysis; `begin`: it is there; `go`: another move is looked at;
 * `view`: the server has told what can be played there; `tree`: moves, comments or signs have changed; `turn`: the
 * board was turned around.
 * @typedef {"leave" | "begin" | "go" | "view" | "tree" | "turn"} Change
 */

/** A game on the analysis. `begin` or `open` must be called before anything else. */
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
    /** Of the question that is not answered yet. @type {AbortController | null} */
    this.looking = null;
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

  /** A link to what is looked at, as it is looked at. */
  get address() {
    return formatAddress(this.subject, this.orientation === this.facts.sides[0] ? null : this.orientation);
  }

  /** The side that is to move, as far as the board is known. */
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
   * Begin with a position and the moves to it; raises `Refused` where they make no sense, and then nothing changes.
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
    tree.learn(node, view);
    this.open(facts, tree, node);
  }

  /**
   * Put a tree on the analysis.
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
   * Look at a move.
   * @param {TreeNode} node
   */
  go(node) {
    if (node === this.at) {
      if (!node.view && !this.looking) {
        void this.look(node); // the server was lost before it could tell
      }
      return;
    }
    this.isStep = node.parent === this.at && this.at !== null;
    this.at = node;
    this.looking?.abort();
    if (node.view) {
      this.emit("go");
      this.emit("view");
      return;
    }
    this.emit("go");
    void this.look(node);
  }

  /**
   * Ask what can be played after a move.
   * @param {TreeNode} node
   */
  async look(node) {
    const { tree } = this;
    const looking = new AbortController();
    this.looking = looking;
    try {
      /** @type {GameView} */
      const view = await fetchJson("POST", `/api/positions?since=${tree.knownTo(node)}`, {
        body: tree.subject(node),
        signal: looking.signal,
      });
      tree.learn(node, view);
      if (node === this.at) {
        this.emit("view");
      }
    } catch (error) {
      if (!looking.signal.aborted) {
        throw error;
      }
    } finally {
      if (this.looking === looking) {
        this.looking = null;
      }
    }
  }

  /**
   * Play moves from here into the tree, by their texts, and go to the last; raises `Refused`, and then nothing changes.
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
    tree.learn(node, view);
    this.emit("tree");
    if (current === this.at) {
      this.go(node); // unless one has gone elsewhere meanwhile
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

  /** Take out the current move and all that follows. */
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

const PATH = "/analyse";

/** An address that makes no sense, and why. */
export class BadLink extends Error {}

/**
 * The address of a position on this page.
 * @param {PositionSpec} subject
 * @param {string | null} [orientation] the side at the bottom, where that is not the usual one
 */
export function formatAddress(subject, orientation = null) {
  return `${PATH}?${toQuery(subject, { moves: subject.moves?.join(" ") ?? "", orientation: orientation ?? "" })}`;
}

/**
 * The side that an address asks to be at the bottom; empty where it does not say.
 * @param {string} search
 */
export function parseOrientation(search) {
  return new URLSearchParams(search).get("orientation") ?? "";
}

/**
 * What an address asks for; null where it asks for nothing. Raises `BadLink` where it makes no sense.
 * @param {string} search
 * @returns {PositionSpec | null}
 */
export function parseSpec(search) {
  const query = new URLSearchParams(search);
  const variant = query.get("variant");
  if (variant === null) {
    if ([...query.keys()].some((name) => ["position", "moves"].includes(name))) {
      throw new BadLink("The link does not say which variant it is of.");
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
    throw new BadLink(`The link says ${name}=${text}, which is not a number.`);
  }
  return Number(text);
}

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
