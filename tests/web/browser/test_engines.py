"""Tests of engines as opponents: choosing one, playing, and continuing after a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.browser.axe import find_violations, horizontal_overflow
from tests.web.browser.pages import PHONE, REDUCED_MOTION, GamePage
from tests.web.subprocess_server import Server

NAMES = ("Mini", "Robot", "Broken")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server with engines, one of which cannot be started."""
    players = ("minimax:depth=1", "robot", 'hub:"no-such-program hub"')
    options = [word for name, text in zip(NAMES, players, strict=True) for word in ("--engine", f"{name}={text}")]
    server = Server(tmp_path / "games.sqlite", options=options)
    yield server
    server.stop()


def test_engine_is_chosen_and_played_twice(server: Server, open_page: Callable[..., Page]) -> None:
    page = open_page(server, "/?variant=international", viewport=PHONE, **REDUCED_MOTION)
    engines = page.get_by_role("group", name="Engine", exact=True)
    expect(engines).to_be_hidden()
    page.get_by_role("radio", name="Engine").check()
    expect(engines.get_by_role("radio")).to_have_count(2)  # the robot plays only mancala
    engines.get_by_role("radio", name="Mini").check()
    assert horizontal_overflow(page) == 0
    page.get_by_role("radio", name="White").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    game = GamePage(page, server)
    expect(page.get_by_role("group", name="Black: Mini")).to_be_visible()
    game.play(game.find_move("32-28"))
    game.expect_moves(2)
    expect(page.get_by_text("Your turn", exact=True)).to_be_visible()
    game.resign()
    before = game.id
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/game/" in url and before not in url)
    expect(page.get_by_role("group", name="White: Mini")).to_be_visible()
    rematch = GamePage(page, server)
    wait_until(lambda: rematch.ply_count == 1, "the engine does not move")
    page.goto("/")
    expect(page.get_by_role("radio", name="Mini")).to_be_checked()  # the last choice is stored
    expect(page.get_by_text("against Mini").first).to_be_visible()
    page.goto("/?variant=oware")
    expect(engines.get_by_role("radio")).to_have_count(2)
    assert find_violations(page) == []


def test_failed_engine_can_be_retried_and_replaced(server: Server, open_page: Callable[..., Page]) -> None:
    created = server.ask(
        "/api/games", {"variant": "english", "opponent": "engine", "engine": "Broken", "side": "white"}
    )
    page = open_page(server, f"/game/{created['id']}#{created['keys']['white']}", **REDUCED_MOTION)
    problem = page.get_by_role("alert").filter(has_text="Broken")
    expect(problem).to_be_visible()
    expect(page.get_by_text("Broken cannot move", exact=True)).to_be_visible()
    failures = server.errors.count("no-such-program hub")
    problem.get_by_role("button", name="Try again").click()
    wait_until(lambda: server.errors.count("no-such-program hub") > failures, "the engine is not started again")
    expect(problem).to_be_visible()
    problem.get_by_role("button", name="Continue against the computer").click()
    page.wait_for_url(lambda url: "/game/" in url and created["id"] not in url)
    game = GamePage(page, server)
    wait_until(lambda: game.ply_count == 1, "the computer does not move")
    expect(page.get_by_role("group", name="Black: Computer")).to_be_visible()
    page.goto(f"/game/{created['id']}")
    expect(problem).to_be_visible()
    assert find_violations(page) == []
