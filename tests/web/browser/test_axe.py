"""That axe-core is heard."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.web.browser.axe import find_barriers, width_beyond_the_window


def test_barriers_are_found(page: Page) -> None:
    page.set_content("<!doctype html><html lang='en'><title>A page</title><main><h1>A page</h1><img src='data:,'>")
    assert [barrier.partition(":")[0] for barrier in find_barriers(page)] == ["image-alt"]
    page.set_content("<!doctype html><html lang='en'><title>A page</title><main><h1>A page</h1>")
    assert find_barriers(page) == []


def test_a_page_that_is_too_wide_is_found(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_content("<!doctype html><body style='margin: 0'><div style='width: 400px'>.</div>")
    assert width_beyond_the_window(page) == 40
