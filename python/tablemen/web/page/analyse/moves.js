// The list of moves and variations, and the tools for the current move: annotation, comment, order of variations.

import { announce, element } from "../ui.js";
import { confirm, iconButton } from "./controls.js";
import { beginsRound, SIGNS } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const SIGN_NAMES = new Map([
  [3, "brilliant"],
  [1, "good"],
  [5, "interesting"],
  [6, "dubious"],
  [2, "mistake"],
  [4, "blunder"],
]);
const COMMENT_DELAY = 300; // milliseconds

/**
 * The main line in rows, with variations in brackets after the move that they replace. Only the current move can be
 * reached with Tab; the arrow keys go from move to move.
 */
export class MoveTree extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {Map<TreeNode, HTMLButtonElement>} */
    this.buttons = new Map();
    /** @type {HTMLButtonElement | null} */
    this.marked = null;
    /** Whether to keep the current move in view. Scrolling by the user ends that. */
    this.isFollowing = true;
    this.lastScrollTop = 0;
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Moves");
    analysis.on("begin", () => this.draw());
    analysis.on("tree", () => this.draw());
    analysis.on("go", () => {
      this.isFollowing = true;
      this.mark();
    });
    this.addEventListener("scroll", () => {
      if (this.scrollTop !== this.lastScrollTop) {
        this.isFollowing = this.isInView();
      }
    });
    new ResizeObserver(() => this.follow()).observe(this);
  }

  draw() {
    const { analysis } = this;
    const hadFocus = this.contains(document.activeElement);
    this.buttons.clear();
    this.marked = null;
    const { root } = analysis.tree;
    const parts = [];
    if (root.comment) {
      parts.push(element("p", { class: "comment" }, root.comment));
    }
    parts.push(...this.rows(root));
    if (!root.children.length) {
      parts.push(element("p", { class: "muted nothing" }, "Play moves for both sides on the board."));
    }
    this.replaceChildren(...parts);
    if (analysis.at) {
      this.mark();
      if (hadFocus) {
        this.focusMarked();
      }
    }
  }

  /** Mark the current move. */
  mark() {
    const { analysis } = this;
    const hadFocus = this.contains(document.activeElement);
    this.marked?.removeAttribute("aria-current");
    this.marked?.setAttribute("tabindex", "-1");
    this.marked = this.buttons.get(analysis.current) ?? null;
    this.marked?.setAttribute("aria-current", "true");
    const stop = this.marked ?? this.querySelector("button");
    stop?.setAttribute("tabindex", "0");
    if (hadFocus) {
      this.focusMarked();
    }
    this.follow();
  }

  isInView() {
    if (!this.marked) {
      return this.scrollTop === 0;
    }
    const { top, bottom } = this.marked.getBoundingClientRect();
    const frame = this.getBoundingClientRect();
    return top > frame.top - 1 && bottom < frame.bottom + 1; // allow for rounding
  }

  /** Scroll to the current move. */
  follow() {
    if (this.isFollowing && !this.isInView()) {
      const { top = 0 } = this.marked?.getBoundingClientRect() ?? {};
      const middle = top - this.getBoundingClientRect().top - this.clientHeight / 2;
      this.scrollBy(0, this.marked ? middle : -this.scrollTop); // scrollIntoView would also scroll the page
    }
    this.lastScrollTop = this.scrollTop;
  }

  focusMarked() {
    (this.marked ?? this.querySelector("button"))?.focus({ preventScroll: true });
  }

  /**
   * Return the main line: rows with a number and a cell for each side, with comments and variations between them.
   * @param {TreeNode} root
   */
  rows(root) {
    const { first } = this.analysis.facts;
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
   * Return the elements after a move of the main line: its comment, the better move, and the variations.
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
    return [...parts, ...others.map((other) => this.variation(other, number))];
  }

  /**
   * @param {TreeNode} node
   * @param {string} best
   */
  better(node, best) {
    const { analysis } = this;
    const play = async () => {
      analysis.go(/** @type {TreeNode} */ (node.parent));
      await analysis.play([best]);
    };
    const button = element("button", { type: "button", class: "move", onclick: play }, best);
    return element("p", { class: "better" }, "Better: ", button);
  }

  /**
   * @param {TreeNode} start
   * @param {number} number the number of the first move
   */
  variation(start, number) {
    const { first } = this.analysis.facts;
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
    const { analysis } = this;
    const { sign } = node;
    const button = element(
      "button",
      { type: "button", class: "move", tabindex: "-1", onclick: () => analysis.go(node) },
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

/** The tools for the current move: annotation, comment, and order of the variations. */
export class MoveNotes extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {TreeNode | null} */
    this.shown = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.signs = [...SIGNS].map(([glyph, sign]) => {
      const label = `${sign}, ${SIGN_NAMES.get(glyph)}`;
      const onclick = () => this.sign(glyph);
      const names = { "aria-label": label, title: label, "data-sign": sign, "data-glyph": glyph };
      return element("button", { type: "button", class: "sign", ...names, onclick }, sign);
    });
    this.pen = iconButton("comment", "Comment (C)", () => this.toggle());
    this.up = iconButton("up", "Move this variation up", () => this.promote());
    this.main = iconButton("star", "Make this the main line", () => this.makeMain());
    this.out = iconButton("remove", "Delete from here", () => void this.remove());
    this.label = element("label", { for: "comment", class: "visually-hidden" }, "Comment");
    this.field = element("textarea", {
      id: "comment",
      rows: 1,
      maxlength: 10_000,
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), COMMENT_DELAY);
      },
      onchange: () => this.write(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.toggle(),
    });
    this.comment = element("div", { class: "comment-field" }, this.label, this.field);
    this.setOpen(false);
    this.append(
      element(
        "div",
        { class: "row tools" },
        element("div", { class: "signs", role: "group", "aria-label": "Annotation" }, ...this.signs),
        element("div", { class: "places", role: "group", "aria-label": "Comment and variations" }, this.pen, this.up, this.main, this.out),
      ),
      this.comment,
    );
    analysis.on("go", () => this.show());
    analysis.on("tree", () => this.show());
  }

  show() {
    const { analysis, field } = this;
    if (!analysis.at) {
      return;
    }
    const { current, tree } = analysis;
    if (current !== this.shown) {
      this.write();
      this.shown = current;
      field.value = current.comment;
    }
    const number = tree.number(current, analysis.facts.first);
    const name = `Comment on ${current.move ? `${number}. ${current.move.text}` : "the start position"}`;
    this.label.replaceChildren(name);
    field.placeholder = `${name} …`;
    this.pen.classList.toggle("filled", Boolean(current.comment));
    for (const button of this.signs) {
      setEnabled(button, current.move !== null);
      button.setAttribute("aria-pressed", String(current.glyphs.includes(Number(button.dataset.glyph))));
    }
    const isMain = tree.isOnMainLine(current);
    setEnabled(this.up, !isMain);
    setEnabled(this.main, !isMain);
    setEnabled(this.out, current.move !== null);
  }

  /** Store the comment in the tree. */
  write() {
    clearTimeout(this.timer);
    const { field, shown } = this;
    if (shown && field.value !== shown.comment) {
      shown.comment = field.value;
      this.analysis.emit("tree");
    }
  }

  /** @param {number} glyph */
  sign(glyph) {
    const { analysis } = this;
    const { current } = analysis;
    if (!current.move) {
      return;
    }
    const others = current.glyphs.filter((each) => !SIGNS.has(each));
    current.glyphs = current.glyphs.includes(glyph) ? others : [glyph, ...others];
    analysis.emit("tree");
  }

  promote() {
    if (!isEnabled(this.up)) {
      return;
    }
    this.analysis.tree.promote(this.analysis.current);
    this.analysis.emit("tree");
    announce("Variation moved up");
  }

  makeMain() {
    if (!isEnabled(this.main)) {
      return;
    }
    this.analysis.tree.makeMain(this.analysis.current);
    this.analysis.emit("tree");
    announce("Now the main line");
  }

  async remove() {
    const { tree, current } = this.analysis;
    if (!isEnabled(this.out)) {
      return;
    }
    const moves = tree.size(current);
    const isSmall = moves === 1 && !current.comment; // deleted without confirmation
    const text = moves === 1 ? "Delete the move and its comment?" : `Delete ${moves} moves?`;
    if (isSmall || (await confirm(text, "Delete"))) {
      this.analysis.removeFromHere();
      announce("Deleted");
    }
  }

  /** Show or hide the field for comments. @param {boolean} isOpen */
  setOpen(isOpen) {
    this.comment.hidden = !isOpen;
    this.pen.setAttribute("aria-expanded", String(isOpen));
  }

  toggle() {
    if (this.comment.hidden) {
      this.focusComment();
    } else {
      this.write();
      this.setOpen(false);
      this.pen.focus();
    }
  }

  focusComment() {
    this.setOpen(true);
    this.field.focus();
  }
}

/**
 * Enable or disable a button. With the attribute `disabled` the button would lose the focus.
 * @param {HTMLElement} button
 * @param {boolean} isEnabled
 */
function setEnabled(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}

/** @param {HTMLElement} button */
function isEnabled(button) {
  return button.getAttribute("aria-disabled") !== "true";
}

customElements.define("move-notes", MoveNotes);
