"""Tests of games whose server is killed and started again."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import GamePage, click, create_game
from tests.web.subprocess_server import Server

# The browser's messages about a server that is not running
CONNECTION_ERRORS = r"WebSocket connection to|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE"
LOST = "Connection lost"


def test_game_continues_after_a_restart_of_the_server(
    own_server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow(CONNECTION_ERRORS)
    addresses = create_game(own_server, variant="international", opponent="link", side="white", clock="5+3")
    options = {"reduced_motion": "reduce"}
    white = GamePage(open_page(own_server, addresses["white"], **options), own_server)
    black = GamePage(open_page(own_server, addresses["black"], **options), own_server)
    white.play(white.find_move("32-28"))
    black.play(black.find_move("19-23"))
    for _ in range(2):
        own_server.kill()
        for page in (white, black):
            expect(page.panel.get_by_text(LOST)).to_be_visible()
            expect(page.button("Resign")).to_be_disabled()
        own_server.start()
        for page in (white, black):
            expect(page.panel.get_by_text(LOST)).to_be_hidden()
        assert white.ply_count >= 2
        white.play(white.state["legal"][0])
        black.expect_moves(white.ply_count)
        black.play(black.state["legal"][0])
    assert white.ply_count == 6
    white.expect_moves(6)
    assert "Traceback" not in own_server.errors


def test_move_is_sent_after_reconnecting(
    own_server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow(CONNECTION_ERRORS)
    address = create_game(own_server, variant="international")["white"]
    game = GamePage(open_page(own_server, address, reduced_motion="reduce"), own_server)
    expect(game.button("White resigns")).to_be_enabled()
    own_server.kill()
    expect(game.panel.get_by_text(LOST)).to_be_visible()
    click(game.board, ["32", "28"])
    game.board.expect_label("28", "white man")
    expect(game.panel.get_by_text("Your move will be sent")).to_be_visible()
    expect(game.board.playable).to_have_count(0)
    own_server.start()
    game.expect_moves(1)
    assert [ply["move"]["text"] for ply in game.state["plies"]] == ["32-28"]
    game.play(game.find_move("19-23"))


def test_computer_continues_after_a_restart(
    own_server: Server, open_page: Callable[..., Page], console_log: ConsoleLog
) -> None:
    console_log.allow(CONNECTION_ERRORS)
    address = create_game(own_server, variant="kalah", opponent="computer", level=1, side="south")["south"]
    game = GamePage(open_page(own_server, address, reduced_motion="reduce"), own_server)
    game.play(game.find_move("2"))
    own_server.kill()
    own_server.start()
    game.play_to_the_end(sides=["south"])
    expect(game.page).to_have_title(re.compile("^(You won|You lost|Draw)"))
