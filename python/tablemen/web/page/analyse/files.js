// Import and export: positions and games as text, links, files and pictures.

import { ConnectionLost, fetchJson, fetchText, fetchVariant, toQuery } from "../api.js";
import { capital, copy, count, element, find } from "../ui.js";
import { icon, iconButton } from "./controls.js";
import { fromFile, toSpec } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").FileLimits} FileLimits */
/** @typedef {import("../api-types").FormattedFile} FormattedFile */
/** @typedef {import("../api-types").GameTreeState} GameTreeState */
/** @typedef {import("../api-types").ParsedFile} ParsedFile */

const WRITE_DELAY = 500; // milliseconds
const PICTURE_SIZE = 800; // pixels
const MAX_MOVES = 400; // in the address of a picture; in a longer game the last move is not marked

/** The panel for sharing, import and export. */
export class FilesPanel extends HTMLElement {
  /** @param {AnalysisState} analysis */
  constructor(analysis) {
    super();
    this.analysis = analysis;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.writes = 0;
    this.position = element("input", { type: "text", id: "position", spellcheck: "false", autocomplete: "off" });
    this.position.addEventListener("input", () => this.compare());
    this.position.addEventListener("keydown", (event) => event.key === "Enter" && void this.setPosition());
    this.setButton = element("button", { type: "button", onclick: () => void this.setPosition() }, "Load");
    this.game = element("textarea", { id: "game-text", rows: 5, spellcheck: "false", autocomplete: "off" });
    this.game.addEventListener("input", () => this.compare());
    const read = () => void this.read(this.game.value);
    this.readButton = element("button", { type: "button", onclick: read }, "Import");
    this.written = "";
    this.foreign = element(
      "p",
      { class: "note foreign", id: "game-foreign", hidden: true },
      "This text differs from the game on the board, which Copy and Export use. ",
      element("button", { type: "button", class: "small", onclick: () => this.discard() }, "Discard"),
    );
    this.play = element("a", { class: "button" }, icon("play"), "Play from here");
    this.note = element("p", { class: "muted note" }); // parts of the game that the file format cannot express
    this.limits = element("p", { class: "muted note", id: "file-limits" });
    /** The maximum size of a file in bytes, when the server has sent it. */
    this.maxSize = Infinity;
    this.problems = element("div", { role: "status", class: "problems" });
    this.opener = element("input", { type: "file", hidden: true, accept: ".pdn,.txt,.pgn,text/plain" });
    this.opener.addEventListener("change", () => void this.openFile(this.opener.files?.[0]));
    this.build();
    analysis.on("go", () => this.showPosition());
    analysis.on("view", () => this.showPosition());
    analysis.on("begin", () => this.scheduleWrite());
    analysis.on("tree", () => this.scheduleWrite());
    this.acceptDrops();
    void this.showLimits();
  }

