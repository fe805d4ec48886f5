// The review of a game: the verdict on each move, the evaluation graph, and the report.

import { fetchLines, showError } from "../api.js";
import { announce, capital, count, element, picture, toast } from "../ui.js";
import { MARKS, shortScore, SIGNS } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").QueuedNotice} QueuedNotice */
/** @typedef {import("../api-types").ReviewedPosition} ReviewedPosition */
/** @typedef {import("../api-types").StreamEnd} StreamEnd */

const GLYPHS = new Map([...SIGNS].map(([glyph, sign]) => [sign, glyph]));

const GRAPH_HEIGHT = 100; // in units of the viewBox
const KEY_STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowDown", -1],
  ["ArrowRight", 1],
  ["ArrowUp", 1],
  ["PageDown", -10],
  ["PageUp", 10],
  ["Home", -Infinity],
  ["End", Infinity],
]);
const REPORT_HEADINGS = ["Move", "Score", "Mark", "Better move"];

/** The button that starts the review of the main line, and its progress. */
export class GameReview extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {AbortController | null} */
    this.running = null;
    this.isScheduled = false;
    const onclick = () => void this.toggle();
    this.button = element("button", { type: "button", class: "small", onclick }, "Analyse the game");
    this.status = element("span", { class: "muted" });
    this.append(this.status, this.button);
    analysis.on("begin", () => this.running?.abort());
    analysis.on("begin", () => this.show());
    analysis.on("tree", () => this.show());
  }

  show() {
    this.button.textContent = this.running ? "Stop" : "Analyse the game";
    this.button.disabled = !this.running && !this.analysis.tree.root.children.length;
  }

  async toggle() {
    if (this.running) {
      this.running.abort();
      return;
    }
    const { analysis } = this;
    const nodes = analysis.tree.fromStart();
    const last = /** @type {TreeNode} */ (nodes.at(-1));
    const running = new AbortController();
    this.running = running;
    this.show();
    /** @param {ReviewedPosition | QueuedNotice | StreamEnd} line */
    const onLine = (line) => {
      if (line.type === "waiting") {
        this.status.textContent = "queued…";
      } else if (line.type === "ended") {
        if (line.error) {
          toast(line.error, "bad");
        }
      } else {
        this.status.textContent = `${line.ply} of ${nodes.length - 1}`;
        setVerdict(nodes[line.ply], line);
        this.scheduleUpdate();
      }
    };
    try {
      await fetchLines("/api/analyse/game", { subject: analysis.tree.subject(last) }, onLine, running.signal);
      announce("Game analysis complete");
    } catch (error) {
      if (!running.signal.aborted) {
        showError(error);
      }
    } finally {
      this.running = null;
      this.status.textContent = "";
      this.show();
    }
  }

  /** Update the panels in the next frame: many verdicts may arrive at once. */
  scheduleUpdate() {
    if (!this.isScheduled) {
      this.isScheduled = true;
      requestAnimationFrame(() => {
        this.isScheduled = false;
        this.analysis.emit("tree");
      });
    }
  }
}

/**
 * Set the verdict on a move. Set its mark as well, unless the user has set another.
 * @param {TreeNode | undefined} node
 * @param {ReviewedPosition} reviewed
 */
function setVerdict(node, { score, chances, mark, best, proven }) {
  if (!node) {
    return;
  }
  const former = GLYPHS.get(node.verdict?.mark ?? "");
  node.verdict = { score: proven ?? score.text, short: shortScore(score, chances), chances, mark, best };
  const glyph = GLYPHS.get(mark ?? "");
  const others = node.glyphs.filter((each) => each !== former);
  const isSigned = others.some((each) => SIGNS.has(each));
  node.glyphs = glyph === undefined || isSigned ? others : [glyph, ...others];
}

customElements.define("game-review", GameReview);

