"""How Sphinx builds the pages: `make docs`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from tablemen import __version__

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))  # for tools, which are no part of the package

project = "tablemen"
copyright = "The tablemen authors"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["site"]
html_theme = "furo"
html_title = f"tablemen {release}"

autodoc_member_order = "bysource"
myst_heading_anchors = 3


def mark_code(_app: Any, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings mark code with one backtick, as Markdown does; Sphinx reads them with two and a boundary."""
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``\\ ", line) for line in lines]


def write_variants(_app: Any) -> None:
    """The pages of the variants are written from the rules, anew for every build."""
    from tools.pages.variant_pages import write_pages  # noqa: PLC0415 - it is found once the path above is there

    write_pages(DOCS / "variants")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", write_variants)
    app.connect("autodoc-process-docstring", mark_code)
