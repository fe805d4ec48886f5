// The game in a picture: the first side's chances after every move, with marks where something went wrong.

import { askLines } from "../api.js";
import { announce, capital, element, picture, toast } from "../dom.js";
import { SIGNS } from "./tree.js";
import { count } from "./words.js";

/** @typedef {import("../wire").Ended} Ended */
/** @typedef {import("../wire").Judged} Judged */
/** @typedef {import("../wire").Waiting} Waiting */
/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const HEIGHT = 100; // of the picture, in its own units
const MARKS = new Map([
  ["?!", ["inaccuracy", "inaccuracies"]],
  ["?", ["mistake", "mistakes"]],
  ["??", ["blunder", "blunders"]],
]);
const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowDown", -1],
  ["ArrowRight", 1],
  ["ArrowUp", 1],
  ["PageDown", -10],
  ["PageUp", 10],
  ["Home", -Infinity],
  ["End", Infinity],
]);
const GLYPHS = new Map([...SIGNS].map(([glyph, sign]) => [sign, glyph]));

export class EvaluationGraph extends HTMLElement {
  /** @param {Desk} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    /** @type {AbortController | null} */
    this.running = null;
    this.isDrawing = false;
    this.isTelling = false;
    this.button = element("button", { type: "button", onclick: () => void this.toggle() }, "Analyse the game");
    this.status = element("span", { class: "muted" });
    this.plot = element("div", {
      class: "plot",
      role: "slider",
      tabindex: "0",
      "aria-label": "Evaluation of the game",
      "aria-valuemin": "0",
      onclick: (/** @type {MouseEvent} */ event) => this.goTo(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.hear(event),
    });
    this.counts = element("div", { class: "counts" });
    this.rows = element("tbody");
    this.table = element(
      "details",
      { ontoggle: () => this.draw() },
      element("summary", {}, "As a table"),
      element(
        "div",
        { class: "scrolling", tabindex: "0", role: "group", "aria-label": "Evaluations" },
        element("table", {}, tableHead(["Move", "Score", "Sign", "Better"]), this.rows),
      ),
    );
    this.append(element("div", { class: "row" }, this.button, this.status), this.plot, this.counts, this.table);
    desk.on("begin", () => this.running?.abort());
    desk.on("begin", () => this.later());
    desk.on("tree", () => this.later());
    desk.on("go", () => this.later());
  }

  /** The start and the moves of the main line. */
  get nodes() {
    const { tree } = this.desk;
    return [tree.root, ...tree.mainLine()];
  }

  async toggle() {
    if (this.running) {
      this.running.abort();
      return;
    }
    const { desk, nodes } = this;
    const last = /** @type {TreeNode} */ (nodes.at(-1));
    const running = new AbortController();
    this.running = running;
    this.button.textContent = "Stop";
    /** @param {Judged | Waiting | Ended} line */
    const onLine = (line) => {
      if (line.type === "waiting") {
        this.status.textContent = "waiting for others…";
      } else if (line.type === "ended") {
        if (line.error) {
          toast(line.error);
        }
      } else {
        this.status.textContent = `${line.ply} of ${nodes.length - 1}`;
        judge(nodes[line.ply], line);
        this.tellSoon();
      }
    };
    try {
      await askLines("/api/analyse/game", { subject: desk.tree.subject(last) }, onLine, running.signal);
      announce("The game is analysed");
    } catch (error) {
      if (!running.signal.aborted) {
        toast(error instanceof Error ? error.message : String(error));
      }
    } finally {
      this.running = null;
      this.button.textContent = "Analyse the game";
      this.status.textContent = "";
      this.later();
    }
  }

  /** Let the panels know with the next picture of the screen: many judgements may come at once. */
  tellSoon() {
    if (!this.isTelling) {
      this.isTelling = true;
      requestAnimationFrame(() => {
        this.isTelling = false;
        this.desk.tell("tree");
      });
    }
  }

  /** Draw with the next picture of the screen. */
  later() {
    if (!this.isDrawing) {
      this.isDrawing = true;
      requestAnimationFrame(() => {
        this.isDrawing = false;
        this.draw();
      });
    }
  }

  draw() {
    if (!this.desk.at) {
      return;
    }
    const { nodes } = this;
    const isJudged = nodes.some((node) => node.verdict);
    this.button.disabled = nodes.length < 2 && !this.running;
    this.plot.hidden = !isJudged;
    this.counts.hidden = !isJudged;
    this.table.hidden = !isJudged;
    if (isJudged) {
      this.drawPlot(nodes);
      this.drawCounts(nodes);
      if (this.table.open) {
        this.rows.replaceChildren(...nodes.slice(1).map((node) => this.row(node)));
      }
    }
  }

