// The tree of moves, its stored forms and its text. Run with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { beginsRound, fromFile, fromStored, GameTree, nodeText, shortScore, toSpec, toStored, formatValues } from "../../../python/tablemen/web/page/analyse/tree.js";

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

/** A tree of draughts: lines as texts, each of which begins at the start; sides take turns. */
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

test("a move that is there already is followed", () => {
  const tree = draughts("32-28 19-23", "32-28 18-23");
  assert.equal(tree.root.children.length, 1);
  assert.equal(texts(tree.mainLine()), "32-28 19-23");
  assert.equal(texts(at(tree, "32-28").children), "19-23 18-23");
});

test("the subject of a node has the moves to it", () => {
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

test("what follows on the main line of a variation is its own", () => {
  const tree = draughts("32-28 19-23", "31-27 17-22 27x18");
  assert.equal(texts(tree.mainLine(at(tree, "31-27"))), "17-22 27x18");
  assert.equal(tree.isOnMainLine(at(tree, "32-28 19-23")), true);
  assert.equal(tree.isOnMainLine(at(tree, "31-27 17-22")), false);
  assert.equal(tree.isOnMainLine(tree.root), true);
});

test("neighbours are the other moves of the nearest branching", () => {
  const tree = draughts("32-28 19-23", "31-27 17-22", "33-29");
  const middle = at(tree, "31-27");
  assert.equal(tree.neighbour(middle, 1), at(tree, "33-29"));
  assert.equal(tree.neighbour(middle, -1), at(tree, "32-28"));
  assert.equal(tree.neighbour(at(tree, "31-27 17-22"), 1), at(tree, "33-29"));
  assert.equal(tree.neighbour(at(tree, "33-29"), 1), null);
  assert.equal(tree.neighbour(tree.root, 1), null);
});

test("promoting goes one place up, making the main line all the way", () => {
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

test("removing takes all that follows", () => {
  const tree = draughts("1-2 3-4 5-6", "1-2 7-8");
  assert.equal(tree.size(at(tree, "1-2 3-4")), 2);
  assert.equal(tree.size(at(tree, "1-2")), 4);
  const left = tree.remove(at(tree, "1-2 3-4"));
  assert.equal(left, at(tree, "1-2"));
  assert.equal(texts([...tree.walk()]), "1-2 7-8");
  assert.equal(tree.remove(tree.root), tree.root);
});

test("moves are numbered in rounds", () => {
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

test("a round may begin in its middle", () => {
  const tree = draughts("1-2 3-4 5-6");
  assert.deepEqual(
    tree.mainLine().map((node) => tree.number(node, "black")),
    [1, 2, 2],
  );
});

test("moves of one turn share a number", () => {
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

test("nodes stand after their parents on the wire, the main continuation first", () => {
  const tree = draughts("1-2 3-4", "1-2 5-6", "7-8");
  tree.root.comment = "before";
  at(tree, "1-2 5-6").glyphs = [6];
  at(tree, "7-8").comment = "why not";
  const wire = toSpec(tree);
  assert.equal(wire.comment, "before");
  assert.deepEqual(
    wire.nodes.map(({ parent, move: text }) => [parent, text]),
    [
      [-1, "1-2"],
      [0, "3-4"],
      [0, "5-6"],
      [-1, "7-8"],
    ],
  );
  assert.deepEqual(wire.nodes[2].glyphs, [6]);
  assert.equal(wire.nodes[3].comment, "why not");
});

test("what is kept comes back as it was", () => {
  const tree = draughts("1-2 3-4 5-6", "1-2 7-8", "9-10");
  tree.tags = { White: "A" };
  const current = at(tree, "1-2 7-8");
  current.comment = "a comment";
  current.glyphs = [4];
  current.verdict = { score: "-1.2", chances: 0.3, mark: "??", best: "3-4" };
  const text = JSON.stringify(toStored(tree, current));
  const back = fromStored(JSON.parse(text));
  assert.equal(back.current.move.text, "7-8");
  assert.equal(back.current.sign, "??");
  assert.equal(JSON.stringify(toStored(back.tree, back.current)), text);
  assert.equal(fromStored(toStored(tree, tree.root)).current.move, null);
});

test("a game of a file has its boards, and its position where it is not the usual one", () => {
  const read = {
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
  const tree = fromFile(read, "usual");
  assert.equal(tree.position, "elsewhere");
  assert.equal(fromFile(read, "elsewhere").position, null);
  assert.equal(texts([...tree.walk()]), "1-2 3-4 5-6");
  assert.deepEqual(at(tree, "1-2 5-6").state, ply("5-6", "black"));
  assert.equal(at(tree, "1-2").sign, "!");
  assert.equal(tree.root.comment, "hello");
});

test("what the server tells of a line is kept with its nodes", () => {
  const kept = toStored(draughts("1-2 3-4"), null);
  const { tree } = fromStored(kept);
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

test("long lines and many variations are no trouble", () => {
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

const USUAL = { captured: [], crowns: false, sowing: [], captured_seeds: 0, extra_turn: false };

test("moves are said as people say them", () => {
  const said = (side, facts, comment = "") => nodeText({ side, comment, move: { ...USUAL, ...facts } });
  assert.equal(said("white", { places: ["32", "28"] }), "White: 32 to 28");
  assert.equal(
    said("black", { places: ["19", "28", "37"], captured: ["23", "32"] }),
    "Black: 19 takes 28 takes 37, 2 captured",
  );
  assert.equal(said("white", { places: ["a7", "b8"], crowns: true }, "at last"), "White: a7 to b8, crowned, at last");
  assert.equal(said("south", { places: ["3"], extra_turn: true }), "South: house 3, moves again");
  assert.equal(said("north", { places: ["6"], captured_seeds: 5 }), "North: house 6, captures 5 seeds");
  assert.equal(said("north", { places: ["swap"] }), "North: swaps sides");
  assert.equal(nodeText({ side: "", comment: "", move: null }), "Start");
});

test("a score is short where there is little room", () => {
  const short = (text, value, plies, chances) => shortScore({ text, value, plies, exact: plies !== null }, chances);
  assert.equal(short("+0.35", 0.35, null, 0.6), "+0.35");
  assert.equal(short("-0.35", -0.35, null, 0.4), "−0.35");
  assert.equal(short("drawn", 0, null, 0.5), "drawn");
  assert.equal(short("White wins in 9 plies", null, 9, 1), "+#5");
  assert.equal(short("Black wins in 10 plies", null, 10, 0), "−#5");
  assert.equal(short("White has won", null, 0, 1), "1–0");
  assert.equal(short("Black has won", null, 0, 0), "0–1");
});

test("values of moves are those of the first side, as scores are", () => {
  assert.deepEqual(formatValues({ 1: 6, 2: -4, 3: 0 }, true), { 1: "+6", 2: "−4", 3: "0" });
  assert.deepEqual(formatValues({ 1: 6, 2: -4, 3: 0 }, false), { 1: "−6", 2: "+4", 3: "0" });
});
