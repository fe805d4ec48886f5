// The engine on the server: told what to look at, it sends what it has found so far.

import { ReconnectingSocket } from "../api.js";

/** @typedef {import("../api-types").AnalysisUpdate} AnalysisUpdate */
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
        onMessage: (message) => this.hear(message),
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
  hear(message) {
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
