"""How Sphinx builds the pages: `make docs`."""

from tablemen import __version__

project = "tablemen"
copyright = "The tablemen authors"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["site"]
html_theme = "furo"
html_title = f"tablemen {release}"

autodoc_member_order = "bysource"
autodoc_typehints = "description"
myst_heading_anchors = 2