/** A graph of the first side's chances after each move, with marks for mistakes. Hidden until there is a verdict. */
export class EvaluationGraph extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    this.isScheduled = false;
    this.hidden = true;
    this.plot = element("div", {
      class: "plot",
      role: "slider",
      tabindex: "0",
      "aria-label": "Evaluation graph",
      "aria-valuemin": "0",
      onclick: (/** @type {MouseEvent} */ event) => this.goTo(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.handleKey(event),
    });
    this.append(this.plot);
    analysis.on("begin", () => this.scheduleDraw());
    analysis.on("tree", () => this.scheduleDraw());
    analysis.on("go", () => this.scheduleDraw());
  }

  get nodes() {
    return this.analysis.tree.fromStart();
  }

  /** Draw in the next frame. */
  scheduleDraw() {
    if (!this.isScheduled) {
      this.isScheduled = true;
      requestAnimationFrame(() => {
        this.isScheduled = false;
        this.draw();
      });
    }
  }

  draw() {
    if (!this.analysis.at) {
      return;
    }
    const { nodes } = this;
    this.hidden = !nodes.some((node) => node.verdict);
    if (this.hidden) {
      return;
    }
    const width = Math.max(1, nodes.length - 1);
    /** @type {[number, number][]} */
    const points = nodes.flatMap((node, ply) => (node.verdict ? [[ply, GRAPH_HEIGHT * (1 - node.verdict.chances)]] : []));
    const line = points.map(([x, y]) => `${x},${y.toFixed(1)}`).join(" ");
    const area = `${points[0]?.[0] ?? 0},${GRAPH_HEIGHT} ${line} ${points.at(-1)?.[0] ?? 0},${GRAPH_HEIGHT}`;
    const svg = picture(
      "svg",
      { viewBox: `0 0 ${width} ${GRAPH_HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      picture("polygon", { class: "area", points: area }),
      picture("line", { class: "middle", x1: 0, x2: width, y1: GRAPH_HEIGHT / 2, y2: GRAPH_HEIGHT / 2 }),
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
      return `Start position${node?.verdict ? `, ${node.verdict.score}` : ""}`;
    }
    const { tree, facts } = this.analysis;
    const parts = [`${tree.number(node, facts.first)}. ${capital(node.side)} ${node.move.text}`];
    if (node.verdict) {
      const { score, mark, best } = node.verdict;
      parts.push(score, MARKS.get(mark ?? "")?.[0] ?? "", mark && best ? `better: ${best}` : "");
    }
    return parts.filter(Boolean).join(", ");
  }

  /**
   * Return the index of the last main-line move on the line to the current move.
   * @param {TreeNode[]} nodes
   */
  current(nodes) {
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    for (let node = this.analysis.current; ; node = /** @type {TreeNode} */ (node.parent)) {
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
    this.analysis.go(nodes[Math.max(0, ply)] ?? this.analysis.current);
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const { nodes } = this;
    const here = this.current(nodes);
    const step = KEY_STEPS.get(event.key);
    if (step !== undefined) {
      event.preventDefault();
      this.analysis.go(nodes[Math.min(nodes.length - 1, Math.max(0, here + step))] ?? this.analysis.current);
    }
  }
}

/**
 * @param {TreeNode} node
 * @param {number} share the horizontal position, from 0 to 1
 */
function dot(node, share) {
  const made = element("span", { class: "mark", "data-sign": node.verdict?.mark });
  made.style.setProperty("--x", `${100 * share}%`);
  made.style.setProperty("--y", `${100 * (1 - (node.verdict?.chances ?? 0.5))}%`);
  return made;
}

customElements.define("evaluation-graph", EvaluationGraph);

/** The mistakes of each side, and a table of all verdicts. Hidden until there is a verdict. */
export class GameReport extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    this.counts = element("div", { class: "counts" });
    this.rows = element("tbody");
    const headings = REPORT_HEADINGS.map((name) => element("th", { scope: "col" }, name));
    this.table = element(
      "details",
      { ontoggle: () => this.show() },
      element("summary", {}, "Show as table"),
      element(
        "div",
        { class: "scrolling", tabindex: "0", role: "group", "aria-label": "Evaluations" },
        element("table", {}, element("thead", {}, element("tr", {}, ...headings)), this.rows),
      ),
    );
    this.className = "panel";
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Game report");
    this.append(element("h2", {}, "Game report"), this.counts, this.table);
    analysis.on("begin", () => this.show());
    analysis.on("tree", () => this.show());
  }

  show() {
    const nodes = this.analysis.tree.fromStart();
    this.hidden = !nodes.some((node) => node.verdict);
    if (this.hidden) {
      return;
    }
    const { sides } = this.analysis.facts;
    this.counts.replaceChildren(...sides.map((side) => this.countMarks(side, nodes)));
    if (this.table.open) {
      this.rows.replaceChildren(...nodes.slice(1).map((node) => this.row(node)));
    }
  }

  /**
   * @param {string} side
   * @param {TreeNode[]} nodes
   */
  countMarks(side, nodes) {
    const signs = nodes.filter((node) => node.side === side).map((node) => node.verdict?.mark);
    const texts = [...MARKS].map(([mark, [one, several]]) => {
      const number = signs.filter((sign) => sign === mark).length;
      const sign = element("span", { class: "sign", "data-sign": mark, "aria-hidden": "true" }, mark);
      return element("li", {}, sign, ` ${count(number, one, several)}`);
    });
    return element("div", {}, element("strong", {}, capital(side)), element("ul", {}, ...texts));
  }

  /** @param {TreeNode} node */
  row(node) {
    const { tree, facts } = this.analysis;
    const name = `${tree.number(node, facts.first)}. ${capital(node.side)} ${node.move?.text}`;
    const button = element("button", { type: "button", class: "move", onclick: () => this.analysis.go(node) }, name);
    const { score = "", mark = "", best = "" } = node.verdict ?? {};
    return element(
      "tr",
      {},
      element("td", {}, button),
      ...[score, mark ?? "", best ?? ""].map((text) => element("td", {}, text)),
    );
  }
}

customElements.define("game-report", GameReport);
