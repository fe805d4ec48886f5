// What lies on the desk: the variant, the tree of moves, and where one is in it. Panels listen to it and change it.

import { fetchJson, fetchVariant } from "../api.js";
import { formatAddress } from "./address.js";
import { GameTree } from "./tree.js";

/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantInfo} VariantInfo */

/**
 * `leave`: something else is about to be put on the desk; `begin`: it is there; `go`: another move is looked at;
 * `view`: the server has told what can be played there; `tree`: moves, comments or signs have changed; `turn`: the
 * board was turned around.
 * @typedef {"leave" | "begin" | "go" | "view" | "tree" | "turn"} Change
 */

/** A game on the desk. `begin` or `open` must be called before anything else. */
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
  tell(change) {
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
   * Put a tree on the desk.
   * @param {VariantInfo} facts
   * @param {GameTree} tree
   * @param {TreeNode} current
   */
  open(facts, tree, current) {
    if (this.at) {
      this.tell("leave");
    }
    this.known = facts;
    this.opened = tree;
    if (!facts.sides.includes(this.orientation)) {
      this.orientation = facts.sides[0] ?? "";
    }
    this.at = null;
    this.tell("begin");
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
      this.tell("go");
      this.tell("view");
      return;
    }
    this.tell("go");
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
        this.tell("view");
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
    this.tell("tree");
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
    this.tell("tree");
    this.go(left);
  }

  turnAround() {
    const { sides } = this.facts;
    this.orientation = sides.find((side) => side !== this.orientation) ?? this.orientation;
    this.tell("turn");
  }
}
