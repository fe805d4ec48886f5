// The board editor: the user edits the position on the board, and the server checks it.

import { fetchJson, RequestError, showError, toQuery } from "../api.js";
import { capital, element, toast } from "../ui.js";
import { PiecesEditor, SeedsEditor } from "./editor-tools.js";
import { loadEdited, saveEdited } from "./state.js";

/** @typedef {import("./board-panel.js").BoardPanel} BoardPanel */
/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("./state.js").Edited} Edited */
/** @typedef {import("../api-types").GameView} GameView */
/** @typedef {import("../api-types").PositionState} PositionState */

/**
 * The tools for the pieces or seeds of a board.
 * @typedef {object} ContentsEditor
 * @property {HTMLElement} tools
 * @property {PositionState["board"]} board
 * @property {string} [lifted] the place of the selected piece
 * @property {(detail: {place?: string, from?: string, to?: string | null}) => void} edit
 * @property {() => void} clear
 * @property {(event: KeyboardEvent) => void} handleKey
 */

/** The board editor. The server checks each change. */
export class BoardEditor extends HTMLElement {
  /**
   * @param {AnalysisState} analysis
   * @param {BoardPanel} boardPanel
   * @param {object} done
   * @param {(isEditing: boolean) => void} done.onMode
   * @param {(position: string) => Promise<void>} done.onAnalyse
   */
  constructor(analysis, boardPanel, { onMode, onAnalyse }) {
    super();
    this.analysis = analysis;
    this.boardPanel = boardPanel;
    this.onMode = onMode;
    this.onAnalyse = onAnalyse;
    this.turn = "";
    /** @type {ContentsEditor | null} */
    this.contents = null;
    this.checks = 0;
    /** The check of the last change. */
    this.checked = Promise.resolve();
    /** The element that had the focus before the editor opened. @type {HTMLElement | null} */
    this.opener = null;
    this.hidden = true;
    this.tools = element("div");
    this.turns = element("fieldset", { class: "choice" });
    this.problems = element("div", { role: "status", class: "problems" });
    this.text = element("input", { type: "text", readonly: true, id: "edited-position" });
    const onclick = () => void this.finish();
    this.analyse = element("button", { type: "button", class: "primary", onclick }, "Analyse this position");
    this.play = element("a", { class: "button" }, "Play from here");
    this.play.addEventListener("click", (event) => void this.leave(event));
    this.heading = element("h2", { tabindex: "-1" }, "Board editor");
    this.append(
      this.heading,
      this.tools,
      this.turns,
      element(
        "div",
        { class: "row gap" },
        element("button", { type: "button", onclick: () => this.clear() }, "Clear board"),
        element("button", { type: "button", onclick: () => void this.restart() }, "Start position"),
      ),
      element("div", { class: "field" }, element("label", { for: "edited-position" }, "Position as text"), this.text),
      this.problems,
      element(
        "div",
        { class: "row" },
        this.analyse,
        this.play,
        element("button", { type: "button", onclick: () => this.close() }, "Cancel"),
      ),
    );
    boardPanel.addEventListener("edit", (event) => {
      if (!this.hidden) {
        this.contents?.edit(/** @type {CustomEvent} */ (event).detail);
      }
    });
    addEventListener("keydown", (event) => {
      if (!this.hidden && !(event.target instanceof HTMLInputElement && event.target.type !== "radio")) {
        this.contents?.handleKey(event);
      }
    });
    analysis.on("begin", () => !this.hidden && this.close());
  }

  /** Edit the position on the board. */
  open() {
    const { state } = this.analysis.current;
    if (!state || !this.hidden) {
      return;
    }
    if (this.boardPanel.board?.contents === "text") {
      toast(`This page has no editor for ${this.analysis.facts.title}.`);
      return;
    }
    this.opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.begin(state);
    this.heading.focus();
  }

  /** Continue with the stored position, if there is one. */
  openStored() {
    const stored = loadEdited(this.analysis);
    if (stored) {
      this.begin(stored);
    }
  }

