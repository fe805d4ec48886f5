"""Tests of all pages: accessibility, width, theme and sounds; and of the API reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from examples.heap import Heaps
from tablemen.family import register_family, unregister_family
from tests.web.browser.axe import find_violations, horizontal_overflow
from tests.web.browser.pages import PHONE, REDUCED_MOTION, WIDE
from tests.web.in_process_server import running
from tests.web.subprocess_server import Server

PAGES = {"/": "Play", "/analyse": "Analyse", "/api": "API"}
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_page_has_no_accessibility_violations(
    server: Server, open_page: Callable[..., Page], path: str, size: dict[str, int]
) -> None:
    page = open_page(server, path, viewport=size, color_scheme="light", reduced_motion="reduce")
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name=PAGES[path])).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_load_state("networkidle")
    light = page.evaluate(BACKGROUND)
    assert (find_violations(page), horizontal_overflow(page)) == ([], 0)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(BACKGROUND) != light
    assert (find_violations(page), horizontal_overflow(page)) == ([], 0)


def test_board_of_an_unknown_family_is_shown_as_text(open_page: Callable[..., Page], tmp_path: Path) -> None:
    register_family(Heaps())
    try:
        with running(tmp_path) as server:
            address = SimpleNamespace(url=f"http://127.0.0.1:{server.port}")
            page = open_page(address, "/?variant=heap", **REDUCED_MOTION)
            page.get_by_role("radio", name="Same device").check()
            page.get_by_role("button", name="Play").click()
            moves = page.get_by_role("group", name="Legal moves").get_by_role("button")
            expect(page.get_by_text("no board for The heap")).to_be_visible()
            for position, count in (("10 second", 3), ("7 first", 3), ("4 second", 3), ("1 first", 1), ("0 second", 0)):
                moves.last.click()
                expect(page.get_by_text(position, exact=True)).to_be_visible()
                expect(moves).to_have_count(count)
            expect(page).to_have_title(re.compile("^First won"))
            assert find_violations(page) == []
            page.goto("/analyse?variant=heap")
            moves.first.click()
            expect(page.get_by_text("12 second", exact=True)).to_be_visible()
            page.keyboard.press("e")
            expect(page.locator(".toast")).to_have_text("This page has no editor for The heap.")
    finally:
        unregister_family("heaps")


@pytest.mark.parametrize("path", PAGES)
def test_first_link_skips_the_navigation(server: Server, open_page: Callable[..., Page], path: str) -> None:
    page = open_page(server, path)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("href", "#main")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_theme_cycles_and_is_stored(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/", color_scheme="light")
    light = page.evaluate(BACKGROUND)
    button = page.get_by_role("button", name="Theme")
    colours = []
    for name in ("light", "dark"):
        button.click()
        expect(button).to_have_accessible_name(f"Theme: {name}")
        colours.append(page.evaluate(BACKGROUND))
    assert colours[0] == light != colours[1]
    page.goto("/analyse")
    expect(button).to_have_accessible_name("Theme: dark")
    assert page.evaluate(BACKGROUND) == colours[1]
    button.click()
    expect(button).to_have_accessible_name("Theme: system")
    assert page.evaluate(BACKGROUND) == light


def test_sounds_are_off_by_default_and_stored(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/")
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_reference_lists_all_endpoints(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/api")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for path, methods in server.ask("/api/openapi.json")["paths"].items():
        for method in methods:
            expect(page.get_by_role("heading", name=f"{method.upper()} {path}", exact=True)).to_be_visible()


def test_reference_can_be_searched(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/api")
    expect(page.get_by_role("heading", name="POST /api/files/read")).to_be_visible()
    page.get_by_label("Search").fill("board.svg")
    expect(page.get_by_role("heading", name="GET /api/board.svg")).to_be_visible()
    expect(page.get_by_role("heading", name="POST /api/files/read")).to_be_hidden()
