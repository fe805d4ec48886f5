"""Screenshots of the pages for the documentation.

`python -m tools.pictures` takes all of them, `python -m tools.pictures start kalah` only those that are named. They are
compared by eye and not by a test. Clocks and animations do not run, and searches have ended, so that most pictures are
the same in each run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.web.browser.analysis import ANALYSE_GAME, GRAPH
from tests.web.browser.browser import MISSING, launch_options
from tests.web.browser.pages import GamePage, create_game
from tests.web.subprocess_server import Server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PORT = 8080  # the default port, which some pictures show
SEARCH_TIMEOUT = 90_000  # milliseconds
LARGE, WIDE, PHONE = (
    ViewportSize(width=1280, height=800),
    ViewportSize(width=1120, height=700),
    ViewportSize(width=360, height=740),
)

INTERNATIONAL = "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-29 23x34 40x29 20-25 45-40 5-10 32-28 10-14"
RUSSIAN = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"  # a capture with two paths
KALAH_END = "<6,20,17,1,0,2,0,3,1,0,1,0,2,0,1> south"
EXTEND = "Extend"


def show_start_page(page: Page, _server: Server) -> None:
    """Open the start page."""
    page.goto("/")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()


def show_game(page: Page, server: Server) -> None:
    """Open a game against the computer and select a man."""
    opening = INTERNATIONAL.split()
    choices = {"opponent": "computer", "level": 4, "side": "white", "clock": "10+5"}
    game = _open_game(page, server, variant="international", moves=opening, **choices)
    game.board.place("37").click()
    game.board.expect_label("37", "selected")


def show_capture(page: Page, server: Server) -> None:
    """Enter the first jump of a capture."""
    game = _open_game(page, server, variant="russian", position=RUSSIAN)
    for square in ("c3", "e5"):
        game.board.place(square).click()
    game.board.expect_label("e5", "selected")


def show_kalah(page: Page, server: Server) -> None:
    """Open a game of Kalah for two players on one device."""
    _open_game(page, server, variant="kalah", moves=["3", "6", "5", "1"], clock="5+3")


def show_analysis(page: Page, _server: Server) -> None:
    """Review a game, and search its last position."""
    _open_analysis(page, variant="international", moves=f"{INTERNATIONAL} 47-41 15-20")
    page.get_by_role("button", name=ANALYSE_GAME).click()
    expect(page.get_by_role("slider", name=GRAPH)).to_have_attribute("aria-valuemax", "18")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("button", name=EXTEND)).to_be_visible(timeout=SEARCH_TIMEOUT)
    page.mouse.move(0, 0)


def show_exact_values(page: Page, _server: Server) -> None:
    """Solve a position of Kalah."""
    _open_analysis(page, variant="kalah", position=KALAH_END)
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_text("Exact:")).to_be_visible()
    expect(page.get_by_role("button", name=EXTEND)).to_be_hidden()


def show_tablebase(page: Page, _server: Server) -> None:
    """Analyse a position that a tablebase has."""
    _open_analysis(page, variant="english", position="W:WK10,19:BK11")
    page.get_by_role("switch", name="Engine").click()
    expect(page.get_by_role("list", name="Moves by value").get_by_role("listitem")).to_have_count(3)
    page.mouse.move(0, 0)


def show_editor(page: Page, _server: Server) -> None:
    """Open the board editor."""
    _open_analysis(page, variant="english", position="W:WK3,21,22,K25:BK10,12,14,K32")
    page.get_by_role("button", name="Board editor").click()
    expect(page.get_by_role("heading", name="Board editor")).to_be_visible()


def show_reference(page: Page, _server: Server) -> None:
    """Open the API reference."""
    page.goto("/api")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")


def _open_game(page: Page, server: Server, **choices: Any) -> GamePage:
    page.goto(next(iter(create_game(server, **choices).values())))
    game = GamePage(page, server)
    expect(game.board.playable).not_to_have_count(0)
    return game


def _open_analysis(page: Page, **query: str) -> None:
    page.goto(f"/analyse?{urlencode(query)}")
    expect(page.get_by_role("grid")).to_be_visible()
    page.wait_for_load_state("networkidle")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture: the function that prepares the page, the size of the window and the colour scheme."""

    prepare: Callable[[Page, Server], None]
    size: ViewportSize
    colours: str = "light"


PICTURES: Mapping[str, Picture] = {
    "start": Picture(prepare=show_start_page, size=WIDE),
    "game": Picture(prepare=show_game, size=WIDE),
    "capture": Picture(prepare=show_capture, size=WIDE, colours="dark"),
    "kalah": Picture(prepare=show_kalah, size=WIDE),
    "phone": Picture(prepare=show_game, size=PHONE),
    "phone-kalah": Picture(prepare=show_kalah, size=PHONE, colours="dark"),
    "analysis": Picture(prepare=show_analysis, size=LARGE),
    "exact": Picture(prepare=show_exact_values, size=WIDE, colours="dark"),
    "tablebase": Picture(prepare=show_tablebase, size=WIDE),
    "editor": Picture(prepare=show_editor, size=WIDE),
    "reference": Picture(prepare=show_reference, size=WIDE),
}


def picture_path(name: str) -> Path:
    """Return the path of a picture."""
    return FOLDER / f"{name}.png"


@contextmanager
def _launch_browser() -> Iterator[Browser]:
    options = launch_options()
    if options is None:
        raise SystemExit(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


def take(browser: Browser, server: Server, name: str) -> None:
    """Take a picture and write it to its file."""
    picture = PICTURES[name]
    options: Any = {"viewport": picture.size, "color_scheme": picture.colours, "reduced_motion": "reduce"}
    with browser.new_context(base_url=server.url, **options) as context:
        page = context.new_page()
        picture.prepare(page, server)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=picture_path(name), animations="disabled", caret="hide")


def main() -> None:
    """Take the pictures that the arguments name, or all."""
    names = sys.argv[1:] or list(PICTURES)
    for name in names:
        if name not in PICTURES:
            raise SystemExit(f"unknown picture {name}: expected {', '.join(PICTURES)}")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, _launch_browser() as browser:
        server = Server(Path(folder) / "games.sqlite", PORT)
        try:
            for name in names:
                take(browser, server, name)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
