// The moves of a tree: the main line in rows, variations in brackets under the move that they replace.

import { element } from "../ui.js";
import { beginsRound } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** One stop for the tab key; the arrow keys of the page go from move to move. */
export class MoveTree extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    /** @type {Map<TreeNode, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {HTMLButtonElement | null} */
    this.marked = null;
    /** Whether the current move is kept in sight: until somebody scrolls away from it. */
    this.isFollowing = true;
    /** How far down this was put last. */
    this.down = 0;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Moves");
    desk.on("begin", () => this.draw());
    desk.on("tree", () => this.draw());
    desk.on("go", () => {
      this.isFollowing = true;
      this.mark();
    });
    this.addEventListener("scroll", () => {
      if (this.scrollTop !== this.down) {
        this.isFollowing = this.isInSight(); // somebody scrolls
      }
    });
    new ResizeObserver(() => this.follow()).observe(this); // what stands around it grows and shrinks
  }

  draw() {
    const { desk } = this;
    const hadFocus = this.contains(document.activeElement);
    this.buttons.clear();
    this.marked = null;
    const { root } = desk.tree;
    const parts = [];
    if (root.comment) {
      parts.push(element("p", { class: "comment" }, root.comment));
    }
    parts.push(...this.rows(root));
    if (!root.children.length) {
      parts.push(element("p", { class: "muted nothing" }, "Play a move on the board, for either side."));
    }
    this.replaceChildren(...parts);
    if (desk.at) {
      this.mark();
      if (hadFocus) {
        this.focusMarked();
      }
    }
  }

  /** Mark the current move. */
  mark() {
    const { desk } = this;
    const hadFocus = this.contains(document.activeElement);
    this.marked?.removeAttribute("aria-current");
    this.marked?.setAttribute("tabindex", "-1");
    this.marked = this.buttons.get(desk.current) ?? null;
    this.marked?.setAttribute("aria-current", "true");
    const stop = this.marked ?? this.querySelector("button");
    stop?.setAttribute("tabindex", "0");
    if (hadFocus) {
      this.focusMarked();
    }
    this.follow();
  }

  isInSight() {
    if (!this.marked) {
      return this.scrollTop === 0;
    }
    const { top, bottom } = this.marked.getBoundingClientRect();
    const frame = this.getBoundingClientRect();
    return top > frame.top - 1 && bottom < frame.bottom + 1; // pixels have fractions
  }

  /** Bring the current move into sight. */
  follow() {
    if (this.isFollowing && !this.isInSight()) {
      const { top = 0 } = this.marked?.getBoundingClientRect() ?? {};
      const middle = top - this.getBoundingClientRect().top - this.clientHeight / 2;
      this.scrollBy(0, this.marked ? middle : -this.scrollTop); // scrollIntoView would move the page as well
    }
    this.down = this.scrollTop;
  }

  focusMarked() {
    (this.marked ?? this.querySelector("button"))?.focus({ preventScroll: true });
  }

  /**
   * The main line: a number and a cell for each side in a row, and whatever comes between.
   * @param {TreeNode} root
   */
  rows(root) {
    const { first } = this.desk.facts;
    const parts = [];
    /** @type {HTMLElement | null} */
    let row = null;
    let number = 1;
    for (let node = root.children[0]; node; node = node.children[0]) {
      const begins = beginsRound(node, first);
      if (begins && node.parent !== root) {
        number += 1;
      }
      if (!row || begins) {
        row = element(
          "div",
          { class: "round" },
          element("span", { class: "number" }, begins ? `${number}.` : `${number}…`),
          element("span", { class: "cell" }, begins || node.side === first ? null : "…"),
          element("span", { class: "cell" }),
        );
        parts.push(row);
      }
      row.children[node.side === first ? 1 : 2]?.append(this.move(node, true));
      const between = this.between(node, number);
      if (between.length) {
        parts.push(...between);
        row = null;
      }
    }
    return parts;
  }

  /**
   * What stands after a move of the main line: its comment, what was better, and the variations in its place.
   * @param {TreeNode} node
   * @param {number} number
   */
  between(node, number) {
    const parts = [];
    if (node.comment) {
      parts.push(element("p", { class: "comment" }, node.comment));
    }
    const others = node.parent?.children.slice(1) ?? [];
    const best = node.verdict?.mark ? node.verdict.best : null;
    if (best && !others.some(({ move }) => move?.text === best || move?.full === best)) {
      parts.push(this.better(node, best));
    }
    for (const other of others) {
      parts.push(this.variation(other, number));
    }
    return parts;
  }

  /**
   * @param {TreeNode} node
   * @param {string} best
   */
  better(node, best) {
    const { desk } = this;
    const play = async () => {
      desk.go(/** @type {TreeNode} */ (node.parent));
      await desk.play([best]);
    };
    const button = element("button", { type: "button", class: "move", onclick: play }, best);
    return element("p", { class: "better" }, "Better was ", button);
  }

  /**
   * @param {TreeNode} start
   * @param {number} number of its move
   */
  variation(start, number) {
    const { first } = this.desk.facts;
    const block = element("div", { class: "variation" }, "(");
    let round = number;
    let isNumbered = false;
    for (let node = /** @type {TreeNode | undefined} */ (start); node; node = node.children[0]) {
      const begins = beginsRound(node, first);
      if (begins && node !== start) {
        round += 1;
      }
      if (begins || !isNumbered) {
        block.append(element("span", { class: "number" }, begins ? `${round}.` : `${round}…`), " ");
        isNumbered = true;
      }
      block.append(this.move(node, false), " ");
      if (node.comment) {
        block.append(element("span", { class: "comment" }, node.comment), " ");
        isNumbered = false;
      }
      if (node !== start) {
        for (const other of node.parent?.children.slice(1) ?? []) {
          block.append(this.variation(other, round));
          isNumbered = false;
        }
      }
    }
    block.append(")");
    return block;
  }

  /**
   * @param {TreeNode} node
   * @param {boolean} isMain
   */
  move(node, isMain) {
    const { desk } = this;
    const { sign } = node;
    const button = element(
      "button",
      { type: "button", class: "move", tabindex: "-1", onclick: () => desk.go(node) },
      node.move?.text ?? "",
      sign ? element("span", { class: "sign", "data-sign": sign }, sign) : null,
    );
    if (isMain && node.verdict) {
      const { score, short = score } = node.verdict;
      button.append(element("span", { class: "score", title: score }, short));
    }
    this.buttons.set(node, button);
    return button;
  }
}

customElements.define("move-tree", MoveTree);
