// The engine panel: the search on the server, with the score and the best lines.

import { ReconnectingSocket, showError } from "../api.js";
import { announce, capital, copy, count, element, saveSetting, setting, toast } from "../ui.js";
import { iconButton } from "./controls.js";
import { groupByValue, shortScore } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").EndgameInfo} EndgameInfo */
/** @typedef {import("../api-types").EndgameMove} EndgameMove */
/** @typedef {import("../api-types").LineInfo} LineInfo */
/** @typedef {import("../api-types").MoveValues} MoveValues */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").QueuedNotice} QueuedNotice */
/** @typedef {import("../api-types").StreamEnd} StreamEnd */
/** @typedef {import("../api-types").TablebaseNotice} TablebaseNotice */

/**
 * `waiting`: the request is queued; `done`: the search has ended; `lost`: there is no connection.
 * @typedef {"off" | "thinking" | "waiting" | "done" | "lost"} EngineState
 */

const PATH = "/api/analyse/socket";
const SEARCH_TIME = 20; // seconds
const REQUEST_DELAY = 120; // milliseconds, to skip positions that the user only passes
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 14; // moves
const ANNOUNCE_AFTER = 3; // seconds of search

/** The engine on the server. It searches one position at a time. Messages about earlier requests are ignored. */
class Engine {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {EngineState} */
    this.state = "off";
    /** @type {AnalysisUpdate | null} */
    this.found = null;
    /** @type {Record<string, number> | null} */
    this.values = null;
    /** The command that builds a tablebase with the position. */
    this.command = "";
    this.error = "";
    this.lines = 1;
    this.seconds = SEARCH_TIME;
    /** @type {PositionSpec | null} */
    this.subject = null;
    this.id = 0;
    /** @type {ReconnectingSocket | null} */
    this.socket = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get isOn() {
    return this.state !== "off";
  }

  /**
   * Search a position.
   * @param {PositionSpec} subject
   * @param {number} [seconds]
   */
  search(subject, seconds = SEARCH_TIME) {
    if (JSON.stringify(subject) !== JSON.stringify(this.subject)) {
      this.clear();
    }
    this.subject = subject;
    this.seconds = seconds;
    this.error = "";
    this.id += 1;
    this.state = this.socket && !this.socket.isOpen && this.state === "lost" ? "lost" : "thinking";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.request(), REQUEST_DELAY);
    this.onChange();
  }

  /** Search the same position for a longer time. */
  extend() {
    if (this.subject) {
      this.search(this.subject, 3 * this.seconds);
    }
  }

  /**
   * Set the number of lines to search.
   * @param {number} lines
   */
  setLines(lines) {
    this.lines = lines;
    this.found = null;
    if (this.isOn && this.subject) {
      this.search(this.subject);
    }
  }

  /** Stop the search and close the connection. */
  turnOff() {
    clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
    this.state = "off";
    this.clear();
    this.subject = null;
    this.error = "";
    this.onChange();
  }

  /** Stop the search. */
  stop() {
    clearTimeout(this.timer);
    this.id += 1;
    this.socket?.send({ type: "stop" });
    this.state = "done";
    this.clear();
    this.subject = null;
    this.onChange();
  }

  /** Discard the results. */
  clear() {
    this.found = null;
    this.values = null;
    this.command = "";
  }

  request() {
    if (!this.subject) {
      return;
    }
    if (!this.socket) {
      this.socket = new ReconnectingSocket(PATH, {
        onMessage: (message) => this.receive(message),
        onOpen: () => this.request(),
        onChange: (isOpen, reason) => {
          this.state = !isOpen ? "lost" : this.subject ? "thinking" : "done";
          this.error = isOpen ? "" : reason;
          this.onChange();
        },
      });
      return;
    }
    const { id, subject, lines, seconds } = this;
    this.socket.send({ type: "analyse", id, subject, lines, seconds });
  }

  /** @param {AnalysisUpdate | MoveValues | QueuedNotice | StreamEnd | TablebaseNotice} message */
  receive(message) {
    if (message.id !== this.id || !this.isOn) {
      return;
    }
    if (message.type === "found") {
      this.state = "thinking";
      if (!this.found || message.depth >= this.found.depth) {
        this.found = message; // an extended search starts again at low depths
      }
    } else if (message.type === "values") {
      this.values = message.values;
    } else if (message.type === "tablebase") {
      this.command = message.command;
    } else if (message.type === "waiting") {
      this.state = "waiting";
    } else if (message.type === "ended") {
      this.state = "done";
      this.error = message.error ?? "";
    }
    this.onChange();
  }
}

