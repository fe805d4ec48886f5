"""Whole games, from the opening to the end, by everything that people play with."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.pages import PHONE, GamePage, Hand, begin, click, drag, press_keys, tap
from tests.web.subprocess_server import Server


@pytest.mark.parametrize(
    ("variant", "hand", "options"),
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
def test_a_whole_game(
    server: Server, visit: Callable[..., Page], variant: str, hand: Hand, options: dict[str, Any]
) -> None:
    page = visit(server, next(iter(begin(server, variant=variant).values())), reduced_motion="reduce", **options)
    game = GamePage(page, server)
    game.play_on(hand)
    outcome = game.state["outcome"]
    reason = outcome["text"].partition(": ")[2]
    expect(game.page.get_by_text(reason, exact=False).first).to_be_visible()
    expect(game.board.playable).to_have_count(0)
    expect(game.moves).to_have_count(game.played)


@pytest.mark.parametrize(
    ("variant", "side", "motion"), [("frysk", "black", "reduce"), ("kalah", "south", "no-preference")]
)
def test_a_whole_game_against_the_computer(
    server: Server, visit: Callable[..., Page], variant: str, side: str, motion: str
) -> None:
    addresses = begin(server, variant=variant, opponent="computer", level=1, side=side)
    game = GamePage(visit(server, addresses[side], reduced_motion=motion), server)
    game.play_on(sides=[side])
    expect(game.page).to_have_title(re.compile("^(You won|You lost|A draw)"))
    expect(game.button("Rematch")).to_be_visible()
