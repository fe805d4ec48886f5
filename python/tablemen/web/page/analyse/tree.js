// The game tree: moves with variations, comments and verdicts, their text, and the forms for files and storage.

import { capital, moveText } from "../ui.js";

/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").ScoreInfo} ScoreInfo */
/** @typedef {import("../api-types").GameTreeSpec} WireTree */

/**
 * What the engine thought of a move after the game.
 * @typedef {{score: string, short?: string, chances: number, mark: string | null, best: string | null}} Verdict
 */

/** The signs for a move, by their numbers in game files. */
export const SIGNS = new Map([
  [3, "!!"],
  [1, "!"],
  [5, "!?"],
  [6, "?!"],
  [2, "?"],
  [4, "??"],
]);

/** A move of a tree, or its start, which has no move. */
export class TreeNode {
  /**
   * @param {TreeNode | null} parent
   * @param {MoveInfo | null} move
   * @param {string} side who moved; empty for the start
   * @param {PositionState | null} state the board after it, as far as it was told
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

  /** The sign of the move, such as `?!`; empty where it has none. */
  get sign() {
    return this.glyphs.map((glyph) => SIGNS.get(glyph) ?? "").find((sign) => sign) ?? "";
  }

  /** How many moves were played before the position of this node. */
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
   * @param {string | null} [origin.position] where it begins; null for the start of the variant
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

  /** Whether there is nothing that could be lost. */
  get isEmpty() {
    return !this.root.children.length && !this.root.comment && this.position === null;
  }

  /**
   * The move after this one: that which is there already, or a new one.
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
   * The child with this move.
   * @param {TreeNode} parent
   * @param {MoveInfo} move
   */
  follow(parent, move) {
    return parent.children.find((child) => child.move?.full === move.full) ?? null;
  }

  /**
   * The nodes from the first move to this one.
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
   * The nodes of the main line, from the first move on, or what follows on a node.
   * @param {TreeNode} [from]
   */
  mainLine(from = this.root) {
    const line = [];
    for (let node = from.children[0]; node; node = node.children[0]) {
      line.push(node);
    }
    return line;
  }

  /** The start and the moves of the main line. */
  fromStart() {
    return [this.root, ...this.mainLine()];
  }

  /**
   * The position of a node, as the server is asked about it.
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
   * How many moves would go with this one.
   * @param {TreeNode} node
   */
  size(node) {
    return 1 + [...this.walk(node)].length;
  }

  /** All moves after a node, each after the one that it hangs on, and the main continuation first. */
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
   * The other move in the place of this one or of the nearest before it that has others, `step` further in their order;
   * null where there is none.
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
   * Put the variation of this node one place further up.
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
   * Take a move out, and all that follows on it.
   * @param {TreeNode} node
   * @returns {TreeNode} where one is then
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
   * The number of a move: it grows when the side that moves first has its turn again. Moves of one turn share it.
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
   * After how many moves of the line to a node the boards are not known any more.
   * @param {TreeNode} node
   */
  knownTo(node) {
    const line = this.lineTo(node);
    const unknown = line.findIndex((each) => each.state === null);
    return unknown === -1 ? line.length : unknown;
  }

  /**
   * Take over what the server told of the line to a node.
   * @param {TreeNode} node
   * @param {GameView} view
   */
  learn(node, view) {
    this.lineTo(node).forEach((each, number) => {
      each.state ??= view.plies[number - view.since] ?? null;
    });
    node.view = { legal: view.legal, outcome: view.outcome, claims: view.claims };
  }
}

/**
 * Whether a new number stands before this move.
 * @param {TreeNode} node
 * @param {string} first
 */
export function beginsRound(node, first) {
  return node.side === first && node.parent?.side !== first;
}

/**
 * The last node on the way to this one that is not the main continuation; null on the main line.
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
 * A move as it is kept in the browser; its board is asked for again.
 * @typedef {object} KeptNode
 * @property {number} parent
 * @property {MoveInfo} move
 * @property {string} side
 * @property {string} comment
 * @property {number[]} glyphs
 * @property {Verdict | null} verdict
 */