  /** @param {Edited} state */
  begin(state) {
    this.hidden = false;
    this.onMode(true);
    this.boardPanel.edit(true);
    this.setPosition(state);
  }

  /** Close the editor and show the current move again. */
  close() {
    this.hidden = true;
    this.checks += 1;
    saveEdited(this.analysis, null);
    this.markLifted(undefined);
    this.boardPanel.edit(false);
    this.onMode(false);
    this.opener?.focus();
  }

  /** @param {Edited} state */
  setPosition(state) {
    this.turn = state.turn;
    const Editor = this.boardPanel.board?.contents === "seeds" ? SeedsEditor : PiecesEditor;
    this.contents = new Editor(this.analysis.facts, state.board, () => this.change());
    this.tools.replaceChildren(this.contents.tools);
    const choices = this.analysis.facts.sides.map((side) => {
      const onchange = () => {
        this.turn = side;
        this.change();
      };
      const checked = side === this.turn;
      const input = element("input", { type: "radio", name: "turn", value: side, checked, onchange });
      return element("label", {}, input, `${capital(side)} to move`);
    });
    this.turns.replaceChildren(element("legend", {}, "Side to move"), ...choices);
    this.change();
  }

  /** Show, store and check the edited position. */
  change() {
    const board = this.contents?.board;
    if (!board) {
      return;
    }
    const position = JSON.stringify([board, this.turn]); // the board compares positions by this text
    void this.boardPanel.board?.show({ position, turn: this.turn, board }, { move: null });
    this.markLifted(this.contents?.lifted);
    saveEdited(this.analysis, { board, turn: this.turn });
    this.checked = this.check();
  }

  /** @param {string | undefined} lifted */
  markLifted(lifted) {
    for (const [place, cell] of this.boardPanel.board?.cells ?? []) {
      cell.classList.toggle("lifted", place === lifted);
    }
  }

  async check() {
    const { variant, houses, seeds } = this.analysis.tree;
    const number = ++this.checks;
    const body = { variant, houses, seeds, board: this.contents?.board, turn: this.turn };
    /** @type {string[]} */
    let problems = [];
    let position = "";
    try {
      /** @type {GameView} */
      const view = await fetchJson("POST", "/api/positions/setup", { body });
      position = view.position;
      if (view.outcome) {
        problems = [view.outcome.text];
      }
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      problems = error instanceof RequestError && error.problems.length ? error.problems : [message];
    }
    if (number !== this.checks) {
      return; // the position was changed meanwhile
    }
    this.text.value = position;
    this.analyse.disabled = !position;
    this.play.toggleAttribute("aria-disabled", !position);
    if (position) {
      this.play.setAttribute("href", `/?${toQuery({ variant, houses, seeds, position })}`);
    } else {
      this.play.removeAttribute("href");
    }
    const kind = position ? "notice" : "notice bad";
    const texts = problems.map((text) => element("li", {}, capital(text)));
    this.problems.replaceChildren(...(texts.length ? [element("ul", { class: kind }, ...texts)] : []));
  }

  clear() {
    this.contents?.clear();
    this.change();
  }

  async restart() {
    const { variant, houses, seeds } = this.analysis.tree;
    /** @type {GameView} */
    const view = await fetchJson("POST", "/api/positions", { body: { variant, houses, seeds } });
    this.setPosition(view.start);
  }

  /** Wait until the server has checked the last change. */
  async waitForCheck() {
    const { checked } = this;
    await checked;
    if (checked !== this.checked) {
      await this.waitForCheck();
    }
  }

  async finish() {
    await this.waitForCheck();
    if (this.text.value) {
      try {
        await this.onAnalyse(this.text.value);
      } catch (error) {
        showError(error);
      }
    }
  }

  /** @param {MouseEvent} event */
  async leave(event) {
    if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      await this.waitForCheck();
      const address = this.play.getAttribute("href");
      if (address !== null) {
        location.assign(address);
      }
    }
  }
}

customElements.define("board-editor", BoardEditor);
