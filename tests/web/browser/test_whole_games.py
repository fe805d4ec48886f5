"""Tests that play whole games with each input method."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.pages import PHONE, GamePage, InputMethod, click, create_game, drag, press_keys, tap
from tests.web.subprocess_server import Server


@pytest.mark.parametrize(
    ("variant", "method", "options"),
    [
        ("russian", click, {}),
        ("frysk", drag, {}),
        ("frysk", tap, {"has_touch": True, "viewport": PHONE}),
        ("frysk", press_keys, {}),
        ("kalah", click, {}),
        ("kalah", tap, {"has_touch": True, "viewport": PHONE}),
        ("kalah", press_keys, {"viewport": PHONE}),
    ],
)
def test_game_is_played_to_the_end(
    server: Server, open_page: Callable[..., Page], variant: str, method: InputMethod, options: dict[str, Any]
) -> None:
    page = open_page(
        server, next(iter(create_game(server, variant=variant).values())), reduced_motion="reduce", **options
    )
    game = GamePage(page, server)
    game.play_to_the_end(method)
    outcome = game.state["outcome"]
    reason = outcome["text"].partition(": ")[2]
    expect(game.page.get_by_text(reason, exact=False).first).to_be_visible()
    expect(game.board.playable).to_have_count(0)
    expect(game.moves).to_have_count(game.ply_count)


@pytest.mark.parametrize(
    ("variant", "side", "motion"), [("frysk", "black", "reduce"), ("kalah", "south", "no-preference")]
)
def test_game_against_the_computer_is_played_to_the_end(
    server: Server, open_page: Callable[..., Page], variant: str, side: str, motion: str
) -> None:
    addresses = create_game(server, variant=variant, opponent="computer", level=1, side=side)
    game = GamePage(open_page(server, addresses[side], reduced_motion=motion), server)
    game.play_to_the_end(sides=[side])
    expect(game.page).to_have_title(re.compile("^(You won|You lost|Draw)"))
    expect(game.button("Rematch")).to_be_visible()
