"""Whole games, from the opening to the end, by everything that people play with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.pages import PHONE, GamePage, Hand, click, drag, press_keys, tap
from tests.web.serving import Server

CALM = {"reduced_motion": "reduce"}


def sit_down(server: Server, visit: Callable[..., Page], options: dict[str, Any], **wanted: Any) -> GamePage:
    """A new game on one screen."""
    created = server.ask("/api/games", {"opponent": "screen", **wanted})
    return GamePage(visit(server, f"/game/{created['id']}#{created['keys'][created['side']]}", **options), server)


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
    game = sit_down(server, visit, CALM | options, variant=variant)
    game.play_on(hand)
    outcome = game.state["outcome"]
    reason = outcome["text"].partition(": ")[2]
    expect(game.page.get_by_text(reason, exact=False).first).to_be_visible()
    expect(game.board.playable).to_have_count(0)
    expect(game.moves).to_have_count(game.played)
