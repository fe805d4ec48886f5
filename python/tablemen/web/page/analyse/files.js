// Import and export: the position and the game as text, a link, and pictures.

import { fetchJson } from "../api.js";
import { copy } from "../clipboard.js";
import { element, find } from "../dom.js";
import { fetchVariant, toQuery } from "../position-spec.js";
import { capital } from "../text.js";
import { download, exportPng, exportSvg, fileName } from "./export.js";
import { chooseGame } from "./game-list.js";
import { icon, iconButton } from "./icons.js";
import { fromFile, toSpec } from "./tree-forms.js";

/** @typedef {import("../api-types").ParsedFile} ParsedFile */
/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").FormattedFile} FormattedFile */
/** @typedef {import("./state.js").AnalysisState} AnalysisState */

const WAIT = 500;
const MAX_FILE_BYTES = 1_900_000; // bytes of a file; slightly below the limit of the server

export class FilesPanel extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.asked = 0;
    this.position = element("input", { type: "text", id: "position", spellcheck: "false", autocomplete: "off" });
    this.position.addEventListener("input", () => this.compare());
    this.position.addEventListener("keydown", (event) => event.key === "Enter" && void this.setPosition());
    this.setButton = element("button", { type: "button", onclick: () => void this.setPosition() }, "Set up");
    this.game = element("textarea", { id: "game-text", rows: 5, spellcheck: "false", autocomplete: "off" });
    this.game.addEventListener("input", () => this.compare());
    const read = () => void this.read(this.game.value);
    this.readButton = element("button", { type: "button", onclick: read }, "Read it in");
    this.written = "";
    this.foreign = element(
      "p",
      { class: "note foreign", id: "game-foreign", hidden: true },
      "This is not the game on the board, which Copy and Download give. ",
      element("button", { type: "button", class: "small", onclick: () => this.discard() }, "Discard it"),
    );
    this.play = element("a", { class: "button" }, icon("play"), "Play from here");
    this.note = element("p", { class: "muted note" }); // what the file format cannot hold
    this.problems = element("div", { role: "status", class: "problems" });
    this.opener = element("input", { type: "file", hidden: true, accept: ".pdn,.txt,.pgn,text/plain" });
    this.opener.addEventListener("change", () => void this.openFile(this.opener.files?.[0]));
    this.build();
    analysis.on("go", () => this.showPosition());
    analysis.on("view", () => this.showPosition());
    analysis.on("begin", () => this.later());
    analysis.on("tree", () => this.later());
    this.acceptDrops();
  }

  build() {
    /** @param {string} text @param {() => unknown} onclick */
    const button = (text, onclick) => element("button", { type: "button", onclick }, text);
    this.append(
      element("h2", {}, "Share and export"),
      element(
        "div",
        { class: "row gap" },
        this.play,
        iconButton("link", "Copy a link to this position", () => void this.copyLink(), "Copy link"),
        button("SVG picture", () => this.attempt(() => exportSvg(this.analysis))),
        button("PNG picture", () => this.attempt(() => exportPng(this.analysis))),
      ),
      this.problems,
      element(
        "div",
        { class: "field" },
        element("label", { for: "position" }, "Position"),
        element(
          "div",
          { class: "with-buttons" },
          this.position,
          this.setButton,
          button("Copy", () => copy(this.position.value, "Position")),
        ),
      ),
      element(
        "div",
        { class: "field" },
        element("label", { for: "game-text" }, "Game"),
        this.game,
        this.foreign,
        this.note,
        element(
          "div",
          { class: "row" },
          this.readButton,
          button("Open a file…", () => this.opener.click()),
          this.opener,
          button("Copy", () => void this.copyGame()),
          button("Download", () => void this.downloadGame()),
        ),
      ),
    );
  }

  /** Run a request and show its error. @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      this.showProblems([/** @type {Error} */ (error).message]);
    }
    if (this.problems.firstChild) {
      this.problems.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {string[]} problems */
  showProblems(problems) {
    const texts = problems.map((text) => element("li", {}, text));
    this.problems.replaceChildren(...(texts.length ? [element("ul", { class: "notice bad" }, ...texts)] : []));
  }

  // The position

  showPosition() {
    const { scene, view } = this.analysis.current;
    const { variant, houses, seeds } = this.analysis.tree;
    this.play.hidden = !scene || Boolean(view?.outcome);
    this.play.href = `/?${toQuery({ variant, houses, seeds, position: scene?.position })}`;
    if (scene && document.activeElement !== this.position) {
      this.position.value = scene.position;
      this.compare();
    }
  }

  /** Whether the text is unchanged and need not be read. */
  compare() {
    this.setButton.disabled = !this.position.value.trim() || this.position.value === this.analysis.current.scene?.position;
    this.readButton.disabled = !this.game.value.trim() || this.game.value === this.written;
    this.foreign.hidden = this.readButton.disabled;
    this.game.setAttribute("aria-describedby", this.foreign.hidden ? "" : this.foreign.id);
  }

  async setPosition() {
    const { variant, houses, seeds } = this.analysis.tree;
    const position = this.position.value.trim();
    await this.attempt(async () => {
      this.showProblems([]);
      await this.analysis.begin({ variant, houses, seeds, position });
      this.toBoard();
      this.showPosition();
    });
  }

  async copyLink() {
    await copy(new URL(this.analysis.address, location.href).href, "Link");
  }

  // The game

  /** Update the text of the game soon, unless it is being edited. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.write(), WAIT);
  }

  /** Whether the field is unchanged. */
  get isOurs() {
    const isEmpty = !this.game.value && document.activeElement !== this.game;
    return isEmpty || this.game.value === this.written;
  }

  /** Update the text of the game unless it was edited; return it, or null if it cannot be written. */
  async write() {
    clearTimeout(this.timer);
    this.asked += 1;
    const number = this.asked;
    try {
      /** @type {FormattedFile} */
      const { text, problems } = await fetchJson("POST", "/api/files/write", { body: toSpec(this.analysis.tree) });
      if (number === this.asked) {
        this.game.value = this.isOurs ? text : this.game.value;
        this.written = text;
        this.note.textContent = problems.map((problem) => `${capital(problem)}.`).join(" ");
        this.compare();
      }
      return text;
    } catch (error) {
      this.showProblems([`The game cannot be written: ${/** @type {Error} */ (error).message}`]);
      return null;
    }
  }

  /** Replace edited text by the text of the game. */
  discard() {
    this.game.value = this.written;
    this.compare();
    this.game.focus();
  }

  async copyGame() {
    const text = await this.write();
    if (text !== null) {
      await copy(text, "Game");
    }
  }

  async downloadGame() {
    const text = await this.write();
    if (text !== null) {
      download(new Blob([text], { type: "text/plain" }), fileName(this.analysis, this.analysis.facts.file_suffix));
    }
  }

  /** @param {string} text */
  async read(text) {
    await this.attempt(async () => {
      this.showProblems([]);
      const { variant } = this.analysis.tree;
      /** @type {ParsedFile} */
      const { games, problems } = await fetchJson("POST", "/api/files/read", { body: { text, variant } });
      const game = games.length > 1 ? await chooseGame(games) : games[0];
      if (game) {
        await this.show(game);
      }
      if (game && !problems.length && text === this.game.value) {
        this.written = text; // the text is up to date again
      }
      this.showProblems(!problems.length && !games.length ? ["There is no game in it."] : problems);
    });
  }

  /** @param {GameTreeState} game */
  async show(game) {
    const facts = await fetchVariant(game);
    const tree = fromFile(game, facts.start);
    this.analysis.open(facts, tree, tree.root);
    this.toBoard();
  }

  /** Move the focus after a game was opened, so that its button is not pressed twice. */
  toBoard() {
    find("#main", HTMLElement).focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** @param {File | undefined} file */
  async openFile(file) {
    this.opener.value = "";
    if (!file) {
      return;
    }
    if (file.size > MAX_FILE_BYTES) {
      this.showProblems([`${file.name} is too large: ${file.size.toLocaleString("en")} bytes.`]);
      return;
    }
    await this.read(await file.text());
  }

  acceptDrops() {
    addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) {
        event.preventDefault();
      }
    });
    addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (file) {
        event.preventDefault();
        void this.openFile(file);
      }
    });
  }
}

customElements.define("files-panel", FilesPanel);
