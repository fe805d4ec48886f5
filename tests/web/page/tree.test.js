// Tests of the game tree, its serialised forms and its text. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { beginsRound, fromFile, fromStored, GameTree, nodeText, shortScore, toSpec, toStored, formatValues, groupByValue } from "../../../python/tablemen/web/page/analyse/tree.js";

const START = { position: "start", turn: "white", board: {} };

const move = (text) => ({
  text,
  full: text,
  places: text.split(/[-x]/),
  captured: [],
  crowns: false,
  sowing: [],
  captured_seeds: 0,
  extra_turn: false,
});

const ply = (text, side) => ({ position: `after ${text}`, turn: "", board: {}, side, move: move(text) });

/** Create a tree of draughts from lines of moves, each from the start position. */
function draughts(...lines) {
  const tree = new GameTree({ variant: "international", start: START });
  for (const line of lines) {
    let node = tree.root;
    line.split(" ").forEach((text, number) => {
      node = tree.add(node, ply(text, number % 2 ? "black" : "white"));
    });
  }
  return tree;
}

const at = (tree, line) =>
  line.split(" ").reduce((node, text) => node.children.find((child) => child.move.text === text), tree.root);

const texts = (nodes) => nodes.map((node) => node.move.text).join(" ");

test("a known move is not added again", () => {
  const tree = draughts("32-28 19-23", "32-28 18-23");
  assert.equal(tree.root.children.length, 1);
  assert.equal(texts(tree.mainLine()), "32-28 19-23");
  assert.equal(texts(at(tree, "32-28").children), "19-23 18-23");
});

test("the spec of a node has the moves of its line", () => {
  const tree = draughts("32-28 19-23", "32-28 18-23 28x19");
  assert.deepEqual(tree.subject(at(tree, "32-28 18-23 28x19")), {
    variant: "international",
    houses: null,
    seeds: null,
    position: null,
    moves: ["32-28", "18-23", "28x19"],
  });
  assert.deepEqual(tree.subject(tree.root).moves, []);
});

test("a variation has a main line of its own", () => {
  const tree = draughts("32-28 19-23", "31-27 17-22 27x18");
  assert.equal(texts(tree.mainLine(at(tree, "31-27"))), "17-22 27x18");
  assert.equal(tree.isOnMainLine(at(tree, "32-28 19-23")), true);
  assert.equal(tree.isOnMainLine(at(tree, "31-27 17-22")), false);
  assert.equal(tree.isOnMainLine(tree.root), true);
});

test("neighbours are the alternatives at the nearest branch", () => {
  const tree = draughts("32-28 19-23", "31-27 17-22", "33-29");
  const middle = at(tree, "31-27");
  assert.equal(tree.neighbour(middle, 1), at(tree, "33-29"));
  assert.equal(tree.neighbour(middle, -1), at(tree, "32-28"));
  assert.equal(tree.neighbour(at(tree, "31-27 17-22"), 1), at(tree, "33-29"));
  assert.equal(tree.neighbour(at(tree, "33-29"), 1), null);
  assert.equal(tree.neighbour(tree.root, 1), null);
});

test("promote moves a variation up by one, makeMain to the top", () => {
  const tree = draughts("1-2 3-4", "1-2 5-6 7-8", "1-2 5-6 9-10", "11-12");
  const deep = at(tree, "1-2 5-6 9-10");
  tree.promote(deep);
  assert.equal(texts(at(tree, "1-2 5-6").children), "9-10 7-8");
  assert.equal(texts(tree.mainLine()), "1-2 3-4");
  tree.promote(deep);
  assert.equal(texts(tree.mainLine()), "1-2 5-6 9-10");
  tree.promote(deep);
  assert.equal(texts(tree.mainLine()), "1-2 5-6 9-10");
  tree.makeMain(at(tree, "11-12"));
  assert.equal(texts(tree.mainLine()), "11-12");
  tree.makeMain(at(tree, "1-2 5-6 7-8"));
  assert.equal(texts(tree.mainLine()), "1-2 5-6 7-8");
});

