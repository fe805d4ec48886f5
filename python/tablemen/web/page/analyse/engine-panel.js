// The engine's switch, its lines, and what it says of the position.

import { showError } from "../api.js";
import { announce, capital, count, element, saveSetting, setting, toast } from "../ui.js";
import { Engine } from "./engine.js";
import { iconButton } from "./icons.js";
import { shortScore } from "./text.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
/** @typedef {import("../api-types").LineInfo} LineInfo */

const MOST_LINES = 5;
const LONGEST_LINE = 14; // moves that are shown
const SETTLED = 3; // seconds, after which a verdict is worth saying

export class EnginePanel extends HTMLElement {
  /**
   * @param {AnalysisState} desk
   * @param {(found: AnalysisUpdate | null, values: Record<string, number> | null) => void} onChange when there is something
   *   else to be shown beside the board and on it
   */
  constructor(desk, onChange) {
    super();
    this.desk = desk;
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
    desk.on("begin", () => this.engine.isOn && this.engine.rest());
    desk.on("go", () => this.follow());
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
    const { desk, engine } = this;
    if (!desk.at || !engine.isOn || this.isPaused) {
      return;
    }
    if (JSON.stringify(engine.subject) !== JSON.stringify(desk.subject)) {
      engine.think(desk.subject);
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
      const [first = "", second = ""] = this.desk.facts.sides.map(capital);
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
      await this.desk.play(moves);
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
