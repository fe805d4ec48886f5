// The game tree: moves with variations, comments and verdicts, with conversions to text, requests and storage.

import { capital, moveText } from "../ui.js";

/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").EndgameMove} EndgameMove */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").ScoreInfo} ScoreInfo */
/** @typedef {import("../api-types").GameTreeSpec} GameTreeSpec */

/**
 * The review of a move.
 * @typedef {{score: string, short?: string, chances: number, mark: string | null, best: string | null}} Verdict
 */

/** The marks for moves by their numeric annotation glyphs. */
export const SIGNS = new Map([
  [3, "!!"],
  [1, "!"],
  [5, "!?"],
  [6, "?!"],
  [2, "?"],
  [4, "??"],
]);

/** The names of the marks of a review, singular and plural. @type {Map<string, [string, string]>} */
export const MARKS = new Map([
  ["?!", ["inaccuracy", "inaccuracies"]],
  ["?", ["mistake", "mistakes"]],
  ["??", ["blunder", "blunders"]],
]);

/** The proven values of moves. @type {EndgameMove["value"][]} */
const VALUES = ["win", "draw", "loss"];

/** A move of a tree. The root has no move. */
export class TreeNode {
  /**
   * @param {TreeNode | null} parent
   * @param {MoveInfo | null} move
   * @param {string} side the side that moved; empty for the root
   * @param {PositionState | null} state the position after the move, if it is known
   */
  constructor(parent, move, side, state) {
    this.parent = parent;
    this.move = move;
    this.side = side;
    this.state = state;
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

  /** The mark of the move, such as `?!`, or an empty text. */
  get sign() {
    return this.glyphs.map((glyph) => SIGNS.get(glyph) ?? "").find((sign) => sign) ?? "";
  }

  /** The number of moves from the root. */
  get depth() {
    let depth = 0;
    for (let node = this.parent; node; node = node.parent) {
      depth += 1;
    }
    return depth;
  }
}

/** The tree of moves after a start position. */
export class GameTree {
  /**
   * @param {object} origin
   * @param {string} origin.variant
   * @param {number | null} [origin.houses]
   * @param {number | null} [origin.seeds]
   * @param {string | null} [origin.position] the start position; null for that of the variant
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

  /** Whether the tree has no moves, no comment and the start position of the variant. */
  get isEmpty() {
    return !this.root.children.length && !this.root.comment && this.position === null;
  }

  /**
   * Return the node of a move. Add the node if the tree does not have it.
   * @param {TreeNode} parent
   * @param {PlyState} ply
   */
  add(parent, ply) {
    const known = this.follow(parent, ply.move);
    if (known) {
      known.state ??= ply;
      return known;
    }
    const node = new TreeNode(parent, ply.move, ply.side, ply);
    parent.children.push(node);
    return node;
  }

  /**
   * Return the child with this move.
   * @param {TreeNode} parent
   * @param {MoveInfo} move
   */
  follow(parent, move) {
    return parent.children.find((child) => child.move?.full === move.full) ?? null;
  }

  /**
   * Return the nodes from the first move to a node.
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
   * Return the main line after a node.
   * @param {TreeNode} [from]
   */
  mainLine(from = this.root) {
    const line = [];
    for (let node = from.children[0]; node; node = node.children[0]) {
      line.push(node);
    }
    return line;
  }

  /** Return the root and the main line. */
  fromStart() {
    return [this.root, ...this.mainLine()];
  }

  /**
   * Return the position of a node for requests.
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
   * Return the number of moves in the subtree of a node, including the node.
   * @param {TreeNode} node
   */
  size(node) {
    return 1 + [...this.walk(node)].length;
  }

  /** Yield all moves after a node in preorder. */
  *walk(from = this.root) {
    const stack = [...from.children].reverse();
    for (let node = stack.pop(); node; node = stack.pop()) {
      yield node;
      stack.push(...[...node.children].reverse());
    }
  }

  /** @param {TreeNode} node */
  isOnMainLine(node) {
    return branching(node) === null;
  }

  /**
   * Return the next or previous alternative of a move, or of the nearest earlier move that has alternatives.
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
   * Move the variation of a node up by one place.
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
   * Make the line to a node the main line.
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
   * Remove a move and all moves after it.
   * @param {TreeNode} node
   * @returns {TreeNode} the node before it
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
   * Return the round number of a move. It increases with each turn of the first side.
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
   * Return the number of moves on the line to a node before the first unknown position.
   * @param {TreeNode} node
   */
  knownTo(node) {
    const line = this.lineTo(node);
    const unknown = line.findIndex((each) => each.state === null);
    return unknown === -1 ? line.length : unknown;
  }

