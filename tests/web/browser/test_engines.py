"""Programs of the operator's on the pages: chosen, played against, and gone on without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.axe import find_barriers, width_beyond_the_window
from tests.web.browser.pages import CALM, PHONE, GamePage
from tests.web.subprocess_server import Server

NAMES = ("Mini", "Robot", "Broken")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with programs, one of which cannot be started."""
    written = ("minimax:depth=1", "robot", 'hub:"no-such-program hub"')
    options = [word for name, text in zip(NAMES, written, strict=True) for word in ("--engine", f"{name}={text}")]
    server = Server(tmp_path / "games.sqlite", options=options)
    yield server
    server.stop()


def test_a_program_is_chosen_played_against_and_played_again(server: Server, visit: Callable[..., Page]) -> None:
    page = visit(server, "/?variant=international", viewport=PHONE, **CALM)
    programs = page.get_by_role("group", name="Program", exact=True)
    expect(programs).to_be_hidden()
    page.get_by_role("radio", name="Program").check()
    expect(programs.get_by_role("radio")).to_have_count(2)  # the robot plays mancala alone
    programs.get_by_role("radio", name="Mini").check()
    assert width_beyond_the_window(page) == 0
    page.get_by_role("radio", name="White").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    game = GamePage(page, server)
    expect(page.get_by_role("group", name="Black: Mini")).to_be_visible()
    game.play(game.find_move("32-28"))
    game.shows(2)
    expect(page.get_by_text("Your turn", exact=True)).to_be_visible()
    game.resign()
    before = game.id
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/game/" in url and before not in url)
    expect(page.get_by_role("group", name="White: Mini")).to_be_visible()
    again = GamePage(page, server)
    wait_until(lambda: again.played == 1, "it does not begin")
    page.goto("/")
    expect(page.get_by_role("radio", name="Mini")).to_be_checked()  # the last choice is remembered
    expect(page.get_by_text("against Mini").first).to_be_visible()
    page.goto("/?variant=oware")
    expect(page.get_by_role("group", name="Program", exact=True).get_by_role("radio")).to_have_count(2)
    assert find_barriers(page) == []


def test_a_program_that_fails_is_told_of_and_gone_on_without(server: Server, visit: Callable[..., Page]) -> None:
    created = server.ask(
        "/api/games", {"variant": "english", "opponent": "engine", "engine": "Broken", "side": "white"}
    )
    page = visit(server, f"/game/{created['id']}#{created['keys']['white']}", **CALM)
    told = page.get_by_role("alert").filter(has_text="Broken is not running.")
    expect(told).to_be_visible()
    expect(page.get_by_text("Broken does not move", exact=True)).to_be_visible()
    failures = server.errors.count("no-such-program hub cannot be started")
    told.get_by_role("button", name="Try again").click()
    wait_until(lambda: server.errors.count("no-such-program hub cannot be started") > failures, "it is not tried")
    expect(told).to_be_visible()
    told.get_by_role("button", name="Go on against the computer").click()
    page.wait_for_url(lambda url: "/game/" in url and created["id"] not in url)
    game = GamePage(page, server)
    wait_until(lambda: game.played == 1, "the computer does not move")
    expect(page.get_by_role("group", name="Black: Computer")).to_be_visible()
    page.goto(f"/game/{created['id']}")
    expect(told).to_be_visible()
    assert find_barriers(page) == []
