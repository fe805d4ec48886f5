// The state of the analysis: the variant, the tree of moves, and the current move. Panels observe and change it.

import { fetchJson } from "../api.js";
import { fetchVariant } from "../position-spec.js";
import { formatAddress } from "./address.js";
import { GameTree } from "./tree.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/**
 * `leave`: another game is about to be opened; `begin`: it is open; `go`: the current move changed;
 * `view`: the legal moves there are known; `tree`: moves, comments or glyphs changed; `turn`: the
 * board was turned around.
 * @typedef {"leave" | "begin" | "go" | "view" | "tree" | "turn"} Change
 */

/** An analysed game. `begin` or `open` must be called first. */
export class AnalysisState {
  constructor() {
    /** @type {VariantInfo | null} */
    this.known = null;
    /** @type {GameTree | null} */
    this.opened = null;
    /** @type {TreeNode | null} */
    this.at = null;
    this.orientation = "";
    /** Whether the last step was one move forward, which is animated. */
    this.isStep = false;
    /** Cancels the pending request. @type {AbortController | null} */
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

  /** The link to the current position and orientation. */
  get address() {
    return formatAddress(this.subject, this.orientation === this.facts.sides[0] ? null : this.orientation);
  }

  /** The side to move, if the position is known. */
  get turn() {
    return this.current.scene?.turn ?? this.tree.start.turn;
  }

  /**
   * @param {Change} change
   * @param {() => void} listener
   */
  on(change, listener) {
    this.events.addEventListener(change, listener);
  }

  /** @param {Change} change */
  notify(change) {
    this.events.dispatchEvent(new Event(change));
  }

  /**
   * Start with a position and its moves. Throws `RequestError` without a change if they are invalid.
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
   * Open a tree.
   * @param {VariantInfo} facts
   * @param {GameTree} tree
   * @param {TreeNode} current
   */
  open(facts, tree, current) {
    if (this.at) {
      this.notify("leave");
    }
    this.known = facts;
    this.opened = tree;
    if (!facts.sides.includes(this.orientation)) {
      this.orientation = facts.sides[0] ?? "";
    }
    this.at = null;
    this.notify("begin");
    this.go(current);
  }

  /**
   * Go to a move.
   * @param {TreeNode} node
   */
  go(node) {
    if (node === this.at) {
      if (!node.view && !this.looking) {
        void this.fetchMoves(node); // the connection was lost before the response
      }
      return;
    }
    this.isStep = node.parent === this.at && this.at !== null;
    this.at = node;
    this.looking?.abort();
    if (node.view) {
      this.notify("go");
      this.notify("view");
      return;
    }
    this.notify("go");
    void this.fetchMoves(node);
  }

  /**
   * Fetch the legal moves after a move.
   * @param {TreeNode} node
   */
  async fetchMoves(node) {
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
        this.notify("view");
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
   * Add moves by their texts and go to the last. Throws `RequestError` without a change if one is illegal.
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
    this.notify("tree");
    if (current === this.at) {
      this.go(node); // unless the current move changed meanwhile
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

  /** Delete the current move and all that follow. */
  removeFromHere() {
    const left = this.tree.remove(this.current);
    this.notify("tree");
    this.go(left);
  }

  turnAround() {
    const { sides } = this.facts;
    this.orientation = sides.find((side) => side !== this.orientation) ?? this.orientation;
    this.notify("turn");
  }
}
