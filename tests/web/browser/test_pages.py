"""Every page: nothing that keeps anybody out, nothing too wide, and the switches that all of them have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.axe import find_barriers, width_beyond_the_window
from tests.web.browser.pages import PHONE, WIDE
from tests.web.subprocess_server import Server

PAGES = {"/": "Play", "/analyse": "Analyse", "/api": "API"}
GROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_page_keeps_nobody_out(server: Server, visit: Callable[..., Page], path: str, size: dict[str, int]) -> None:
    page = visit(server, path, viewport=size, color_scheme="light", reduced_motion="reduce")
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name=PAGES[path])).to_have_attribute(
        "aria-current", "page"
    )
    page.wait_for_load_state("networkidle")
    light = page.evaluate(GROUND)
    assert (find_barriers(page), width_beyond_the_window(page)) == ([], 0)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(GROUND) != light
    assert (find_barriers(page), width_beyond_the_window(page)) == ([], 0)


@pytest.mark.parametrize("path", PAGES)
def test_the_first_tab_leads_past_the_bar(server: Server, visit: Callable[..., Page], path: str) -> None:
    page = visit(server, path)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("href", "#main")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_colours_go_round_and_are_kept(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/", color_scheme="light")
    light = page.evaluate(GROUND)
    button = page.get_by_role("button", name="Colours")
    seen = []
    for name in ("light", "dark"):
        button.click()
        expect(button).to_have_accessible_name(f"Colours: {name}")
        seen.append(page.evaluate(GROUND))
    assert seen[0] == light != seen[1]
    page.goto("/analyse")
    expect(button).to_have_accessible_name("Colours: dark")
    assert page.evaluate(GROUND) == seen[1]
    button.click()
    expect(button).to_have_accessible_name("Colours: as the system has them")
    assert page.evaluate(GROUND) == light


def test_sounds_are_off_until_somebody_wants_them(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/")
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_the_reference_has_everything_that_can_be_asked_for(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/api")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for path, methods in server.ask("/api/openapi.json")["paths"].items():
        for method in methods:
            expect(page.get_by_role("heading", name=f"{method.upper()} {path}", exact=True)).to_be_visible()


def test_the_reference_is_searched(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/api")
    expect(page.get_by_role("heading", name="POST /api/files/read")).to_be_visible()
    page.get_by_label("Search").fill("board.svg")
    expect(page.get_by_role("heading", name="GET /api/board.svg")).to_be_visible()
    expect(page.get_by_role("heading", name="POST /api/files/read")).to_be_hidden()
