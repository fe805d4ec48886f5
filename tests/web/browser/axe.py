"""axe-core, which finds what keeps people from using a page. It comes with npm; without it those tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

SCRIPT = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"


def find_barriers(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is now, by all of its rules."""
    if not SCRIPT.is_file():
        pytest.skip("there is no axe-core here: npm ci")
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    violations = page.evaluate("async () => (await axe.run(document)).violations")
    return [
        f"{violation['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def width_beyond_the_window(page: Page) -> int:
    """By how many pixels the page would have to be moved sideways to be seen whole."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider
