// The bar beside the board: how the chances are shared, the side below from below.

import { capital, element } from "../ui.js";

/** A meter of the first side's chances. */
export class EvaluationBar extends HTMLElement {
  constructor() {
    super();
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", "Evaluation");
    this.setAttribute("aria-valuemin", "0");
    this.setAttribute("aria-valuemax", "100");
    this.reading = element("span", { class: "reading" });
    this.append(element("span", { class: "share" }), this.reading);
    this.clear();
  }

  /**
   * Show the chances of the first side, from 0 to 1.
   * @param {object} reading
   * @param {number} reading.chances
   * @param {string} reading.text the score
   * @param {string} reading.short the same where there is little room
   * @param {string} reading.side the first side
   * @param {boolean} reading.isTurned whether that side is at the top
   */
  show({ chances, text, short, side, isTurned }) {
    const percent = Math.round(100 * chances);
    this.classList.toggle("turned", isTurned);
    this.classList.toggle("ahead", chances >= 0.5);
    this.classList.remove("empty");
    this.style.setProperty("--share", `${Math.min(98, Math.max(2, 100 * chances))}%`);
    this.reading.textContent = short;
    this.setAttribute("aria-valuenow", String(percent));
    this.setAttribute("aria-valuetext", `${text}: ${capital(side)} can expect ${percent} per cent of the points`);
  }

  /** Nothing is known. */
  clear() {
    this.classList.add("empty");
    this.style.setProperty("--share", "50%");
    this.reading.textContent = "";
    this.setAttribute("aria-valuenow", "50");
    this.setAttribute("aria-valuetext", "not known");
  }
}

customElements.define("evaluation-bar", EvaluationBar);
