// Which game is analysed, and on a board of which size.

import { fetchJson, showError } from "../api.js";
import { capital, element } from "../ui.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */
/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantSummary} VariantSummary */

export class VariantChooser extends HTMLElement {
  /**
   * @param {AnalysisState} desk
   * @param {(subject: PositionSpec) => Promise<boolean>} onChoose whether it was done
   */
  constructor(desk, onChoose) {
    super();
    this.desk = desk;
    this.onChoose = onChoose;
    this.select = element("select", { "aria-label": "Variant", onchange: () => void this.choose(false) });
    const onchange = () => void this.choose(true);
    this.houses = element("input", { type: "number", id: "houses", min: 1, max: 24, required: true, onchange });
    this.seeds = element("input", { type: "number", id: "seeds", min: 1, max: 1000, required: true, onchange });
    this.size = element(
      "div",
      { class: "size", hidden: true },
      element("label", { for: "houses" }, "Houses"),
      this.houses,
      element("label", { for: "seeds" }, "Seeds"),
      this.seeds,
    );
    this.append(this.select, this.size);
    desk.on("begin", () => this.show());
  }

  async load() {
    /** @type {VariantSummary[]} */
    const variants = await fetchJson("GET", "/api/variants");
    const families = [...new Set(variants.map(({ family }) => family))];
    const groups = families.map((family) =>
      element(
        "optgroup",
        { label: capital(family) },
        ...variants
          .filter((each) => each.family === family)
          .map(({ name, title, about }) => element("option", { value: name, title: about }, title)),
      ),
    );
    this.select.replaceChildren(...groups);
    if (this.desk.known) {
      this.show();
    }
  }

  show() {
    const { facts } = this.desk;
    this.select.value = facts.name;
    this.size.hidden = Object.keys(facts.size).length === 0;
    this.houses.value = String(facts.size.houses ?? "");
    this.seeds.value = String(facts.size.seeds ?? "");
  }

  /** @param {boolean} withSize */
  async choose(withSize) {
    if (withSize && !(this.houses.reportValidity() && this.seeds.reportValidity())) {
      return; // the browser says at the field what is wrong
    }
    const size = withSize ? { houses: Number(this.houses.value), seeds: Number(this.seeds.value) } : {};
    try {
      await this.onChoose({ variant: this.select.value, ...size });
    } catch (error) {
      showError(error);
    }
    this.show();
  }
}

customElements.define("variant-chooser", VariantChooser);