/** The switch of the engine, with the score, the verdict and the lines. */
export class EnginePanel extends HTMLElement {
  /**
   * @param {AnalysisState} analysis
   * @param {(found: AnalysisUpdate | null, values: Record<string, number> | null) => void} onChange
   */
  constructor(analysis, onChange) {
    super();
    this.analysis = analysis;
    this.onChange = onChange;
    this.isPaused = false;
    this.lastError = "";
    /** The numbers of the expanded lines. @type {Set<number>} */
    this.expanded = new Set();
    this.engine = new Engine(() => this.show());
    this.engine.lines = Number(setting("analyse.lines", "3"));
    this.power = element("button", {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": "false",
      "aria-label": "Engine",
      title: "Engine (L)",
      onclick: () => this.toggle(),
    });
    this.score = element("strong", { class: "best-score digits" });
    this.verdict = element("p", { class: "verdict" });
    this.announced = element("div", { role: "status", class: "visually-hidden" }); // one verdict for each position
    this.status = element("span", { class: "muted status" });
    const extend = { type: "button", class: "small", title: "Extend the search", onclick: () => this.engine.extend() };
    this.extend = element("button", extend, "Extend");
    this.exact = element("p", { class: "exact", hidden: true });
    this.endgame = element("ul", { class: "lines endgame", "aria-label": "Moves by value" });
    /** The proven values that are shown. @type {EndgameInfo | null} */
    this.shownEndgame = null;
    this.command = element("code", {});
    const onCopy = () => void copy(this.engine.command, "Command");
    this.suggestion = element(
      "p",
      { class: "suggestion muted", hidden: true },
      "This command builds a tablebase with the position: ",
      this.command,
      " ",
      element("button", { type: "button", class: "small", "aria-label": "Copy the command", onclick: onCopy }, "Copy"),
    );
    this.list = element("ol", { class: "lines", "aria-label": "Engine lines" });
    this.append(
      element(
        "div",
        { class: "head" },
        this.power,
        this.score,
        this.status,
        this.extend,
        this.createLineSelect(),
      ),
      this.verdict,
      this.announced,
      this.exact,
      this.endgame,
      this.list,
      this.suggestion,
    );
    analysis.on("begin", () => this.engine.isOn && this.engine.stop());
    analysis.on("go", () => this.follow());
    if (setting("analyse.engine", "off") === "on") {
      this.engine.state = "thinking"; // `follow` starts the search
    }
    this.show();
  }

  createLineSelect() {
    const select = element("select", {
      "aria-label": "Number of lines",
      title: "Number of lines",
      onchange: () => {
        saveSetting("analyse.lines", select.value);
        this.engine.setLines(Number(select.value));
      },
    });
    for (let lines = 1; lines <= MAX_LINES; lines += 1) {
      select.append(element("option", { value: lines, selected: lines === this.engine.lines }, count(lines, "line")));
    }
    return select;
  }

  toggle() {
    const { engine } = this;
    saveSetting("analyse.engine", engine.isOn ? "off" : "on");
    if (engine.isOn) {
      engine.turnOff();
      announce("Engine off");
    } else {
      engine.state = "thinking";
      announce("Engine on");
      this.follow();
    }
    this.show();
  }

  /** Pause while a position is edited. @param {boolean} isPaused */
  pause(isPaused) {
    this.isPaused = isPaused;
    if (isPaused && this.engine.isOn) {
      this.engine.stop();
    } else {
      this.follow();
    }
  }

  /** Search the current position. */
  follow() {
    const { analysis, engine } = this;
    if (!analysis.at || !engine.isOn || this.isPaused) {
      return;
    }
    if (JSON.stringify(engine.subject) !== JSON.stringify(analysis.subject)) {
      engine.search(analysis.subject);
    }
  }

  show() {
    const { engine } = this;
    const { state, found, values, command, error } = engine;
    this.dataset.state = state;
    this.power.setAttribute("aria-checked", String(engine.isOn));
    const best = found?.lines[0];
    this.score.replaceChildren(found ? shortScore(found.score, found.chances) : "");
    this.score.title = found?.score.text ?? "";
    this.verdict.replaceChildren(found?.verdict ?? "");
    const isStable = found && (state === "done" || found.score.exact || found.seconds >= ANNOUNCE_AFTER);
    if (!found || (isStable && !this.announced.textContent)) {
      this.announced.textContent = found?.verdict ?? "";
    }
    this.status.replaceChildren(this.describe());
    const canExtend = state === "done" && Boolean(best) && !best?.score.exact && !found?.endgame;
    if (!canExtend && this.extend === document.activeElement) {
      this.power.focus(); // a hidden button loses the focus
    }
    this.extend.toggleAttribute("hidden", !canExtend);
    this.exact.toggleAttribute("hidden", values === null);
    if (values) {
      const [first = "", second = ""] = this.analysis.facts.sides.map(capital);
      this.exact.textContent = `Exact: each house shows the final seed difference, + for ${first}, − for ${second}.`;
    }
    this.drawEndgame(found?.endgame ?? null);
    this.drawLines(found?.lines ?? []);
    this.suggestion.toggleAttribute("hidden", !command);
    const words = command.split(" ").map((word) => element("span", {}, word));
    this.command.replaceChildren(...words.flatMap((word) => [word, " "]));
    if (error && error !== this.lastError) {
      toast(error, "bad");
    }
    this.lastError = error;
    this.onChange(found, values);
  }

