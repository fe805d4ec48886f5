// The whole game judged move by move: the button for it, how far it has got, and the verdicts put into the tree.

import { fetchLines, showError } from "../api.js";
import { announce, element, toast } from "../ui.js";
import { shortScore } from "./text.js";
import { SIGNS } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../api-types").QueuedNotice} QueuedNotice */
/** @typedef {import("../api-types").ReviewedPosition} ReviewedPosition */
/** @typedef {import("../api-types").StreamEnd} StreamEnd */

const GLYPHS = new Map([...SIGNS].map(([glyph, sign]) => [sign, glyph]));

export class GameReview extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    /** @type {AbortController | null} */
    this.running = null;
    this.isTelling = false;
    const onclick = () => void this.toggle();
    this.button = element("button", { type: "button", class: "small", onclick }, "Analyse the game");
    this.status = element("span", { class: "muted" });
    this.append(this.status, this.button);
    desk.on("begin", () => this.running?.abort());
    desk.on("begin", () => this.show());
    desk.on("tree", () => this.show());
  }

  show() {
    this.button.textContent = this.running ? "Stop" : "Analyse the game";
    this.button.disabled = !this.running && !this.desk.tree.root.children.length;
  }

  async toggle() {
    if (this.running) {
      this.running.abort();
      return;
    }
    const { desk } = this;
    const nodes = desk.tree.fromStart();
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
        this.tellSoon();
      }
    };
    try {
      await fetchLines("/api/analyse/game", { subject: desk.tree.subject(last) }, onLine, running.signal);
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
}

/**
 * Write down what is thought of a move, and sign it unless somebody has signed it otherwise.
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