  /**
   * Store the positions and the legal moves that the server sent for a node.
   * @param {TreeNode} node
   * @param {GameView} view
   */
  update(node, view) {
    this.lineTo(node).forEach((each, number) => {
      each.state ??= view.plies[number - view.since] ?? null;
    });
    node.view = { legal: view.legal, outcome: view.outcome, claims: view.claims };
  }
}

/**
 * Return whether a move begins a round, so that a new number precedes it.
 * @param {TreeNode} node
 * @param {string} first
 */
export function beginsRound(node, first) {
  return node.side === first && node.parent?.side !== first;
}

/**
 * Return the last node on the line to a node that is not a first child, or null for the main line.
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

/**
 * A move in the browser's storage, without its position.
 * @typedef {object} StoredNode
 * @property {number} parent
 * @property {MoveInfo} move
 * @property {string} side
 * @property {string} comment
 * @property {number[]} glyphs
 * @property {Verdict | null} verdict
 */

/**
 * A tree in the browser's storage.
 * @typedef {object} StoredTree
 * @property {string} variant
 * @property {number | null} houses
 * @property {number | null} seeds
 * @property {string | null} position
 * @property {PositionState} start
 * @property {Record<string, string>} tags
 * @property {string} comment
 * @property {Verdict | null} verdict
 * @property {StoredNode[]} nodes
 * @property {number} at the number of the current node, -1 for the root
 */

/**
 * Return the tree for requests.
 * @param {GameTree} tree
 * @returns {GameTreeSpec}
 */
export function toSpec(tree) {
  const { variant, houses, seeds, position, tags, root } = tree;
  const nodes = numbered(tree).map(([node, parent]) => ({
    parent,
    move: node.move?.full ?? "",
    comment: node.comment,
    glyphs: node.glyphs,
  }));
  return { variant, houses, seeds, position, tags, comment: root.comment, nodes };
}

/**
 * Return the tree for the browser's storage.
 * @param {GameTree} tree
 * @param {TreeNode} current
 * @returns {StoredTree}
 */
export function toStored(tree, current) {
  const { variant, houses, seeds, position, start, tags, root } = tree;
  let at = -1;
  const nodes = numbered(tree).map(([node, parent], number) => {
    at = node === current ? number : at;
    const { side, comment, glyphs, verdict } = node;
    return { parent, move: /** @type {MoveInfo} */ (node.move), side, comment, glyphs, verdict };
  });
  const { comment, verdict } = root;
  return { variant, houses, seeds, position, start, tags, comment, verdict, nodes, at };
}

/**
 * Return each node with the number of its parent.
 * @param {GameTree} tree
 * @returns {[TreeNode, number][]}
 */
function numbered(tree) {
  const numbers = new Map([[tree.root, -1]]);
  return [...tree.walk()].map((node, number) => {
    numbers.set(node, number);
    return [node, numbers.get(/** @type {TreeNode} */ (node.parent)) ?? -1];
  });
}

/**
 * Return the tree of a game from a file.
 * @param {GameTreeState} game
 * @param {string} standard the start position of the variant
 */
export function fromFile(game, standard) {
  const position = game.start.position === standard ? null : game.start.position;
  const tree = new GameTree({ ...game, position });
  tree.tags = game.tags;
  tree.root.comment = game.comment;
  addNodes(tree, game.nodes, (node, { parent, comment, glyphs, ...ply }) => (node.state = ply));
  return tree;
}

/**
 * Return the tree and the current node from the browser's storage.
 * @param {StoredTree} stored
 * @returns {{tree: GameTree, current: TreeNode}}
 */
export function fromStored(stored) {
  const tree = new GameTree(stored);
  tree.tags = stored.tags;
  tree.root.comment = stored.comment;
  tree.root.verdict = stored.verdict;
  const nodes = addNodes(tree, stored.nodes, (node, { verdict }) => (node.verdict = verdict));
  return { tree, current: nodes[stored.at] ?? tree.root };
}

/**
 * Add nodes to an empty tree.
 * @template {{parent: number, move: MoveInfo, side: string, comment: string, glyphs: number[]}} N
 * @param {GameTree} tree
 * @param {N[]} specs
 * @param {(node: TreeNode, spec: N) => void} finish
 */
function addNodes(tree, specs, finish) {
  /** @type {TreeNode[]} */
  const nodes = [];
  for (const spec of specs) {
    const parent = nodes[spec.parent] ?? tree.root;
    const node = new TreeNode(parent, spec.move, spec.side, null);
    node.comment = spec.comment;
    node.glyphs = [...spec.glyphs];
    finish(node, spec);
    parent.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

/**
 * Return a move as text for announcements: "White: 32 takes 23, 1 captured".
 * @param {TreeNode} node
 */
export function nodeText({ move, side, comment }) {
  if (!move) {
    return "Start position";
  }
  return [`${capital(side)}: ${moveText(move)}`, comment].filter(Boolean).join(", ");
}

/**
 * Return a short score for the first side: `+0.35`, `−6`, or `−#5` if the second side wins with its fifth move.
 * @param {ScoreInfo} score
 * @param {number} chances the first side's chances
 */
export function shortScore({ text, value, plies }, chances) {
  if (value !== null) {
    return withMinus(text);
  }
  const isWon = chances >= 0.5;
  if (plies === 0) {
    return isWon ? "1–0" : "0–1";
  }
  return `${isWon ? "+" : "−"}#${plies === null ? "" : Math.ceil(plies / 2)}`;
}

/**
 * Convert the values of moves from the side to move to the first side, and format them.
 * @param {Record<string, number>} values
 * @param {boolean} isFirst whether the first side is to move
 */
export function formatValues(values, isFirst) {
  return Object.fromEntries(
    Object.entries(values).map(([move, value]) => {
      const shown = isFirst ? value : -value;
      return [move, shown > 0 ? `+${shown}` : withMinus(String(shown))];
    }),
  );
}

/**
 * Group the moves of a tablebase by their values, those that win first. Groups without moves are left out.
 * @param {EndgameMove[]} moves
 * @returns {[EndgameMove["value"], EndgameMove[]][]}
 */
export function groupByValue(moves) {
  return VALUES.map((value) => /** @type {[EndgameMove["value"], EndgameMove[]]} */ ([
    value,
    moves.filter((each) => each.value === value),
  ])).filter(([, group]) => group.length);
}

/** @param {string} text */
function withMinus(text) {
  return text === "-0" ? "0" : text.replace(/^-/, "−");
}
