// The choice of the variant and the size of its board.

import { fetchJson } from "../api.js";
import { showError } from "../errors.js";
import { element } from "../dom.js";
import { capital } from "../text.js";

/** @typedef {import("../api-types").PositionSpec} PositionSpec */
/** @typedef {import("../api-types").VariantSummary} VariantSummary */
/** @typedef {import("./state.js").AnalysisState} AnalysisState */

export class VariantChooser extends HTMLElement {
  /**
   * @param {AnalysisState} analysis
   * @param {(subject: PositionSpec) => Promise<boolean>} onChoose returns whether it was opened
   */
  constructor(analysis, onChoose) {
    super();
    this.analysis = analysis;
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
    analysis.on("begin", () => this.show());
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
    if (this.analysis.known) {
      this.show();
    }
  }

  show() {
    const { facts } = this.analysis;
    this.select.value = facts.name;
    this.size.hidden = Object.keys(facts.size).length === 0;
    this.houses.value = String(facts.size.houses ?? "");
    this.seeds.value = String(facts.size.seeds ?? "");
  }

  /** @param {boolean} withSize */
  async choose(withSize) {
    if (withSize && !(this.houses.reportValidity() && this.seeds.reportValidity())) {
      return; // the browser explains it at the field
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
