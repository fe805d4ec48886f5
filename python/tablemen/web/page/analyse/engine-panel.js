// The engine panel: the search on the server, its score and its lines.

import { ReconnectingSocket, showError } from "../api.js";
import { announce, capital, count, element, saveSetting, setting, toast } from "../ui.js";
import { iconButton } from "./controls.js";
import { shortScore } from "./tree.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").LineInfo} LineInfo */
/** @typedef {import("../api-types").MoveValues} MoveValues */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").QueuedNotice} QueuedNotice */
/** @typedef {import("../api-types").StreamEnd} StreamEnd */

/**
 * `off`; `thinking`; `waiting`, while others have their turn; `done`, when its time is up; `lost`, when nobody answers.
 * @typedef {"off" | "thinking" | "waiting" | "done" | "lost"} EngineState
 */

const PATH = "/api/analyse/socket";
const SECONDS = 20;
const PAUSE = 120; // before it is told of another position, so that one can go through a game quickly

/** It thinks about one position at a time; whatever comes for another is dropped. */
export class Engine {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {EngineState} */
    this.state = "off";
    /** @type {AnalysisUpdate | null} */
    this.found = null;
    /** @type {Record<string, number> | null} */
    this.values = null;
    this.error = "";
    this.lines = 1;
    this.seconds = SECONDS;
    /** @type {PositionSpec | null} */
    this.subject = null;
    this.id = 0;
    /** @type {ReconnectingSocket | null} */
    this.link = null;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get isOn() {
    return this.state !== "off";
  }

  /**
   * Think about a position.
   * @param {PositionSpec} subject
   * @param {number} [seconds]
   */
  think(subject, seconds = SECONDS) {
    if (JSON.stringify(subject) !== JSON.stringify(this.subject)) {
      this.found = null;
      this.values = null;
    }
    this.subject = subject;
    this.seconds = seconds;
    this.error = "";
    this.id += 1; // whatever still comes is about something else
    this.state = this.link && !this.link.isOpen && this.state === "lost" ? "lost" : "thinking";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.request(), PAUSE);
    this.onChange();
  }

  /** Think on about the same position, for longer. */
  goOn() {
    if (this.subject) {
      this.think(this.subject, 3 * this.seconds);
    }
  }

  /** @param {number} lines */
  showLines(lines) {
    this.lines = lines;
    this.found = null;
    if (this.isOn && this.subject) {
      this.think(this.subject);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.link?.close();
    this.link = null;
    this.state = "off";
    this.found = null;
    this.values = null;
    this.subject = null;
    this.error = "";
    this.onChange();
  }

  /** Nothing is to be looked at for a while. */
  rest() {
    clearTimeout(this.timer);
    this.id += 1;
    this.link?.send({ type: "stop" });
    this.state = "done";
    this.found = null;
    this.values = null;
    this.subject = null;
    this.onChange();
  }

  request() {
    if (!this.subject) {
      return;
    }
    if (!this.link) {
      this.link = new ReconnectingSocket(PATH, {
        onMessage: (message) => this.receive(message),
        onOpen: () => this.request(),
        onChange: (isOpen, reason) => this.noticeLink(isOpen, reason),
      });
      return;
    }
    const { id, subject, lines, seconds } = this;
    this.link.send({ type: "analyse", id, subject, lines, seconds });
  }

  /**
   * @param {boolean} isOpen
   * @param {string} reason
   */
  noticeLink(isOpen, reason) {
    this.state = isOpen ? "thinking" : "lost";
    this.error = isOpen ? "" : reason;
    this.onChange();
  }

  /** @param {AnalysisUpdate | MoveValues | QueuedNotice | StreamEnd} message */
  receive(message) {
    if (message.id !== this.id || !this.isOn) {
      return;
    }
    if (message.type === "found") {
      this.state = "thinking";
      if (!this.found || message.depth >= this.found.depth) {
        this.found = message; // one that goes on begins with what is known
      }
    } else if (message.type === "values") {
      this.values = message.values;
    } else if (message.type === "waiting") {
      this.state = "waiting";
    } else if (message.type === "ended") {
      this.state = "done";
      this.error = message.error ?? "";
    }
    this.onChange();
  }
}

const MOST_LINES = 5;
const LONGEST_LINE = 14; // moves that are shown
const SETTLED = 3; // seconds, after which a verdict is worth saying

export class EnginePanel extends HTMLElement {
  /**
   * @param {AnalysisState} analysis
   * @param {(found: AnalysisUpdate | null, values: Record<string, number> | null) => void} onChange when there is something
   *   else to be shown beside the board and on it
   */
  constructor(analysis, onChange) {
    super();
    this.analysis = analysis;
    this.onChange = onChange;
    this.isPaused = false;
    this.lastError = "";
    /** Which lines are shown whole, by their place. @type {Set<number>} */
    this.whole = new Set();
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
    this.said = element("div", { role: "status", class: "visually-hidden" }); // the verdict once it has settled
    this.status = element("span", { class: "muted status" });
    this.goOn = element("button", { type: "button", class: "small", onclick: () => this.engine.goOn() }, "Go on");
    this.exact = element("p", { class: "exact", hidden: true });
    this.list = element("ol", { class: "lines", "aria-label": "Lines of the engine" });
    this.append(
      element(
        "div",
        { class: "head" },
        this.power,
        this.score,
        this.status,
        this.goOn,
        this.chooser(),
      ),
      this.verdict,
      this.said,
      this.exact,
      this.list,
    );
    analysis.on("begin", () => this.engine.isOn && this.engine.rest());
    analysis.on("go", () => this.follow());
    if (setting("analyse.engine", "off") === "on") {
      this.engine.state = "thinking"; // it begins as soon as there is a position
    }
    this.show();
  }

