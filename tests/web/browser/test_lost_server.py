"""A server that goes away in the middle of a game, and comes back."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.console_log import Watch
from tests.web.browser.pages import GamePage, begin, click
from tests.web.subprocess_server import Server

# What a browser says by itself when a server is away.
AWAY = r"WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE"


def test_a_killed_server_comes_back_and_the_game_goes_on(
    server_to_kill: Server, visit: Callable[..., Page], watch: Watch
) -> None:
    watch.forgive(AWAY)
    addresses = begin(server_to_kill, variant="international", opponent="link", side="white", clock="5+3")
    options = {"reduced_motion": "reduce"}
    white = GamePage(visit(server_to_kill, addresses["white"], **options), server_to_kill)
    black = GamePage(visit(server_to_kill, addresses["black"], **options), server_to_kill)
    white.play(white.find_move("32-28"))
    black.play(black.find_move("19-23"))
    for _ in range(2):
        server_to_kill.kill()
        for page in (white, black):
            expect(page.side.get_by_text("The connection is lost")).to_be_visible()
            expect(page.button("Resign")).to_be_disabled()
        server_to_kill.start()
        for page in (white, black):
            expect(page.side.get_by_text("The connection is lost")).to_be_hidden()
        assert white.played >= 2
        white.play(white.state["legal"][0])
        black.shows(white.played)
        black.play(black.state["legal"][0])
    assert white.played == 6
    white.shows(6)
    assert "Traceback" not in server_to_kill.errors


def test_a_move_waits_for_the_server(server_to_kill: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive(AWAY)
    address = begin(server_to_kill, variant="international")["white"]
    game = GamePage(visit(server_to_kill, address, reduced_motion="reduce"), server_to_kill)
    expect(game.button("White resigns")).to_be_enabled()
    server_to_kill.kill()
    expect(game.side.get_by_text("The connection is lost")).to_be_visible()
    click(game.board, ["32", "28"])
    game.board.says("28", "white man")
    expect(game.side.get_by_text("Your move is sent when it is there.")).to_be_visible()
    expect(game.board.playable).to_have_count(0)
    server_to_kill.start()
    game.shows(1)
    assert [ply["move"]["text"] for ply in game.state["plies"]] == ["32-28"]
    game.play(game.find_move("19-23"))


def test_the_computer_goes_on_after_a_restart(server_to_kill: Server, visit: Callable[..., Page], watch: Watch) -> None:
    watch.forgive(AWAY)
    address = begin(server_to_kill, variant="kalah", opponent="computer", level=1, side="south")["south"]
    game = GamePage(visit(server_to_kill, address, reduced_motion="reduce"), server_to_kill)
    game.play(game.find_move("2"))
    server_to_kill.kill()
    server_to_kill.start()
    game.play_on(sides=["south"])
    expect(game.page).to_have_title(re.compile("^(You won|You lost|A draw)"))