test("remove deletes a move with its subtree", () => {
  const tree = draughts("1-2 3-4 5-6", "1-2 7-8");
  assert.equal(tree.size(at(tree, "1-2 3-4")), 2);
  assert.equal(tree.size(at(tree, "1-2")), 4);
  const left = tree.remove(at(tree, "1-2 3-4"));
  assert.equal(left, at(tree, "1-2"));
  assert.equal(texts([...tree.walk()]), "1-2 7-8");
  assert.equal(tree.remove(tree.root), tree.root);
});

test("a round has one number", () => {
  const tree = draughts("1-2 3-4 5-6 7-8");
  const line = tree.mainLine();
  assert.deepEqual(
    line.map((node) => tree.number(node, "white")),
    [1, 1, 2, 2],
  );
  assert.deepEqual(
    line.map((node) => beginsRound(node, "white")),
    [true, false, true, false],
  );
});

test("the first round may begin with the second side", () => {
  const tree = draughts("1-2 3-4 5-6");
  assert.deepEqual(
    tree.mainLine().map((node) => tree.number(node, "black")),
    [1, 2, 2],
  );
});

test("extra turns share the number of their round", () => {
  const tree = new GameTree({ variant: "kalah", houses: 6, seeds: 4, start: START });
  let node = tree.root;
  for (const [text, side] of [
    ["3", "south"],
    ["1", "south"],
    ["3", "north"],
    ["6", "north"],
    ["2", "south"],
  ]) {
    node = tree.add(node, ply(text, side));
  }
  assert.deepEqual(
    tree.mainLine().map((each) => tree.number(each, "south")),
    [1, 1, 1, 1, 2],
  );
});

test("requests have nodes in preorder with the main line first", () => {
  const tree = draughts("1-2 3-4", "1-2 5-6", "7-8");
  tree.root.comment = "before";
  at(tree, "1-2 5-6").glyphs = [6];
  at(tree, "7-8").comment = "why not";
  const spec = toSpec(tree);
  assert.equal(spec.comment, "before");
  assert.deepEqual(
    spec.nodes.map(({ parent, move: text }) => [parent, text]),
    [
      [-1, "1-2"],
      [0, "3-4"],
      [0, "5-6"],
      [-1, "7-8"],
    ],
  );
  assert.deepEqual(spec.nodes[2].glyphs, [6]);
  assert.equal(spec.nodes[3].comment, "why not");
});

test("a storage round trip keeps the tree", () => {
  const tree = draughts("1-2 3-4 5-6", "1-2 7-8", "9-10");
  tree.tags = { White: "A" };
  const current = at(tree, "1-2 7-8");
  current.comment = "a comment";
  current.glyphs = [4];
  current.verdict = { score: "-1.2", chances: 0.3, mark: "??", best: "3-4" };
  const text = JSON.stringify(toStored(tree, current));
  const restored = fromStored(JSON.parse(text));
  assert.equal(restored.current.move.text, "7-8");
  assert.equal(restored.current.sign, "??");
  assert.equal(JSON.stringify(toStored(restored.tree, restored.current)), text);
  assert.equal(fromStored(toStored(tree, tree.root)).current.move, null);
});

test("a game from a file keeps its start position unless it is the default", () => {
  const game = {
    variant: "international",
    houses: null,
    seeds: null,
    start: { ...START, position: "elsewhere" },
    tags: { Event: "B" },
    comment: "hello",
    nodes: [
      { ...ply("1-2", "white"), parent: -1, comment: "", glyphs: [1] },
      { ...ply("3-4", "black"), parent: 0, comment: "c", glyphs: [] },
      { ...ply("5-6", "black"), parent: 0, comment: "", glyphs: [] },
    ],
  };
  const tree = fromFile(game, "default");
  assert.equal(tree.position, "elsewhere");
  assert.equal(fromFile(game, "elsewhere").position, null);
  assert.equal(texts([...tree.walk()]), "1-2 3-4 5-6");
  assert.deepEqual(at(tree, "1-2 5-6").state, ply("5-6", "black"));
  assert.equal(at(tree, "1-2").sign, "!");
  assert.equal(tree.root.comment, "hello");
});