  /** @param {TreeNode[]} nodes */
  drawPlot(nodes) {
    const width = Math.max(1, nodes.length - 1);
    /** @type {[number, number][]} */
    const points = nodes.flatMap((node, ply) => (node.verdict ? [[ply, HEIGHT * (1 - node.verdict.chances)]] : []));
    const line = points.map(([x, y]) => `${x},${y.toFixed(1)}`).join(" ");
    const area = `${points[0]?.[0] ?? 0},${HEIGHT} ${line} ${points.at(-1)?.[0] ?? 0},${HEIGHT}`;
    const svg = picture(
      "svg",
      { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      picture("polygon", { class: "area", points: area }),
      picture("line", { class: "middle", x1: 0, x2: width, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      picture("polyline", { class: "curve", points: line }),
    );
    const here = this.current(nodes);
    const dots = nodes.flatMap((node, ply) => (node.verdict?.mark ? [dot(node, ply / width, "mark")] : []));
    const marker = element("span", { class: "here" });
    marker.style.setProperty("--x", `${(100 * here) / width}%`);
    this.plot.replaceChildren(svg, marker, ...dots);
    this.plot.setAttribute("aria-valuemax", String(nodes.length - 1));
    this.plot.setAttribute("aria-valuenow", String(here));
    this.plot.setAttribute("aria-valuetext", this.describe(nodes[here]));
  }

  /** @param {TreeNode[]} nodes */
  drawCounts(nodes) {
    const { sides } = this.desk.facts;
    const parts = sides.map((side) => {
      const signs = nodes.filter((node) => node.side === side).map((node) => node.verdict?.mark);
      const texts = [...MARKS].map(([mark, [one, several]]) => {
        const number = signs.filter((sign) => sign === mark).length;
        return element(
          "li",
          { "data-sign": mark },
          element("span", { class: "sign", "data-sign": mark, "aria-hidden": "true" }, mark),
          ` ${count(number, one ?? "", several ?? "")}`,
        );
      });
      return element("div", {}, element("strong", {}, capital(side)), element("ul", {}, ...texts));
    });
    this.counts.replaceChildren(...parts);
  }

  /** @param {TreeNode} node */
  row(node) {
    const { tree, facts } = this.desk;
    const name = `${tree.number(node, facts.first)}. ${capital(node.side)} ${node.move?.text}`;
    const button = element("button", { type: "button", class: "move", onclick: () => this.desk.go(node) }, name);
    const { score = "", mark = "", best = "" } = node.verdict ?? {};
    return element(
      "tr",
      {},
      element("td", {}, button),
      ...[score, mark ?? "", best ?? ""].map((text) => element("td", {}, text)),
    );
  }

  /** @param {TreeNode | undefined} node */
  describe(node) {
    if (!node?.move) {
      return `Start${node?.verdict ? `, ${node.verdict.score}` : ""}`;
    }
    const { tree, facts } = this.desk;
    const parts = [`${tree.number(node, facts.first)}. ${capital(node.side)} ${node.move.text}`];
    if (node.verdict) {
      const { score, mark, best } = node.verdict;
      parts.push(score, MARKS.get(mark ?? "")?.[0] ?? "", mark && best ? `better was ${best}` : "");
    }
    return parts.filter(Boolean).join(", ");
  }

  /**
   * How far along the main line one is.
   * @param {TreeNode[]} nodes
   */
  current(nodes) {
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    for (let node = this.desk.current; ; node = /** @type {TreeNode} */ (node.parent)) {
      const number = numbers.get(node);
      if (number !== undefined || !node.parent) {
        return number ?? 0;
      }
    }
  }

  /** @param {MouseEvent} event */
  goTo(event) {
    const { left, width } = this.plot.getBoundingClientRect();
    const { nodes } = this;
    const ply = Math.round(((event.clientX - left) / width) * (nodes.length - 1));
    this.desk.go(nodes[Math.max(0, ply)] ?? this.desk.current);
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const { nodes } = this;
    const here = this.current(nodes);
    const step = STEPS.get(event.key);
    if (step !== undefined) {
      event.preventDefault();
      this.desk.go(nodes[Math.min(nodes.length - 1, Math.max(0, here + step))] ?? this.desk.current);
    }
  }
}

/**
 * Write down what is thought of a move, and sign it unless somebody has signed it otherwise.
 * @param {TreeNode | undefined} node
 * @param {Judged} judged
 */
function judge(node, { score, chances, mark, best }) {
  if (!node) {
    return;
  }
  const former = GLYPHS.get(node.verdict?.mark ?? "");
  node.verdict = { score: score.text, chances, mark, best };
  const glyph = GLYPHS.get(mark ?? "");
  const others = node.glyphs.filter((each) => each !== former);
  const isSigned = others.some((each) => SIGNS.has(each));
  node.glyphs = glyph === undefined || isSigned ? others : [glyph, ...others];
}

/**
 * @param {TreeNode} node
 * @param {number} share of the width
 * @param {string} kind
 */
function dot(node, share, kind) {
  const made = element("span", { class: kind, "data-sign": node.verdict?.mark });
  made.style.setProperty("--x", `${100 * share}%`);
  made.style.setProperty("--y", `${100 * (1 - (node.verdict?.chances ?? 0.5))}%`);
  return made;
}

/** @param {string[]} names */
function tableHead(names) {
  return element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
}

customElements.define("evaluation-graph", EvaluationGraph);
