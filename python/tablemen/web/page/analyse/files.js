// In and out: the position and the game as text, a link to the position, and pictures of it.

import { fetchJson, fetchVariant, toQuery } from "../api.js";
import { capital, copy, element, find } from "../ui.js";
import { download, exportPng, exportSvg, fileName } from "./export.js";
import { chooseGame } from "./game-list.js";
import { icon, iconButton } from "./icons.js";
import { fromFile, toSpec } from "./tree-forms.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").FormattedFile} FormattedFile */
/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").ParsedFile} ParsedFile */

const WAIT = 500;
const LARGEST = 1_900_000; // bytes of a file, a little less than the server takes

export class FilesPanel extends HTMLElement {
  /** @param {AnalysisState} desk */
  constructor(desk) {
    super();
    this.desk = desk;
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
    this.note = element("p", { class: "muted note" }); // what a file has no place for
    this.problems = element("div", { role: "status", class: "problems" });
    this.opener = element("input", { type: "file", hidden: true, accept: ".pdn,.txt,.pgn,text/plain" });
    this.opener.addEventListener("change", () => void this.openFile(this.opener.files?.[0]));
    this.build();
    desk.on("go", () => this.showPosition());
    desk.on("view", () => this.showPosition());
    desk.on("begin", () => this.later());
    desk.on("tree", () => this.later());
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
        button("SVG picture", () => this.attempt(() => exportSvg(this.desk))),
        button("PNG picture", () => this.attempt(() => exportPng(this.desk))),
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

  /** Do something that the server may refuse. @param {() => Promise<void>} work */
  async attempt(work) {
    try {
      await work();
    } catch (error) {
      this.tell([/** @type {Error} */ (error).message]);
    }
    if (this.problems.firstChild) {
      this.problems.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {string[]} problems */
  tell(problems) {
    const texts = problems.map((text) => element("li", {}, text));
    this.problems.replaceChildren(...(texts.length ? [element("ul", { class: "notice bad" }, ...texts)] : []));
  }

  // The position

  showPosition() {
    const { scene, view } = this.desk.current;
    const { variant, houses, seeds } = this.desk.tree;
    this.play.hidden = !scene || Boolean(view?.outcome);
    this.play.href = `/?${toQuery({ variant, houses, seeds, position: scene?.position })}`;
    if (scene && document.activeElement !== this.position) {
      this.position.value = scene.position;
      this.compare();
    }
  }

  /** What is as it was written by us need not be read. */
  compare() {
    this.setButton.disabled = !this.position.value.trim() || this.position.value === this.desk.current.scene?.position;
    this.readButton.disabled = !this.game.value.trim() || this.game.value === this.written;
    this.foreign.hidden = this.readButton.disabled;
    this.game.setAttribute("aria-describedby", this.foreign.hidden ? "" : this.foreign.id);
  }

  async setPosition() {
    const { variant, houses, seeds } = this.desk.tree;
    const position = this.position.value.trim();
    await this.attempt(async () => {
      this.tell([]);
      await this.desk.begin({ variant, houses, seeds, position });
      this.toBoard();
      this.showPosition();
    });
  }

  async copyLink() {
    await copy(new URL(this.desk.address, location.href).href, "Link");
  }

  // The game

  /** Write the game anew soon, unless somebody is writing there. */
  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.write(), WAIT);
  }

  /** Whether nobody has written into the field. */
  get isOurs() {
    const isEmpty = !this.game.value && document.activeElement !== this.game;
    return isEmpty || this.game.value === this.written;
  }

  /** Write the game, and show it unless somebody has written there; gives the text, or null where there is none. */
  async write() {
    clearTimeout(this.timer);
    this.asked += 1;
    const number = this.asked;
    try {
      /** @type {FormattedFile} */
      const { text, problems } = await fetchJson("POST", "/api/files/write", { body: toSpec(this.desk.tree) });
      if (number === this.asked) {
        this.game.value = this.isOurs ? text : this.game.value;
        this.written = text;
        this.note.textContent = problems.map((problem) => `${capital(problem)}.`).join(" ");
        this.compare();
      }
      return text;
    } catch (error) {
      this.tell([`The game cannot be written: ${/** @type {Error} */ (error).message}`]);
      return null;
    }
  }

  /** Write the game of the tree where something else was written. */
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
      download(new Blob([text], { type: "text/plain" }), fileName(this.desk, this.desk.facts.file_suffix));
    }
  }

  /** @param {string} text */
  async read(text) {
    await this.attempt(async () => {
      this.tell([]);
      const { variant } = this.desk.tree;
      /** @type {ParsedFile} */
      const { games, problems } = await fetchJson("POST", "/api/files/read", { body: { text, variant } });
      const game = games.length > 1 ? await chooseGame(games) : games[0];
      if (game) {
        await this.show(game);
      }
      if (game && !problems.length && text === this.game.value) {
        this.written = text; // it is ours again
      }
      this.tell(!problems.length && !games.length ? ["There is no game in it."] : problems);
    });
  }

  /** @param {GameTreeState} game */
  async show(game) {
    const facts = await fetchVariant(game);
    const tree = fromFile(game, facts.start);
    this.desk.open(facts, tree, tree.root);
    this.toBoard();
  }

  /** Where one goes on after something was put on the desk; the button that did it can not be pressed twice. */
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
    if (file.size > LARGEST) {
      this.tell([`${file.name} is too large: ${file.size.toLocaleString("en")} bytes.`]);
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
