"""The panels beside the board: moves, players, captures, clocks and the evaluation."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from textual.widgets import Static

from tablemen import Outcome, Side, Termination
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts import INTERNATIONAL
from tablemen.family import get_family
from tablemen.search import Score
from tablemen.tui.widgets import EMPTY, FULL, EvaluationBar, format_score
from tests.tui.fixtures import Player, async_test, make_session, open_app


def listed_moves(player: Player) -> list[str]:
    """Return the lines of the move list."""
    return [line.rstrip() for line in str(player.table.query_one("#written", Static).render()).splitlines()]


@async_test
async def test_the_panel_shows_moves_and_captures(tmp_path: Path) -> None:
    session = make_session("international")
    for move in ("32-28", "19-23"):
        session.move(move)
    async with open_app(session, tmp_path) as player:
        await player.type("28x19")
        assert listed_moves(player) == ["   White  Black", "1. 32-28  19-23", "2. 28x19"]
        assert player.text("#near").splitlines()[1].strip() == "captured 1"
        assert player.text("#far").splitlines()[1].strip() == ""
        assert player.text("#far").startswith("▶ Black")
        await player.type("14x23")
        assert listed_moves(player)[-1] == "2. 28x19  14x23"
        assert player.text("#far").splitlines()[1].strip() == "captured 1"
        await player.press("v")
        assert player.text("#far").startswith("▶ White")


@async_test
async def test_the_move_list_scrolls_to_the_end(tmp_path: Path) -> None:
    session = make_session("international")
    for _ in range(40):
        session.move(str(session.game.legal_moves()[0]))
    async with open_app(session, tmp_path) as player:
        last = str(player.game.legal_moves()[-1])
        await player.type(last)
        await player.wait_for(lambda: f"21. {last}" in player.shown())
        assert " 1. " not in player.shown()


@async_test
async def test_the_panel_shows_stores_turns_and_names(tmp_path: Path) -> None:
    async with open_app(make_session("kalah", "human", "searcher:level=1"), tmp_path) as player:
        assert player.text("#near").startswith("▶ South, you")
        assert player.text("#far").startswith("  North, level 1")
        await player.click("3")
        assert player.message == player.report
        assert player.text("#near").splitlines()[1].strip() == "1 in store"
        assert listed_moves(player) == ["   South  North", "1. 3"]
    async with open_app(make_session("kalah", "random", "searcher:level=2"), tmp_path, offer=False) as player:
        assert "South, random" in player.text("#near")
        assert "North, level 2" in player.text("#far")


@async_test
async def test_the_bar_shows_the_evaluation(tmp_path: Path) -> None:
    session = make_session("international", "human", "random", start="W:WK1,K2,K3,48,50:B26,27")
    async with open_app(session, tmp_path) as player:
        meter = player.table.query_one("#meter")
        await player.wait_for(lambda: "White" in player.text("#meter"))
        bar = player.text("#meter")
        assert bar.count(FULL) > bar.count(EMPTY)
        await player.press("v")
        await player.wait_for(lambda: player.text("#meter").count(EMPTY) > player.text("#meter").count(FULL))
        await player.press("m")
        await player.wait_for(lambda: meter.region.area == 0)
        await player.type("48-42")
        await player.press("m")
        await player.wait_for(lambda: meter.region.area > 0)
        await player.wait_for(lambda: "…" not in player.text("#meter"))


@pytest.mark.parametrize(
    ("score", "turn", "text"),
    [
        (Score(0.3), Side.WHITE, "White +0.30"),
        (Score(-0.3), Side.WHITE, "Black +0.30"),
        (Score(0.3), Side.BLACK, "Black +0.30"),
        (Score(-0.001), Side.WHITE, "even"),
        (Score(0.0, exact=True), Side.WHITE, "drawn"),
        (Score(-math.inf, exact=True, plies=7), Side.WHITE, "Black wins in 7 plies"),
        (Score(-2.0, exact=True), Side.BLACK, "White +2"),
    ],
)
def test_the_evaluation_names_the_leader(score: Score, turn: Side, text: str) -> None:
    assert format_score(score, turn, get_family(INTERNATIONAL)) == text


@pytest.mark.slow
@async_test
async def test_the_evaluation_is_off_between_two_people(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        assert not player.table.meter.display
        await player.press("m")
        await player.wait_for(lambda: player.table.meter.region.area > 0)
    async with open_app(make_session("kalah", "human", "searcher:level=1"), tmp_path, offer=False) as player:
        assert player.table.meter.display


@async_test
async def test_clocks_run(tmp_path: Path) -> None:
    seconds = [0.0]
    session = make_session("kalah", clock="300")
    session.clock = GameClock(TimeControl(300, 5), now=lambda: seconds[0])
    async with open_app(session, tmp_path) as player:
        seconds[0] = 62
        await player.wait_for(lambda: "3:58" in player.text("#near"))
        await player.click("1")
        await player.wait_for(lambda: "4:03" in player.text("#near"))  # with the increment
        seconds[0] = 70
        await player.wait_for(lambda: "4:52" in player.text("#far"))
        assert "4:03" in player.text("#near")
        seconds[0] = 400
        await player.wait_for(lambda: player.question == player.result != "")
        assert player.game.outcome() == Outcome(Side.WHITE, Termination.TIME)


@async_test
async def test_a_search_may_end_after_the_screen(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        table = player.table
        meter = table.query_one(EvaluationBar)
        seen = [table.is_open]
        await meter.remove()  # the widgets of a screen are removed one after the other
        seen.append(table.is_open)
        meter.set_score(table.session.game, Score(1.0))
    meter.set_score(table.session.game, Score(1.0))
    assert [*seen, table.is_open] == [True, False, False]
