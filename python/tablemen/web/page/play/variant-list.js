// The games that can be chosen: cards with a picture, in groups, and a field to find one.

import { toQuery } from "../api.js";
import { capital, element, find } from "../ui.js";

/** @typedef {import("../api-types").VariantSummary} VariantSummary */

const POPULAR = ["international", "english", "russian", "brazilian", "frisian", "canadian", "kalah", "oware"];

/** The cards of all variants; one is always chosen. */
export class VariantList {
  /**
   * @param {VariantSummary[]} variants
   * @param {string} chosen its name
   * @param {(name: string) => void} onChoose
   */
  constructor(variants, chosen, onChoose) {
    this.variants = variants;
    this.place = find("#variants", HTMLElement);
    const popular = POPULAR.flatMap((name) => variants.filter((variant) => variant.name === name));
    const others = variants.filter((variant) => !popular.includes(variant));
    this.more = element(
      "details",
      { class: "more-games", open: others.some(({ name }) => name === chosen) },
      element("summary", {}, `${others.length} more games`),
      ...[...new Set(others.map(({ family }) => family))].map((name) =>
        group(capital(name), others.filter(({ family }) => family === name), chosen),
      ),
    );
    const cards = popular.map((each) => card(each, chosen));
    this.place.replaceChildren(element("div", { class: "cards" }, ...cards), this.more);
    this.place.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) {
        onChoose(target.value);
      }
    });
    const search = find("#search", HTMLInputElement);
    search.addEventListener("input", () => this.filter(search.value));
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault(); // it would begin a game
        this.chooseFirst();
      }
    });
    this.filter(search.value); // which may have been typed before the games were there
  }

  /**
   * Show only the variants whose words begin so.
   * @param {string} text
   */
  filter(text) {
    const words = plain(text).split(/\s+/).filter((word) => word);
    let found = 0;
    for (const each of this.place.querySelectorAll("label")) {
      const fits = words.every((word) => (each.dataset.words ?? "").includes(` ${word}`));
      each.hidden = !fits;
      found += Number(fits);
    }
    for (const each of this.place.querySelectorAll("section")) {
      each.hidden = !each.querySelector("label:not([hidden])");
    }
    if (words.length && !this.more.open) {
      this.more.open = true;
      this.more.dataset.searched = "";
    } else if (!words.length && "searched" in this.more.dataset) {
      delete this.more.dataset.searched;
      this.more.open = Boolean(this.more.querySelector("input:checked"));
    }
    this.more.hidden = words.length > 0 && !this.more.querySelector("label:not([hidden])");
    find("#none-found", HTMLElement).hidden = found > 0;
  }

  chooseFirst() {
    const first = this.place.querySelector("label:not([hidden]) input");
    if (first instanceof HTMLInputElement && !first.checked) {
      first.click();
    }
  }
}

/**
 * @param {string} title
 * @param {VariantSummary[]} variants
 * @param {string} chosen
 */
function group(title, variants, chosen) {
  const cards = variants.map((variant) => card(variant, chosen));
  return element("section", {}, element("h3", {}, title), element("div", { class: "cards" }, ...cards));
}

/**
 * @param {VariantSummary} variant
 * @param {string} chosen
 */
function card(variant, chosen) {
  const { name, title, about, family } = variant;
  const src = `/api/board.svg?${toQuery({ variant: name }, { size: 200 })}`;
  return element(
    "label",
    { class: "card", "data-words": ` ${plain(`${title} ${name} ${family} ${about}`)}` },
    element("input", { type: "radio", name: "variant", value: name, checked: name === chosen }),
    element("span", { class: "card-picture" }, element("img", { src, alt: "", loading: "lazy" })),
    element("span", { class: "card-title" }, title),
    element("span", { class: "card-about muted" }, about),
  );
}

/**
 * A text as it is compared: without capitals, accents and signs.
 * @param {string} text
 */
function plain(text) {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
}
