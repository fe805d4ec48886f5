"""Tests of the accessibility checks."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.web.browser.axe import find_violations, horizontal_overflow


def test_violations_are_found(page: Page) -> None:
    page.set_content("<!doctype html><html lang='en'><title>A page</title><main><h1>A page</h1><img src='data:,'>")
    assert [violation.partition(":")[0] for violation in find_violations(page)] == ["image-alt"]
    page.set_content("<!doctype html><html lang='en'><title>A page</title><main><h1>A page</h1>")
    assert find_violations(page) == []


def test_horizontal_overflow_is_found(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_content("<!doctype html><body style='margin: 0'><div style='width: 400px'>.</div>")
    assert horizontal_overflow(page) == 40
