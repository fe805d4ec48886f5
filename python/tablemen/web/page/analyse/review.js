// The game in a picture: the first side's chances after every move, with marks where something went wrong.

import { capital, element, picture } from "../ui.js";
import { MARKS } from "./text.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const HEIGHT = 100; // of the picture, in its own units
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

/** It is hidden until something of the game is judged. */
export class EvaluationGraph extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    this.isDrawing = false;
    this.hidden = true;
    this.plot = element("div", {
      class: "plot",
      role: "slider",
      tabindex: "0",
      "aria-label": "Evaluation of the game",
      "aria-valuemin": "0",
      onclick: (/** @type {MouseEvent} */ event) => this.goTo(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.hear(event),
    });
    this.append(this.plot);
    desk.on("begin", () => this.later());
    desk.on("tree", () => this.later());
    desk.on("go", () => this.later());
  }

  get nodes() {
    return this.desk.tree.fromStart();
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
    this.hidden = !nodes.some((node) => node.verdict);
    if (!this.hidden) {
      this.drawPlot(nodes);
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
    const dots = nodes.flatMap((node, ply) => (node.verdict?.mark ? [dot(node, ply / width)] : []));
    const marker = element("span", { class: "here" });
    marker.style.setProperty("--x", `${(100 * here) / width}%`);
    this.plot.replaceChildren(svg, marker, ...dots);
    this.plot.setAttribute("aria-valuemax", String(nodes.length - 1));
    this.plot.setAttribute("aria-valuenow", String(here));
    this.plot.setAttribute("aria-valuetext", this.describe(nodes[here]));
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
 * @param {TreeNode} node
 * @param {number} share of the width
 */
function dot(node, share) {
  const made = element("span", { class: "mark", "data-sign": node.verdict?.mark });
  made.style.setProperty("--x", `${100 * share}%`);
  made.style.setProperty("--y", `${100 * (1 - (node.verdict?.chances ?? 0.5))}%`);
  return made;
}

customElements.define("evaluation-graph", EvaluationGraph);
