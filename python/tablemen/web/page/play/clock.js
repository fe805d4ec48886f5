// Clocks that go on by themselves between two messages of the server.

import { playSound } from "../ui.js";
import { formatTime, TENTHS_BELOW } from "./text.js";

/** @typedef {import("../api-types").ClockState} ClockState */

const TICK = 100;
const LOW = 20; // seconds

/** Two faces that count down from what the server said last. */
export class Clocks {
  constructor() {
    /** @type {ClockState | null} */
    this.facts = null;
    this.since = 0;
    /** @type {Map<string, HTMLElement>} */
    this.faces = new Map();
    /** @type {string[]} the sides for which a sound warns once */
    this.own = [];
    /** @type {Set<string>} */
    this.warned = new Set();
    setInterval(() => this.tick(), TICK);
  }

  /**
   * Where the time of each side is shown.
   * @param {Map<string, HTMLElement>} faces
   */
  place(faces) {
    this.faces = faces;
    this.tick();
  }

  /**
   * @param {ClockState | null} facts as they are now
   * @param {string[]} own
   */
  set(facts, own) {
    this.facts = facts;
    this.own = own;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    for (const [side, face] of this.faces) {
      face.hidden = !this.facts;
      if (this.facts) {
        this.show(side, face, this.facts);
      }
    }
  }

  /**
   * @param {string} side
   * @param {HTMLElement} face
   * @param {ClockState} facts
   */
  show(side, face, { left, running }) {
    const isRunning = running === side;
    const gone = isRunning ? (performance.now() - this.since) / 1000 : 0;
    const seconds = Math.max(0, (left[side] ?? 0) - gone);
    const text = formatTime(seconds);
    if (face.textContent !== text) {
      face.textContent = text;
    }
    face.classList.toggle("is-running", isRunning);
    face.classList.toggle("is-low", seconds < LOW);
    if (seconds >= TENTHS_BELOW) {
      this.warned.delete(side);
    } else if (isRunning && this.own.includes(side) && !this.warned.has(side)) {
      this.warned.add(side);
      playSound("low-time");
    }
  }
}
