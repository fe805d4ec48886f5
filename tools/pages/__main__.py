"""`python -m tools.pages`: update the generated parts of the documentation, between their markers."""

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


def regenerate(page: Path) -> str:
    """Return the page with its generated parts replaced."""
    text = page.read_text(encoding="utf-8")
    for name, generate in WRITTEN[page].items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"{page}: markers {begin.strip()} and {end.strip()} are missing")
        text = f"{before}{begin}\n{generate()}\n{end}{after}"
    return text


def main() -> None:
    """Update all pages."""
    for page in WRITTEN:
        page.write_text(regenerate(page), encoding="utf-8")


if __name__ == "__main__":
    main()