  build() {
    /** @param {string} text @param {() => unknown} onclick */
    const button = (text, onclick) => element("button", { type: "button", onclick }, text);
    const open = button("Open file…", () => this.opener.click());
    open.setAttribute("aria-describedby", this.limits.id);
    this.append(
      element("h2", {}, "Share, import and export"),
      element(
        "div",
        { class: "row gap" },
        this.play,
        iconButton("link", "Copy a link to this position", () => void copy(this.link, "Link"), "Copy link"),
        button("Export SVG", () => this.attempt(() => exportSvg(this.analysis))),
        button("Export PNG", () => this.attempt(() => exportPng(this.analysis))),
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
          open,
          this.opener,
          button("Copy", () => void this.copyGame()),
          button("Export", () => void this.downloadGame()),
        ),
        this.limits,
      ),
    );
  }

  /** Show the limits of files. Without a connection they are not shown. */
  async showLimits() {
    try {
      /** @type {FileLimits} */
      const { bytes, games, moves } = await fetchJson("GET", "/api/files/limits");
      this.maxSize = bytes;
      const limits = `${formatSize(bytes)}, ${count(games, "game")} and ${moves.toLocaleString("en")} moves`;
      this.limits.textContent = `A game, a position (FEN), or a file of up to ${limits}.`;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) {
        throw error;
      }
    }
  }

  /** The link to the current position. */
  get link() {
    return new URL(this.analysis.address, location.href).href;
  }

  /** Run a task, and show the error if it fails. @param {() => Promise<void>} work */
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
    this.problems.replaceChildren(...(problems.length ? [problemList(problems)] : []));
  }

  showPosition() {
    const { state, view } = this.analysis.current;
    const { variant, houses, seeds } = this.analysis.tree;
    this.play.hidden = !state || Boolean(view?.outcome);
    this.play.href = `/?${toQuery({ variant, houses, seeds, position: state?.position })}`;
    if (state && document.activeElement !== this.position) {
      this.position.value = state.position;
      this.compare();
    }
  }

  /** Enable Load and Import if the texts differ from the current position and game. */
  compare() {
    this.setButton.disabled = !this.position.value.trim() || this.position.value === this.analysis.current.state?.position;
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
      this.focusMain();
      this.showPosition();
    });
  }

  scheduleWrite() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.write(), WRITE_DELAY);
  }

  /**
   * Format the game, and show the text unless the user has edited it.
   * @returns {Promise<string | null>} the text, or null after an error
   */
  async write() {
    clearTimeout(this.timer);
    const number = ++this.writes;
    try {
      /** @type {FormattedFile} */
      const { text, problems } = await fetchJson("POST", "/api/files/write", { body: toSpec(this.analysis.tree) });
      if (number === this.writes) {
        const isEmpty = !this.game.value && document.activeElement !== this.game;
        this.game.value = isEmpty || this.game.value === this.written ? text : this.game.value;
        this.written = text;
        this.note.textContent = problems.map((problem) => `${capital(problem)}.`).join(" ");
        this.compare();
      }
      return text;
    } catch (error) {
      this.showProblems([`The game cannot be exported: ${/** @type {Error} */ (error).message}`]);
      return null;
    }
  }

  /** Discard the user's text. */
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

  /**
   * Open the game or position in a text, or one that the user chooses.
   * @param {string} text
   * @param {string} [source] the name and size of the file
   */
  async read(text, source = "") {
    await this.attempt(async () => {
      this.showProblems([]);
      const { variant, houses, seeds } = this.analysis.tree;
      /** @type {ParsedFile} */
      const { games, problems } = await fetchJson("POST", "/api/files/read", { body: { text, variant, houses, seeds } });
      const game = games.length > 1 ? await chooseGame(games, source, problems) : games[0];
      if (game) {
        const facts = await fetchVariant(game);
        const tree = fromFile(game, facts.start);
        this.analysis.open(facts, tree, tree.root);
        this.focusMain();
      }
      if (game && !problems.length && text === this.game.value) {
        this.written = text;
      }
      this.showProblems(!problems.length && !games.length ? ["The text contains no game."] : problems);
    });
  }

  /** Focus the page, because the button that was pressed is disabled now. */
  focusMain() {
    find("#main", HTMLElement).focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** @param {File | undefined} file */
  async openFile(file) {
    this.opener.value = "";
    if (!file) {
      return;
    }
    const size = formatSize(file.size);
    if (file.size > this.maxSize) {
      this.showProblems([`the file ${file.name} is too large: ${size}. The maximum is ${formatSize(this.maxSize)}.`]);
      return;
    }
    await this.read(await file.text(), `${file.name}, ${size}`);
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

/** @param {string[]} problems */
function problemList(problems) {
  return element("ul", { class: "notice bad" }, ...problems.map((text) => element("li", {}, capital(text))));
}

/**
 * Download a file.
 * @param {Blob} content
 * @param {string} name
 */
function download(content, name) {
  const address = URL.createObjectURL(content);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it after the click
}

/**
 * Return a file name with the variant and the number of moves.
 * @param {AnalysisState} analysis
 * @param {string} ending
 */
function fileName({ tree, current }, ending) {
  return `${[tree.variant, current.depth ? `after-${current.depth}` : "start"].join("-")}.${ending}`;
}

/**
 * Fetch a picture of the position, with the orientation of the board.
 * @param {AnalysisState} analysis
 */
async function drawSvg(analysis) {
  const { subject, orientation, current } = analysis;
  const isLong = subject.moves.length > MAX_MOVES;
  const shown = isLong ? { ...subject, position: current.state?.position ?? null } : subject;
  const query = toQuery(shown, { moves: isLong ? "" : subject.moves.join(" "), orientation, size: PICTURE_SIZE });
  return new Blob([await fetchText(`/api/board.svg?${query}`)], { type: "image/svg+xml" });
}

/** @param {AnalysisState} analysis */
async function exportSvg(analysis) {
  download(await drawSvg(analysis), fileName(analysis, "svg"));
}

/** @param {AnalysisState} analysis */
async function exportPng(analysis) {
  const address = URL.createObjectURL(await drawSvg(analysis));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    const content = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!(content instanceof Blob)) {
      throw new Error("this browser cannot create a PNG picture");
    }
    download(content, fileName(analysis, "png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Format a number of bytes: `2 MB`, `1.5 KB`.
 * @param {number} bytes
 */
function formatSize(bytes) {
  const [number, unit] = bytes < 1000 ? [bytes, "bytes"] : bytes < 1e6 ? [bytes / 1e3, "KB"] : [bytes / 1e6, "MB"];
  return `${number.toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

/**
 * Let the user choose one of the games of a file.
 * @param {GameTreeState[]} games
 * @param {string} source the name and size of the file; may be empty
 * @param {string[]} problems the errors in the file, and the limits that it exceeds
 * @returns {Promise<GameTreeState | undefined>}
 */
function chooseGame(games, source, problems) {
  return new Promise((resolve) => {
    const items = games.map((game, number) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: "quiet game", onclick: () => dialog.close(String(number)) },
          element("strong", {}, `${number + 1}. ${gameName(game)}`),
          element("span", { class: "muted" }, describeGame(game)),
        ),
      ),
    );
    const dialog = element(
      "dialog",
      { class: "games", "aria-labelledby": "games-title" },
      element("h2", { id: "games-title" }, `Choose one of ${games.length} games`),
      source ? element("p", { class: "muted" }, source) : null,
      problems.length ? problemList(problems) : null,
      element("ol", {}, ...items),
      element(
        "div",
        { class: "row end" },
        element("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "" ? undefined : games[Number(dialog.returnValue)]);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Return the names of the players from the tags of a game.
 * @param {Record<string, string>} tags
 */
export function getPlayerNames(tags) {
  const names = [tags.White ?? tags.South ?? tags.south, tags.Black ?? tags.North ?? tags.north];
  return names.map((name) => name || "?").join(" – ");
}

/**
 * Return the players of a game, or the text of a position without a game.
 * @param {GameTreeState} game
 */
function gameName({ tags, nodes, start }) {
  const isPosition = !nodes.length && !Object.keys(tags).length;
  return isPosition ? start.position : getPlayerNames(tags);
}

/** @param {GameTreeState} game */
function describeGame({ tags, nodes, variant }) {
  return [tags.Event, tags.Date, tags.Result, variant, count(nodes.length, "move", "moves")]
    .filter((text) => text && text !== "?")
    .join(" · ");
}
