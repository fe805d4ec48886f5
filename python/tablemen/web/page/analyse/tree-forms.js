// Conversions of the tree: to requests, from game files, and to and from the browser's storage.

import { GameTree, TreeNode } from "./tree.js";

/** @typedef {import("../api-types").MoveInfo} MoveInfo */
/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").PositionState} PositionState */
/** @typedef {import("../api-types").GameTreeSpec} WireTree */
/** @typedef {import("./tree.js").Verdict} Verdict */

/**
 * A stored move; its board is fetched again.
 * @typedef {object} KeptNode
 * @property {number} parent
 * @property {MoveInfo} move
 * @property {string} side
 * @property {string} comment
 * @property {number[]} glyphs
 * @property {Verdict | null} verdict
 */

/**
 * A stored tree.
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
 * @property {number} at the index of the current node, -1 for the start
 */

/**
 * Convert a tree to a request.
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
 * Convert a tree for the browser's storage.
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
 * All moves with the index of their parent.
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
 * Convert a game of a file to a tree.
 * @param {GameTreeState} read
 * @param {string} usual the start position of the variant
 */
export function fromFile(read, usual) {
  const position = read.start.position === usual ? null : read.start.position;
  const tree = new GameTree({ ...read, position });
  tree.tags = read.tags;
  tree.root.comment = read.comment;
  hang(tree, read.nodes, (node, { parent, comment, glyphs, ...ply }) => (node.scene = ply));
  return tree;
}

/**
 * Restore a stored tree and its current node.
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
