"""Pictures of the pages: `python -m tools.pictures` writes them down anew, or only those that are named behind it.

The documentation shows them. They are taken in a browser, so they are compared by eye and not by a test. What could
differ from run to run is fixed as far as it goes: clocks stand still, nothing moves, and no search is in the middle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.web.browser.browser import launch_options
from tests.web.browser.pages import GamePage, begin
from tests.web.subprocess_server import Server

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
PORT = 8080  # the usual one, which is seen in some pictures
LARGE, WIDE, PHONE = (
    ViewportSize(width=1280, height=800),
    ViewportSize(width=1120, height=700),
    ViewportSize(width=360, height=740),
)

INTERNATIONAL = "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 34-29 23x34 40x29 20-25 45-40 5-10 32-28 10-14"
RUSSIAN = "W:Wa1,c1,e1,g1,c3,g3,a3:Bb6,d4,f6,h6,b8,d8,f8,d6"  # a capture that goes two ways
KALAH_END = "<6,20,17,1,0,2,0,3,1,0,1,0,2,0,1> south"


class Stage(NamedTuple):
    """Where a picture is taken."""

    page: Page
    server: Server


def choose_a_game(stage: Stage) -> None:
    """The start page."""
    stage.page.goto("/")
    expect(stage.page.get_by_role("button", name="Play")).to_be_enabled()


def play_the_computer(stage: Stage) -> None:
    """A game in its opening, with a man picked."""
    opening = INTERNATIONAL.split()
    game = _open(stage, variant="international", moves=opening, clock="10+5", level=4, side="white")
    game.board.place("37").click()
    game.board.says("37", "picked")


def capture_step_by_step(stage: Stage) -> None:
    """A capture of several jumps that has begun."""
    game = _open(stage, variant="russian", position=RUSSIAN, opponent="screen")
    for square in ("c3", "e5"):
        game.board.place(square).click()
    game.board.says("e5", "picked")


def play_kalah(stage: Stage) -> None:
    """Kalah with a friend on one screen."""
    _open(stage, variant="kalah", moves=["3", "6", "5", "1"], opponent="screen", clock="5+3")


def analyse(stage: Stage) -> None:
    """A game that was judged, with its graph, and the lines of the engine."""
    _analyse(stage, variant="international", moves=f"{INTERNATIONAL} 47-41 15-20")
    stage.page.get_by_role("button", name="Analyse the game").click()
    expect(stage.page.get_by_role("slider", name="Evaluation of the game")).to_have_attribute("aria-valuemax", "18")
    stage.page.get_by_role("switch", name="Engine").click()
    expect(stage.page.get_by_role("button", name="Go on")).to_be_visible(timeout=90_000)
    stage.page.mouse.move(0, 0)


def exact_values(stage: Stage) -> None:
    """What every house is worth."""
    _analyse(stage, variant="kalah", position=KALAH_END)
    stage.page.get_by_role("switch", name="Engine").click()
    expect(stage.page.get_by_text("Exact:")).to_be_visible()
    expect(stage.page.get_by_role("button", name="Go on")).to_be_hidden()


def edit(stage: Stage) -> None:
    """The board editor."""
    _analyse(stage, variant="english", position="W:WK3,21,22,K25:BK10,12,14,K32")
    stage.page.get_by_role("button", name="Board editor").click()
    expect(stage.page.get_by_role("heading", name="Board editor")).to_be_visible()


def read_the_reference(stage: Stage) -> None:
    """What can be asked for over HTTP."""
    stage.page.goto("/api")
    expect(stage.page.get_by_role("heading", level=1)).to_be_visible()
    stage.page.wait_for_load_state("networkidle")


def _open(stage: Stage, **wanted: Any) -> GamePage:
    page, server = stage
    page.goto(begin(server, opponent=wanted.pop("opponent", "computer"), **wanted)[wanted.get("side", _first(wanted))])
    game = GamePage(page, server)
    expect(game.board.playable).not_to_have_count(0)
    return game


def _first(wanted: Mapping[str, Any]) -> str:
    return "south" if wanted["variant"] == "kalah" else "white"


def _analyse(stage: Stage, **wanted: str) -> None:
    page = stage.page
    page.goto(f"/analyse?{urlencode(wanted)}")
    expect(page.get_by_role("grid")).to_be_visible()
    page.wait_for_load_state("networkidle")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What is done before the picture is taken, and how the window looks."""

    scene: Callable[[Stage], None]
    size: ViewportSize
    colours: str = "light"


PICTURES: Mapping[str, Picture] = {
    "start": Picture(scene=choose_a_game, size=WIDE),
    "game": Picture(scene=play_the_computer, size=WIDE),
    "capture": Picture(scene=capture_step_by_step, size=WIDE, colours="dark"),
    "kalah": Picture(scene=play_kalah, size=WIDE),
    "phone": Picture(scene=play_the_computer, size=PHONE),
    "phone-kalah": Picture(scene=play_kalah, size=PHONE, colours="dark"),
    "analysis": Picture(scene=analyse, size=LARGE),
    "exact": Picture(scene=exact_values, size=WIDE, colours="dark"),
    "editor": Picture(scene=edit, size=WIDE),
    "reference": Picture(scene=read_the_reference, size=WIDE),
}


def file_of(name: str) -> Path:
    """Where a picture is."""
    return FOLDER / f"{name}.png"


@contextmanager
def _browser() -> Iterator[Browser]:
    options = launch_options()
    if options is None:
        raise SystemExit("there is no Chromium here: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


def take(browser: Browser, server: Server, name: str) -> None:
    """Takes a picture and writes it down."""
    picture = PICTURES[name]
    look: Any = {"viewport": picture.size, "color_scheme": picture.colours, "reduced_motion": "reduce"}
    with browser.new_context(base_url=server.url, **look) as context:
        page = context.new_page()
        picture.scene(Stage(page, server))
        page.wait_for_load_state("networkidle")
        page.screenshot(path=file_of(name), animations="disabled", caret="hide")


def main() -> None:
    """Take those that are named, or all."""
    names = sys.argv[1:] or list(PICTURES)
    for name in names:
        if name not in PICTURES:
            raise SystemExit(f"there is no picture called {name}, but {', '.join(PICTURES)}")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, _browser() as browser:
        server = Server(Path(folder) / "games.sqlite", PORT)
        try:
            for name in names:
                take(browser, server, name)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