  /** Return the text of the status. */
  describe() {
    const { state, found } = this.engine;
    const numbers = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
    const nodes = found ? `${numbers.format(found.nodes)} nodes` : "";
    const depth = found?.endgame ? "tablebase" : found ? `depth ${found.depth} · ${nodes}` : "";
    if (state === "off") {
      return "Engine off";
    }
    if (state === "lost") {
      return "reconnecting…";
    }
    if (state === "waiting") {
      return [depth, "queued…"].filter(Boolean).join(" · ");
    }
    return depth || (state === "thinking" ? "thinking…" : "");
  }

  /**
   * Show the moves by their proven values.
   * @param {EndgameInfo | null} endgame
   */
  drawEndgame(endgame) {
    if (endgame === this.shownEndgame) {
      return; // a focused button stays
    }
    this.shownEndgame = endgame;
    const groups = groupByValue(endgame?.moves ?? []).map(([value, moves]) =>
      element(
        "li",
        { class: "whole" },
        element("span", { class: "line-score" }, capital(value)),
        element("span", { class: "line-moves" }, ...moves.map((each) => this.endgameMove(each))),
      ),
    );
    this.endgame.replaceChildren(...groups);
    this.endgame.toggleAttribute("hidden", !groups.length);
  }

  /** @param {EndgameMove} each */
  endgameMove({ move, value, distance }) {
    const title = `Play this move: ${value}${distance === null ? "" : ` in ${count(distance, "ply", "plies")}`}`;
    const plies = distance === null ? null : element("span", { class: "distance digits" }, ` (${distance})`);
    const onclick = () => void this.play([move.full]);
    return element("button", { type: "button", class: "move", title, onclick }, move.text, plies);
  }

  /** @param {LineInfo[]} lines */
  drawLines(lines) {
    const buttons = [...this.list.querySelectorAll("button")];
    const focused = buttons.findIndex((button) => button === document.activeElement);
    this.list.replaceChildren(...lines.map((line, place) => this.line(line, place)));
    this.list.toggleAttribute("hidden", !lines.length);
    for (const moves of this.list.querySelectorAll("li:not(.whole) .line-moves")) {
      const isShort = moves.scrollHeight <= moves.clientHeight;
      moves.nextElementSibling?.toggleAttribute("hidden", isShort); // nothing to expand
    }
    if (focused !== -1) {
      this.list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
    }
  }

  /**
   * @param {LineInfo} line
   * @param {number} place
   */
  line(line, place) {
    const moves = line.line.slice(0, MAX_LINE_LENGTH).map((text, number) =>
      element(
        "button",
        {
          type: "button",
          class: "move",
          title: "Play the line up to this move",
          onclick: () => this.play(line.line.slice(0, number + 1)),
        },
        text,
      ),
    );
    const score = element(
      "span",
      { class: "line-score digits", "data-exact": line.score.exact, title: line.score.text },
      shortScore(line.score, line.chances),
    );
    const isExpanded = this.expanded.has(place);
    const expand = () => {
      if (!this.expanded.delete(place)) {
        this.expanded.add(place);
      }
      this.drawLines(this.engine.found?.lines ?? []);
    };
    const more = iconButton("more", `Expand line ${place + 1}`, expand);
    more.setAttribute("aria-expanded", String(isExpanded));
    const listed = element("span", { class: "line-moves" }, ...moves);
    return element("li", { class: isExpanded ? "whole" : "" }, score, listed, more);
  }

  /** Play the engine's best move. */
  playBest() {
    const best = this.engine.found?.lines[0];
    if (best) {
      void this.play([best.move.full]);
    }
  }

  /** @param {string[]} moves */
  async play(moves) {
    try {
      await this.analysis.play(moves);
    } catch (error) {
      showError(error);
    }
  }
}

customElements.define("engine-panel", EnginePanel);
