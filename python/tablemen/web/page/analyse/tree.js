// A game with variations: every move hangs on the move before it. It knows no page, no server and no rules.

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").PlyState} PlyState */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").GameView} GameView */

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
   * @param {PositionState | null} scene the board after it, as far as it was told
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
      known.scene ??= ply;
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
    const unknown = line.findIndex((each) => each.scene === null);
    return unknown === -1 ? line.length : unknown;
  }

  /**
   * Take over what the server told of the line to a node.
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
