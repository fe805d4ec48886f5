"""Accessibility checks with axe-core, which npm installs. Without it the tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

SCRIPT = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"


def find_violations(page: Page) -> list[str]:
    """Return the violations of all rules of axe-core on the page."""
    if not SCRIPT.is_file():
        pytest.skip("axe-core is not installed: run npm ci")
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    violations = page.evaluate("async () => (await axe.run(document)).violations")
    return [
        f"{violation['id']}: {node['html'][:200]}: {node['failureSummary']}"
        for violation in violations
        for node in violation["nodes"]
    ]


def horizontal_overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    overflow: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return overflow
