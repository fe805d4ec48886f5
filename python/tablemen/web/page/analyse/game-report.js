// What a judged game came to: how often each side went wrong, and every move with its score in a table.

import { capital, count, element } from "../ui.js";
import { MARKS } from "./text.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const HEADS = ["Move", "Score", "Sign", "Better"];

/** It is hidden until something of the game is judged. */
export class GameReport extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    this.counts = element("div", { class: "counts" });
    this.rows = element("tbody");
    const heads = HEADS.map((name) => element("th", { scope: "col" }, name));
    this.table = element(
      "details",
      { ontoggle: () => this.show() },
      element("summary", {}, "As a table"),
      element(
        "div",
        { class: "scrolling", tabindex: "0", role: "group", "aria-label": "Evaluations" },
        element("table", {}, element("thead", {}, element("tr", {}, ...heads)), this.rows),
      ),
    );
    this.className = "panel";
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "How the game went");
    this.append(element("h2", {}, "How the game went"), this.counts, this.table);
    desk.on("begin", () => this.show());
    desk.on("tree", () => this.show());
  }

  show() {
    const nodes = this.desk.tree.fromStart();
    this.hidden = !nodes.some((node) => node.verdict);
    if (this.hidden) {
      return;
    }
    const { sides } = this.desk.facts;
    this.counts.replaceChildren(...sides.map((side) => this.countsOf(side, nodes)));
    if (this.table.open) {
      this.rows.replaceChildren(...nodes.slice(1).map((node) => this.row(node)));
    }
  }

  /**
   * @param {string} side
   * @param {TreeNode[]} nodes
   */
  countsOf(side, nodes) {
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
}

customElements.define("game-report", GameReport);
