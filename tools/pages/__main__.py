"""Write what the rules say into the pages, between their markers: `python -m tools.pages`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.pages.draw_list import draw_list
from tools.pages.variant_pages import page_list
from tools.pages.variant_table import variant_table

ROOT = Path(__file__).parents[2]
WRITTEN: dict[Path, dict[str, Callable[[], str]]] = {
    ROOT / "docs" / "games.md": {"draws": draw_list},
    ROOT / "docs" / "variants.md": {"pages": page_list, "variants": variant_table},
}


def renewed(page: Path) -> str:
    """Return the page with current text between its markers."""
    text = page.read_text(encoding="utf-8")
    for name, write in WRITTEN[page].items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"no {begin.strip()} … {end.strip()} in {page}")
        text = f"{before}{begin}\n{write()}\n{end}{after}"
    return text


def main() -> None:
    """Bring all of them up to date."""
    for page in WRITTEN:
        page.write_text(renewed(page), encoding="utf-8")


if __name__ == "__main__":
    main()
