// A tree of moves, without knowledge of the page, the server or the rules.

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").GameView} GameView */

/**
 * The verdict of a review on a move.
 * @typedef {{score: string, short?: string, chances: number, mark: string | null, best: string | null}} Verdict
 */

/** The glyphs of a move, by their numbers in game files. */
export const SIGNS = new Map([
  [3, "!!"],
  [1, "!"],
  [5, "!?"],
  [6, "?!"],
  [2, "?"],
  [4, "??"],
]);

/** A node of a tree: a move, or the start. */
export class TreeNode {
  /**
   * @param {TreeNode | null} parent
   * @param {MoveInfo | null} move
   * @param {string} side the side that moved; empty for the start
   * @param {PositionState | null} scene the position after it, if known
   */
  constructor(parent, move, side, scene) {
    this.parent = parent;
    this.move = move;
    this.side = side;
    this.scene = scene;
    this.comment = "";
    /** @type {number[]} */
    this.glyphs = [];
    /** @type {Verdict | null} */
    this.verdict = null;
    /** @type {TreeNode[]} */
    this.children = [];
    /** @type {Pick<GameView, "legal" | "outcome" | "claims"> | null} */
    this.view = null;
  }

  /** The glyph of the move, such as `?!`; empty if it has none. */
  get sign() {
    return this.glyphs.map((glyph) => SIGNS.get(glyph) ?? "").find((sign) => sign) ?? "";
  }

  /** The number of moves before the position of this node. */
  get depth() {
    let depth = 0;
    for (let node = this.parent; node; node = node.parent) {
      depth += 1;
    }
    return depth;
  }
}

/** A tree of moves from one position. */
export class GameTree {
  /**
   * @param {object} origin
   * @param {string} origin.variant
   * @param {number | null} [origin.houses]
   * @param {number | null} [origin.seeds]
   * @param {string | null} [origin.position] the start; null for that of the variant
   * @param {PositionState} origin.start
   */
  constructor({ variant, houses = null, seeds = null, position = null, start }) {
    this.variant = variant;
    this.houses = houses;
    this.seeds = seeds;
    this.position = position;
    /** @type {Record<string, string>} */
    this.tags = {};
    this.start = start;
    this.root = new TreeNode(null, null, "", start);
  }

  /** Whether the tree is empty. */
  get isEmpty() {
    return !this.root.children.length && !this.root.comment && this.position === null;
  }

  /**
   * Return the child with this move, and create it if necessary.
   * @param {TreeNode} parent
   * @param {PlyState} ply
   */
  add(parent, ply) {
    const known = this.follow(parent, ply.move);
    if (known) {
      known.scene ??= ply;
      return known;
    }
    const node = new TreeNode(parent, ply.move, ply.side, ply);
    parent.children.push(node);
    return node;
  }

  /**
   * Find the child with this move.
   * @param {TreeNode} parent
   * @param {MoveInfo} move
   */
  follow(parent, move) {
    return parent.children.find((child) => child.move?.full === move.full) ?? null;
  }

  /**
   * Return the nodes from the first move to this one.
   * @param {TreeNode} node
   */
  lineTo(node) {
    const line = [];
    for (let each = node; each.parent; each = each.parent) {
      line.push(each);
    }
    return line.reverse();
  }

  /**
   * Return the nodes of the main line, from the first move or from a node on.
   * @param {TreeNode} [from]
   */
  mainLine(from = this.root) {
    const line = [];
    for (let node = from.children[0]; node; node = node.children[0]) {
      line.push(node);
    }
    return line;
  }

  /** Return the root and the nodes of the main line. */
  fromStart() {
    return [this.root, ...this.mainLine()];
  }

  /**
   * Return the position of a node as a request.
   * @param {TreeNode} node
   * @returns {PositionSpec & {moves: string[]}}
   */
  subject(node) {
    return {
      variant: this.variant,
      houses: this.houses,
      seeds: this.seeds,
      position: this.position,
      moves: this.lineTo(node).map((each) => each.move?.full ?? ""),
    };
  }

  /**
   * Count the moves that would be deleted with this one.
   * @param {TreeNode} node
   */
  size(node) {
    return 1 + [...this.walk(node)].length;
  }

  /** Iterate over all nodes after a node, parents and main continuations first. */
  *walk(from = this.root) {
    const waiting = [...from.children].reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      yield node;
      waiting.push(...[...node.children].reverse());
    }
  }

  /**
   * @param {TreeNode} node
   */
  isOnMainLine(node) {
    return branching(node) === null;
  }

  /**
   * Find the alternative to this move, or to the nearest one before it that has alternatives, `step` further in order;
   * null if there is none.
   * @param {TreeNode} node
   * @param {1 | -1} step
   */
  neighbour(node, step) {
    for (let each = node; each.parent; each = each.parent) {
      const siblings = each.parent.children;
      if (siblings.length > 1) {
        return siblings[siblings.indexOf(each) + step] ?? null;
      }
    }
    return null;
  }

  /**
   * Move the variation of this node up by one place.
   * @param {TreeNode} node
   */
  promote(node) {
    const first = branching(node);
    if (first?.parent) {
      const siblings = first.parent.children;
      const place = siblings.indexOf(first);
      siblings.splice(place, 1);
      siblings.splice(place - 1, 0, first);
    }
  }

  /**
   * Make the line to this node the main line.
   * @param {TreeNode} node
   */
  makeMain(node) {
    for (let first = branching(node); first?.parent; first = branching(node)) {
      const siblings = first.parent.children;
      siblings.splice(siblings.indexOf(first), 1);
      siblings.unshift(first);
    }
  }

  /**
   * Delete a move and all that follow.
   * @param {TreeNode} node
   * @returns {TreeNode} the node to go to
   */
  remove(node) {
    if (!node.parent) {
      return node;
    }
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    return node.parent;
  }

  /**
   * Return the number of a move: it grows with each turn of the side that moves first. Moves of one turn share it.
   * @param {TreeNode} node
   * @param {string} first the side that moves first
   */
  number(node, first) {
    let number = 1;
    for (let each = node; each.parent?.parent; each = each.parent) {
      number += Number(beginsRound(each, first));
    }
    return number;
  }

  /**
   * Count the moves of the line to a node whose boards are known.
   * @param {TreeNode} node
   */
  knownTo(node) {
    const line = this.lineTo(node);
    const unknown = line.findIndex((each) => each.scene === null);
    return unknown === -1 ? line.length : unknown;
  }

  /**
   * Store the boards that the server sent for the line to a node.
   * @param {TreeNode} node
   * @param {GameView} view
   */
  learn(node, view) {
    this.lineTo(node).forEach((each, number) => {
      each.scene ??= view.plies[number - view.since] ?? null;
    });
    node.view = { legal: view.legal, outcome: view.outcome, claims: view.claims };
  }
}

/**
 * Whether a number is written before this move.
 * @param {TreeNode} node
 * @param {string} first
 */
export function beginsRound(node, first) {
  return node.side === first && node.parent?.side !== first;
}

/**
 * Find the last node on the line to this one that is a variation; null on the main line.
 * @param {TreeNode} node
 */
function branching(node) {
  for (let each = node; each.parent; each = each.parent) {
    if (each.parent.children[0] !== each) {
      return each;
    }
  }
  return null;
}
