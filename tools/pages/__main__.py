"""Write what the rules say into the pages, between their markers: `python -m tools.pages`."""

from __future__ import annotations

from pathlib import Path

from tools.pages.draw_list import draw_list
from tools.pages.variant_pages import page_list
from tools.pages.variant_table import variant_table

ROOT = Path(__file__).parents[2]
WRITTEN = {
    ROOT / "README.md": ("variants", variant_table),
    ROOT / "docs" / "games.md": ("draws", draw_list),
    ROOT / "docs" / "variants.md": ("pages", page_list),
}


def renewed(page: Path) -> str:
    """The page with what the rules say between its markers."""
    name, write = WRITTEN[page]
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, _, rest = page.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"no {begin.strip()} … {end.strip()} in {page}")
    return f"{before}{begin}\n{write()}\n{end}{after}"


def main() -> None:
    """Bring all of them up to date."""
    for page in WRITTEN:
        page.write_text(renewed(page), encoding="utf-8")


if __name__ == "__main__":
    main()