/**
 * A tree as it is kept in the browser.
 * @typedef {object} KeptTree
 * @property {string} variant
 * @property {number | null} houses
 * @property {number | null} seeds
 * @property {string | null} position
 * @property {PositionState} start
 * @property {Record<string, string>} tags
 * @property {string} comment
 * @property {Verdict | null} verdict
 * @property {KeptNode[]} nodes
 * @property {number} at the number of the current node, -1 for the start
 */

/**
 * The tree as game files are written from it.
 * @param {GameTree} tree
 * @returns {WireTree}
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
 * The tree as the browser keeps it.
 * @param {GameTree} tree
 * @param {TreeNode} current
 * @returns {KeptTree}
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
 * Every move with the number of the one that it hangs on.
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
 * The tree that a game file has.
 * @param {GameTreeState} read
 * @param {string} usual the position that games of the variant begin with
 */
export function fromFile(read, usual) {
  const position = read.start.position === usual ? null : read.start.position;
  const tree = new GameTree({ ...read, position });
  tree.tags = read.tags;
  tree.root.comment = read.comment;
  hang(tree, read.nodes, (node, { parent, comment, glyphs, ...ply }) => (node.state = ply));
  return tree;
}

/**
 * The tree that the browser kept, and where one was.
 * @param {KeptTree} kept
 * @returns {{tree: GameTree, current: TreeNode}}
 */
export function fromStored(kept) {
  const tree = new GameTree(kept);
  tree.tags = kept.tags;
  tree.root.comment = kept.comment;
  tree.root.verdict = kept.verdict;
  const made = hang(tree, kept.nodes, (node, { verdict }) => (node.verdict = verdict));
  return { tree, current: made[kept.at] ?? tree.root };
}

/**
 * @template {{parent: number, move: MoveInfo, side: string, comment: string, glyphs: number[]}} N
 * @param {GameTree} tree
 * @param {N[]} nodes
 * @param {(node: TreeNode, told: N) => void} finish
 */
function hang(tree, nodes, finish) {
  /** @type {TreeNode[]} */
  const made = [];
  for (const told of nodes) {
    const parent = made[told.parent] ?? tree.root;
    const node = new TreeNode(parent, told.move, told.side, null);
    node.comment = told.comment;
    node.glyphs = [...told.glyphs];
    finish(node, told);
    parent.children.push(node);
    made.push(node);
  }
  return made;
}

/** What the marks of a judged game mean, for one of them and for several. @type {Map<string, [string, string]>} */
export const MARKS = new Map([
  ["?!", ["inaccuracy", "inaccuracies"]],
  ["?", ["mistake", "mistakes"]],
  ["??", ["blunder", "blunders"]],
]);

/**
 * A move as it is said: "White: 32 takes 23, 1 captured".
 * @param {TreeNode} node
 */
export function sayMove({ move, side, comment }) {
  if (!move) {
    return "Start";
  }
  return [`${capital(side)}: ${moveText(move)}`, comment].filter(Boolean).join(", ");
}

/**
 * A score where there is little room: `+0.35`, `−6`, and `−#5` where the second side wins with its fifth move from here.
 * As everywhere on the page it is that of the first side.
 * @param {ScoreInfo} score
 * @param {number} chances of the first side
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
 * The values of moves to the side to move as those of the first side, which scores are of everywhere else.
 * @param {Record<string, number>} values
 * @param {boolean} isFirst whether the first side is to move
 */
export function writeValues(values, isFirst) {
  return Object.fromEntries(
    Object.entries(values).map(([move, value]) => {
      const shown = isFirst ? value : -value;
      return [move, shown > 0 ? `+${shown}` : withMinus(String(shown))];
    }),
  );
}

/** @param {string} text */
function withMinus(text) {
  return text === "-0" ? "0" : text.replace(/^-/, "−");
}
