// The list of all entries, which a few letters make shorter.

import { announce, count, element, find } from "../ui.js";

/**
 * The list, with the field for the letters.
 * @param {HTMLElement[]} shown
 */
export function contents(shown) {
  const items = shown.map((one) => {
    const panels = /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-entry]")]);
    return {
      one,
      title: element("li", {}, element("a", { href: `#${find("h2", HTMLElement, one).id}` }, find("h2", HTMLElement, one).textContent ?? "")),
      entries: panels.map((panel) => ({
        panel,
        text: [...panel.querySelectorAll("h3, p, dt, dd")].map((each) => each.textContent).join(" ").toLowerCase(),
        item: element("li", { class: "entry" }, element("a", { href: `#${panel.id}` }, panel.dataset.entry ?? "")),
      })),
    };
  });
  const search = element("input", { type: "search", id: "search", placeholder: "variant, clock, hint …", autocomplete: "off" });
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let found = 0;
    for (const { one, title, entries } of items) {
      let any = false;
      for (const { panel, text, item } of entries) {
        const fits = text.includes(wanted);
        panel.hidden = item.hidden = !fits;
        any ||= fits;
        found += Number(fits);
      }
      one.hidden = title.hidden = !any;
    }
    announce(count(found, "entry", "entries"));
  });
  return element(
    "nav",
    { class: "contents", "aria-label": "Contents" },
    element("div", { class: "field" }, element("label", { for: "search" }, "Search"), search),
    element("ul", {}, ...items.flatMap(({ title, entries }) => [title, ...entries.map(({ item }) => item)])),
  );
}
