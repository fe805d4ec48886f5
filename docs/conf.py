"""Configuration of Sphinx for `make docs`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from tablemen import __version__

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))  # for tools, which are not part of the package

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
    """Convert code in docstrings, in single backticks as in Markdown, to reStructuredText."""
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``\\ ", line) for line in lines]


def write_variants(_app: Any) -> None:
    """Generate the pages of the variants from the rules."""
    from tools.pages.variant_pages import write_pages  # noqa: PLC0415 - importable only with the path above

    write_pages(DOCS / "variants")


def setup(app: Any) -> None:
    """Connect the functions above to events of Sphinx."""
    app.connect("builder-inited", write_variants)
    app.connect("autodoc-process-docstring", mark_code)