test("update stores the positions of a line in its nodes", () => {
  const stored = toStored(draughts("1-2 3-4"), null);
  const { tree } = fromStored(stored);
  const last = at(tree, "1-2 3-4");
  assert.equal(last.state, null);
  assert.equal(tree.knownTo(last), 0);
  tree.root.children[0].state = ply("1-2", "white");
  assert.equal(tree.knownTo(last), 1);
  tree.update(last, {
    since: 1,
    plies: [ply("3-4", "black")],
    legal: [move("5-6")],
    outcome: null,
    claims: [],
  });
  assert.equal(at(tree, "1-2").state.position, "after 1-2");
  assert.equal(last.state.position, "after 3-4");
  assert.equal(tree.knownTo(last), 2);
  assert.equal(last.view.legal[0].text, "5-6");
});

test("lines with 5000 moves do not overflow the stack", () => {
  const tree = new GameTree({ variant: "international", start: START });
  let node = tree.root;
  for (let number = 0; number < 5000; number += 1) {
    tree.add(node, ply(`${number}-a`, "white"));
    tree.add(node, ply(`${number}-b`, "white"));
    tree.promote(node.children[1]);
    node = node.children[0];
  }
  assert.equal([...tree.walk()].length, 10_000);
  assert.equal(toSpec(tree).nodes.length, 10_000);
  assert.equal(node.depth, 5000);
});

const QUIET = { captured: [], crowns: false, sowing: [], captured_seeds: 0, extra_turn: false };

test("announcements have the side, the move and the comment", () => {
  const text = (side, facts, comment = "") => nodeText({ side, comment, move: { ...QUIET, ...facts } });
  assert.equal(text("white", { places: ["32", "28"] }), "White: 32 to 28");
  assert.equal(
    text("black", { places: ["19", "28", "37"], captured: ["23", "32"] }),
    "Black: 19 takes 28 takes 37, 2 captured",
  );
  assert.equal(text("white", { places: ["a7", "b8"], crowns: true }, "at last"), "White: a7 to b8, crowned, at last");
  assert.equal(text("south", { places: ["3"], extra_turn: true }), "South: house 3, moves again");
  assert.equal(text("north", { places: ["6"], captured_seeds: 5 }), "North: house 6, captures 5 seeds");
  assert.equal(text("north", { places: ["swap"] }), "North: swaps sides");
  assert.equal(nodeText({ side: "", comment: "", move: null }), "Start position");
});

test("short scores have a sign or a number of moves", () => {
  const short = (text, value, plies, chances) => shortScore({ text, value, plies, exact: plies !== null }, chances);
  assert.equal(short("+0.35", 0.35, null, 0.6), "+0.35");
  assert.equal(short("-0.35", -0.35, null, 0.4), "−0.35");
  assert.equal(short("drawn", 0, null, 0.5), "drawn");
  assert.equal(short("White wins in 9 plies", null, 9, 1), "+#5");
  assert.equal(short("Black wins in 10 plies", null, 10, 0), "−#5");
  assert.equal(short("White has won", null, 0, 1), "1–0");
  assert.equal(short("Black has won", null, 0, 0), "0–1");
});

test("values of moves are shown for the first side", () => {
  assert.deepEqual(formatValues({ 1: 6, 2: -4, 3: 0 }, true), { 1: "+6", 2: "−4", 3: "0" });
  assert.deepEqual(formatValues({ 1: 6, 2: -4, 3: 0 }, false), { 1: "−6", 2: "+4", 3: "0" });
});

test("moves of a tablebase are grouped by value, in their order", () => {
  const moves = [["a", "win"], ["b", "win"], ["c", "loss"]].map(([text, value]) => ({ move: { text }, value }));
  const texts = (group) => group.map(([value, listed]) => [value, ...listed.map((each) => each.move.text)]);
  assert.deepEqual(texts(groupByValue(moves)), [["win", "a", "b"], ["loss", "c"]]);
  assert.deepEqual(groupByValue([]), []);
});
