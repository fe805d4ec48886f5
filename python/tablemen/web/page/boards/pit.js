// A house or a store of a mancala board.

import { capital, element } from "../ui.js";
import { Seeds } from "./seeds.js";

const KINDS = ["best", "other", "hint"];
const STORE_SIZE = 2.2; // in houses

export class Pit {
  /**
   * @param {string} side
   * @param {number} house 0 is the store
   */
  constructor(side, house) {
    this.side = side;
    this.house = house;
    this.place = `${side} ${house || "store"}`;
    this.seeds = new Seeds(this.place, house ? 1 : STORE_SIZE);
    this.value = element("span", { class: "value", "data-text": "" });
    this.hollow = element("span", { class: "hollow", "aria-hidden": "true" }, this.seeds.drawing, this.value);
    this.number = element("span", { class: "count digits", "aria-hidden": "true", "data-text": "0" });
    this.cell = element(
      "div",
      { role: "gridcell", class: house ? "pit house" : "pit store", "data-place": this.place, tabindex: "-1" },
      this.hollow,
      this.number,
      element("span", { class: "name", "aria-hidden": "true", "data-text": house || capital(side) }),
    );
  }

  /**
   * Where it lies: a column from 1 on and a row (0 is both) of a board that lies, or turned around where it stands.
   * @param {number} column
   * @param {number} row
   * @param {boolean} isUpright
   * @param {boolean} isOwn whether it belongs to the side at the bottom
   */
  put(column, row, isUpright, isOwn) {
    const across = row === 0 ? "1 / span 2" : String(isUpright ? 3 - row : row);
    this.cell.style.setProperty("grid-row", isUpright ? String(column) : across);
    this.cell.style.setProperty("grid-column", isUpright ? across : String(column));
    this.cell.classList.toggle("own", isOwn);
    if (!this.house) {
      this.seeds.turn(!isUpright);
    }
  }

  /**
   * Show so many seeds.
   * @param {number} count
   */
  show(count) {
    this.seeds.show(count);
    this.number.dataset.text = String(count);
  }

  /** @param {{canPlay: boolean, isLast: boolean, arrow: string | null, isEditable: boolean, value: string}} marks */
  mark({ canPlay, isLast, arrow, isEditable, value }) {
    const { classList } = this.cell;
    classList.toggle("can-play", canPlay);
    classList.toggle("last", isLast);
    classList.toggle("editable", isEditable);
    KINDS.forEach((kind) => classList.toggle(`arrow-${kind}`, kind === arrow));
    this.value.dataset.text = value;
  }
}
