// What can be done with the current move: a sign, a comment, and its place in the tree.

import { announce, element } from "../ui.js";
import { question } from "./dialog.js";
import { iconButton } from "./icons.js";
import { SIGNS } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

const WORDS = new Map([
  [3, "brilliant"],
  [1, "good"],
  [5, "interesting"],
  [6, "dubious"],
  [2, "a mistake"],
  [4, "a blunder"],
]);
const WAIT = 300;

export class MoveNotes extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
    /** @type {TreeNode | null} */
    this.shown = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.signs = [...SIGNS].map(([glyph, sign]) => {
      const label = `${sign}, ${WORDS.get(glyph)}`;
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
      oninput: () => this.later(),
      onchange: () => this.write(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.toggle(),
    });
    this.comment = element("div", { class: "comment-field" }, this.label, this.field);
    this.setOpen(false);
    this.append(
      element(
        "div",
        { class: "row tools" },
        element("div", { class: "signs", role: "group", "aria-label": "Sign of the move" }, ...this.signs),
        element("div", { class: "places", role: "group", "aria-label": "Comment and place in tree" }, this.pen, this.up, this.main, this.out),
      ),
      this.comment,
    );
    desk.on("go", () => this.show());
    desk.on("tree", () => this.show());
  }

  show() {
    const { desk, field } = this;
    if (!desk.at) {
      return;
    }
    const { current, tree } = desk;
    if (current !== this.shown) {
      this.write();
      this.shown = current;
      field.value = current.comment;
    }
    const number = tree.number(current, desk.facts.first);
    const name = `Comment on ${current.move ? `${number}. ${current.move.text}` : "the start"}`;
    this.label.replaceChildren(name);
    field.placeholder = `${name} …`;
    this.pen.classList.toggle("filled", Boolean(current.comment));
    for (const button of this.signs) {
      setUsable(button, current.move !== null);
      button.setAttribute("aria-pressed", String(current.glyphs.includes(Number(button.dataset.glyph))));
    }
    const isMain = tree.isOnMainLine(current);
    setUsable(this.up, !isMain);
    setUsable(this.main, !isMain);
    setUsable(this.out, current.move !== null);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), WAIT);
  }

  /** Put what was written into the tree. */
  write() {
    clearTimeout(this.timer);
    const { field, shown } = this;
    if (shown && field.value !== shown.comment) {
      shown.comment = field.value;
      this.desk.tell("tree");
    }
  }

  /** @param {number} glyph */
  sign(glyph) {
    const { desk } = this;
    const { current } = desk;
    if (!current.move) {
      return;
    }
    const others = current.glyphs.filter((each) => !SIGNS.has(each));
    current.glyphs = current.glyphs.includes(glyph) ? others : [glyph, ...others];
    desk.tell("tree");
  }

  promote() {
    if (!isUsable(this.up)) {
      return;
    }
    this.desk.tree.promote(this.desk.current);
    this.desk.tell("tree");
    announce("Moved up");
  }

  makeMain() {
    if (!isUsable(this.main)) {
      return;
    }
    this.desk.tree.makeMain(this.desk.current);
    this.desk.tell("tree");
    announce("This is the main line");
  }

  async remove() {
    const { tree, current } = this.desk;
    if (!isUsable(this.out)) {
      return;
    }
    const moves = tree.size(current);
    const isLittle = moves === 1 && !current.comment; // it is played again as fast as brought back
    const text = moves === 1 ? "Delete the move and its comment?" : `Delete ${moves} moves?`;
    if (isLittle || (await question(text, "Delete"))) {
      this.desk.removeFromHere();
      announce("Deleted");
    }
  }

  /** Show the field for comments or put it away; it stays while one goes from move to move. @param {boolean} isOpen */
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
 * What cannot be used now keeps the focus that it has: a button that is disabled would lose it.
 * @param {HTMLElement} button
 * @param {boolean} isOn
 */
function setUsable(button, isOn) {
  button.setAttribute("aria-disabled", String(!isOn));
}

/** @param {HTMLElement} button */
function isUsable(button) {
  return button.getAttribute("aria-disabled") !== "true";
}

customElements.define("move-notes", MoveNotes);
