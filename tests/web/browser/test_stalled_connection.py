"""Tests of pages whose connection stalls: a proxy accepts connections, and holds all bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.analysis import AnalysisPage
from tests.web.browser.axe import find_violations
from tests.web.browser.console_log import ConsoleLog
from tests.web.browser.pages import REDUCED_MOTION, GamePage, click, create_game
from tests.web.holding_proxy import HoldingProxy, holding_proxy
from tests.web.subprocess_server import Server

RECONNECTING = "Reconnecting…"
DEVICES = "devices have this seat"


@pytest.fixture
def proxy(server: Server) -> Iterator[HoldingProxy]:
    """Return a proxy to the server."""
    with holding_proxy(server.port) as proxy:
        yield proxy


@pytest.fixture
def open_stalling(
    proxy: HoldingProxy, open_page: Callable[..., Page], console_log: ConsoleLog
) -> Callable[[str], Page]:
    """Return a function that opens a page through the proxy."""
    console_log.allow("WebSocket connection to")

    def opener(path: str) -> Page:
        return open_page(proxy, path, **REDUCED_MOTION)

    return opener


def test_stalled_game_is_noticed_and_no_move_is_lost_or_repeated(
    server: Server, proxy: HoldingProxy, open_stalling: Callable[[str], Page], open_page: Callable[..., Page]
) -> None:
    addresses = create_game(server, variant="international", opponent="link", side="white", clock="5+3")
    white = GamePage(open_stalling(addresses["white"]), server)
    black = GamePage(open_page(server, addresses["black"], **REDUCED_MOTION), server)
    white.play(white.find_move("32-28"))
    black.play(black.find_move("19-23"))
    white.expect_moves(2)
    clock = white.page.get_by_role("timer").last
    for text in ("28x19", "33-28"):
        count = white.ply_count
        white.board.expect_label(re.split("[x-]", text)[0], "can move")
        proxy.hold()
        click(white.board, re.split("[x-]", text))  # the proxy holds the bytes of this move
        connection = white.panel.get_by_text(RECONNECTING)
        expect(connection).to_be_visible()
        expect(connection).to_contain_text("Your move will be sent")
        expect(clock).to_have_class(re.compile("is-stale"))
        assert find_violations(white.page) == []
        shown = clock.text_content()
        expect(white.button("Resign")).to_be_disabled()
        white.page.wait_for_timeout(1500)
        assert clock.text_content() == shown  # a stale clock stands still
        assert white.ply_count == count
        proxy.release()  # the server receives the move from the old connection, and from the new one
        expect(connection).to_be_hidden()
        expect(clock).not_to_have_class(re.compile("is-stale"))
        for page in (white, black):
            page.expect_moves(count + 1)
            expect(page.panel.get_by_text(DEVICES)).to_be_hidden()
        black.play(black.state["legal"][0])
    assert [ply["move"]["text"] for ply in white.state["plies"]][::2] == ["32-28", "28x19", "33-28"]


def test_page_reconnects_with_growing_delays(
    server: Server, proxy: HoldingProxy, open_stalling: Callable[[str], Page]
) -> None:
    game = GamePage(open_stalling(create_game(server, variant="kalah")["south"]), server)
    expect(game.board.playable).not_to_have_count(0)
    before = proxy.accepted
    proxy.hold()
    expect(game.panel.get_by_text(RECONNECTING)).to_be_visible()
    game.page.wait_for_timeout(6000)
    assert 1 <= proxy.accepted - before <= 3  # each attempt has 4.5 seconds, and the delays grow
    proxy.release()
    expect(game.panel.get_by_text(RECONNECTING)).to_be_hidden()
    game.play(game.find_move("1"))


def test_stalled_analysis_is_noticed_and_continues(proxy: HoldingProxy, open_stalling: Callable[[str], Page]) -> None:
    page = AnalysisPage(open_stalling("/analyse?variant=international"))
    page.engine.click()
    expect(page.page.get_by_text(re.compile("^depth"))).to_be_visible()
    proxy.hold()
    expect(page.page.get_by_text("reconnecting…")).to_be_visible()
    proxy.release()
    expect(page.page.get_by_text(re.compile("^depth"))).to_be_visible()


def test_stalled_request_is_noticed(proxy: HoldingProxy, open_stalling: Callable[[str], Page]) -> None:
    page = AnalysisPage(open_stalling("/analyse?variant=international"))
    page.board.expect_label("32", "can move")
    proxy.hold()
    page.play("32", "28")
    expect(page.page.locator(".toast")).to_have_text("Waiting for the server…")
    proxy.release()
    page.play("19", "23")
    expect(page.moves).to_have_text(["32-28", "19-23"])
    expect(page.page.locator(".toast")).to_have_count(0)
