// The review of a game: its button, its progress, and the verdicts added to the tree.

import { fetchLines } from "../api.js";
import { showError } from "../errors.js";
import { announce, element, toast } from "../dom.js";
import { SIGNS } from "./tree.js";
import { shortScore } from "./text.js";

/** @typedef {import("../api-types").StreamEnd} StreamEnd */
/** @typedef {import("../api-types").ReviewedPosition} ReviewedPosition */
/** @typedef {import("../api-types").QueuedNotice} QueuedNotice */
/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const GLYPHS = new Map([...SIGNS].map(([glyph, sign]) => [sign, glyph]));

export class GameReview extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {AbortController | null} */
    this.running = null;
    this.isTelling = false;
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
        this.status.textContent = "waiting…";
      } else if (line.type === "ended") {
        if (line.error) {
          toast(line.error);
        }
      } else {
        this.status.textContent = `${line.ply} of ${nodes.length - 1}`;
        judge(nodes[line.ply], line);
        this.notifySoon();
      }
    };
    try {
      await fetchLines("/api/analyse/game", { subject: analysis.tree.subject(last) }, onLine, running.signal);
      announce("The game is analysed");
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

  /** Update the panels in the next animation frame, since many verdicts can arrive at once. */
  notifySoon() {
    if (!this.isTelling) {
      this.isTelling = true;
      requestAnimationFrame(() => {
        this.isTelling = false;
        this.analysis.notify("tree");
      });
    }
  }
}

/**
 * Store the verdict of a move, and its mark unless it has one.
 * @param {TreeNode | undefined} node
 * @param {ReviewedPosition} judged
 */
function judge(node, { score, chances, mark, best }) {
  if (!node) {
    return;
  }
  const former = GLYPHS.get(node.verdict?.mark ?? "");
  node.verdict = { score: score.text, short: shortScore(score, chances), chances, mark, best };
  const glyph = GLYPHS.get(mark ?? "");
  const others = node.glyphs.filter((each) => each !== former);
  const isSigned = others.some((each) => SIGNS.has(each));
  node.glyphs = glyph === undefined || isSigned ? others : [glyph, ...others];
}

customElements.define("game-review", GameReview);