  chooser() {
    const select = element("select", {
      "aria-label": "How many lines",
      title: "How many lines",
      onchange: () => {
        saveSetting("analyse.lines", select.value);
        this.engine.showLines(Number(select.value));
      },
    });
    for (let lines = 1; lines <= MOST_LINES; lines += 1) {
      select.append(element("option", { value: lines, selected: lines === this.engine.lines }, count(lines, "line")));
    }
    return select;
  }

  get isOn() {
    return this.engine.isOn;
  }

  toggle() {
    const { engine } = this;
    saveSetting("analyse.engine", engine.isOn ? "off" : "on");
    if (engine.isOn) {
      engine.stop();
      announce("Engine off");
    } else {
      engine.state = "thinking";
      announce("Engine on");
      this.follow();
    }
    this.show();
  }

  /** Pause while a board is put together. @param {boolean} isPaused */
  pause(isPaused) {
    this.isPaused = isPaused;
    if (isPaused && this.isOn) {
      this.engine.rest();
    } else {
      this.follow();
    }
  }

  /** Think about what is on the board. */
  follow() {
    const { analysis, engine } = this;
    if (!analysis.at || !engine.isOn || this.isPaused) {
      return;
    }
    if (JSON.stringify(engine.subject) !== JSON.stringify(analysis.subject)) {
      engine.think(analysis.subject);
    }
  }

  show() {
    const { engine } = this;
    const { state, found, values, error } = engine;
    this.dataset.state = state;
    this.power.setAttribute("aria-checked", String(engine.isOn));
    const best = found?.lines[0];
    this.score.replaceChildren(found ? shortScore(found.score, found.chances) : "");
    this.score.title = found?.score.text ?? "";
    this.verdict.replaceChildren(found?.verdict ?? "");
    this.say(found);
    this.status.replaceChildren(this.describe());
    const canGoOn = state === "done" && Boolean(found?.lines.length) && !best?.score.exact;
    if (!canGoOn && this.goOn === document.activeElement) {
      this.power.focus(); // what is hidden has no focus
    }
    this.goOn.toggleAttribute("hidden", !canGoOn);
    this.exact.toggleAttribute("hidden", values === null);
    if (values) {
      const [first = "", second = ""] = this.analysis.facts.sides.map(capital);
      this.exact.textContent = `Exact: each house shows how the game ends with it, + for ${first}, − for ${second}.`;
    }
    this.drawLines(found?.lines ?? []);
    if (error && error !== this.lastError) {
      toast(error);
    }
    this.lastError = error;
    this.onChange(found, values);
  }

  /** Say the verdict, once for a position: when it is proven, or after a while. @param {AnalysisUpdate | null} found */
  say(found) {
    const isSettled = found && (this.engine.state === "done" || found.score.exact || found.seconds >= SETTLED);
    if (!found || (isSettled && !this.said.textContent)) {
      this.said.textContent = found?.verdict ?? "";
    }
  }

  describe() {
    const { state, found } = this.engine;
    const depth = found ? `depth ${found.depth} · ${shortNumber(found.nodes)} nodes` : "";
    if (state === "off") {
      return "The engine is off";
    }
    if (state === "lost") {
      return "connecting again…";
    }
    if (state === "waiting") {
      return [depth, "waiting for others…"].filter(Boolean).join(" · ");
    }
    return depth || (state === "thinking" ? "thinking…" : "");
  }

  /** @param {LineInfo[]} lines */
  drawLines(lines) {
    const buttons = [...this.list.querySelectorAll("button")];
    const focused = buttons.findIndex((button) => button === document.activeElement);
    this.list.replaceChildren(...lines.map((line, place) => this.line(line, place)));
    this.list.toggleAttribute("hidden", !lines.length);
    for (const moves of this.list.querySelectorAll("li:not(.whole) .line-moves")) {
      const isShort = moves.scrollHeight <= moves.clientHeight;
      moves.nextElementSibling?.toggleAttribute("hidden", isShort); // there is no more of it
    }
    if (focused !== -1) {
      this.list.querySelectorAll("button")[focused]?.focus({ preventScroll: true }); // what is new stands in its place
    }
  }

  /**
   * @param {LineInfo} line
   * @param {number} place
   */
  line(line, place) {
    const moves = line.line.slice(0, LONGEST_LINE).map((text, number) =>
      element(
        "button",
        {
          type: "button",
          class: "move",
          title: "Play the line to here",
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
    const isWhole = this.whole.has(place);
    const more = iconButton("more", `The whole of line ${place + 1}`, () => this.unfold(place));
    more.setAttribute("aria-expanded", String(isWhole));
    const kind = isWhole ? "whole" : "";
    return element("li", { class: kind }, score, element("span", { class: "line-moves" }, ...moves), more);
  }

  /** Show a line whole, or only as much of it as a row holds. @param {number} place */
  unfold(place) {
    if (!this.whole.delete(place)) {
      this.whole.add(place);
    }
    this.drawLines(this.engine.found?.lines ?? []);
  }

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

/** @param {number} number */
function shortNumber(number) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}

customElements.define("engine-panel", EnginePanel);
