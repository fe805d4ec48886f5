"""The end of games: on the board, by draws and resignation, and on time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tablemen import Game, Outcome, Side, Termination
from tablemen.analysis import analyse_game
from tablemen.clock import GameClock, TimeControl
from tablemen.draughts.pdn import read_pdn
from tablemen.players import HumanPlayer, RandomPlayer
from tablemen.search import Limit
from tablemen.session import format_taken_back
from tablemen.tui import review
from tablemen.tui.menu import MenuScreen
from tablemen.tui.table_screen import (
    ANALYSE,
    DRAW,
    GAME_OVER,
    KEEP_PLAYING,
    LOOK,
    NO_CLAIM,
    OTHER_GAME,
    PLAY_AGAIN,
    RESIGN,
    SAVE,
)
from tablemen.tui.widgets import ChoiceDialog, TextDialog
from tests.tui.fixtures import async_test, make_session, open_app


@async_test
async def test_the_end_offers_another_game(tmp_path: Path) -> None:
    async with open_app(make_session("russian", start="W:Wc3:Bd4"), tmp_path) as player:
        await player.type("c3-e5")
        await player.wait_for(lambda: player.question == player.result != "")
        await player.choose(LOOK)
        for key in ("t", "r", "equals_sign"):
            await player.press(key)
            assert player.message == GAME_OVER, key
        await player.click("e5")
        assert player.message == GAME_OVER
        await player.press("u")
        assert player.message == f"{format_taken_back(1)}. {player.turn}."
        assert not player.game.outcome()
        former = player.table
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(PLAY_AGAIN)
        await player.wait_for(lambda: player.table is not former and player.has_started)
        assert not player.game.moves
        assert len(player.app.screen_stack) == 2
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(OTHER_GAME)
        await player.wait_for_screen(MenuScreen)


@async_test
async def test_a_finished_game_is_kept(tmp_path: Path) -> None:
    async with open_app(make_session("russian", start="W:Wc3:Bd4"), tmp_path) as player:
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        kept = tmp_path / "finished" / "russian.pdn"
        assert "Kept in" in player.shown()
        assert [str(game.moves[0]) for game in read_pdn(kept)] == ["c3:e5"]
        former = player.table
        await player.press("enter")  # the first answer
        await player.wait_for(player.is_at_table)
        assert player.table is former
        assert len(player.game.moves) == 1
        await player.press("a")
        await player.wait_for(lambda: player.table.review is not None and player.table.review.is_analysed)
        await player.press("s")
        await player.wait_for_screen(TextDialog)
    assert len(list(read_pdn(kept))) == 1


@pytest.mark.slow
@async_test
async def test_a_game_that_cannot_be_kept_is_reported_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "finished").touch()
    async with open_app(make_session("russian", start="W:Wc3:Bd4"), tmp_path) as player:
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        assert "Save it to a file" in player.shown()
        await player.choose(SAVE)
        await player.wait_for_screen(TextDialog)


FINISHED = ("3", "6", "5", "1", "2")  # South begins, and has an extra turn


@async_test
async def test_the_moves_can_be_looked_through(tmp_path: Path) -> None:
    session = make_session("kalah")
    for move in FINISHED:
        session.move(move)
    positions = session.game.positions
    session.resign()
    async with open_app(session, tmp_path) as player:
        await player.wait_for_screen(ChoiceDialog)
        await player.press("enter")
        await player.wait_for(player.is_at_table)

        def shown() -> int:
            assert player.table.board.view.game.position == positions[len(player.table.board.view.game.moves)]
            return len(player.table.board.view.game.moves)

        assert shown() == 5
        for key, ply in (("left", 4), ("left", 3), ("right", 4), ("home", 0), ("left", 0), ("right", 1), ("end", 5)):
            await player.press(key)
            assert shown() == ply, key
            assert player.message.startswith(f"Move {ply} of 5: " if ply else "Start of 5 moves")
        await player.press("right", "left")
        assert shown() == 4
        assert f"{positions[4].stores[Side.WHITE]} in store" in player.text("#near")
        await player.press("u")  # back to the game
        assert shown() == len(player.game.moves)
        assert player.game.outcome() is None
        await player.press("left")
        assert shown() == len(player.game.moves)
        assert player.table.board.has_cursor


@pytest.mark.slow
@async_test
async def test_the_analysis_shows_scores_best_moves_and_signs(tmp_path: Path) -> None:
    moves = ("32-28", "17-21", "28-23", "19x28", "33x22", "18x27", "31x22")
    session = make_session("international")
    for move in moves:
        session.move(move)
    session.resign()
    async with open_app(session, tmp_path) as player:
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(ANALYSE)
        await player.wait_for(lambda: "White: " in player.message)
        shown = player.table.review
        assert shown is not None
        assert [each.move for each in shown.moves] == list(session.game.moves)
        signs = shown.signs()
        assert all(f"{moves[index]}{sign}" in player.text("#written") for index, sign in signs.items())
        await player.press("home")
        for analysis in shown.moves:
            assert analysis.before.best is not None
            assert f"best is {analysis.before.best}." in player.message
            assert player.table.board.view.hint == analysis.before.best
            await player.press("right")


@async_test
async def test_the_hint_the_bar_and_the_analysis_show_the_value_of_a_tablebase(tmp_path: Path) -> None:
    session = make_session("english", "human", "random", start="W:WK10,K14:BK27")
    async with open_app(session, tmp_path) as player:
        await player.wait_for(lambda: "win" in player.text("#meter"))
        assert "White wins in 23 plies" in player.text("#meter")
        await player.press("t")
        await player.wait_for(lambda: player.table.hint is not None)
        assert str(player.table.hint) == "14-18"
        assert "wins in 23 plies" in player.message
        session.move("14-18")
        session.resign(Side.BLACK)
        player.table._update()
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(ANALYSE)
        await player.wait_for(lambda: "no bad moves" in player.message)
        await player.press("home")
        assert "White wins in 23 plies" in player.message
        await player.press("end")
        assert "Black loses in 22 plies" in player.message


@pytest.mark.slow
@async_test
async def test_the_analysis_can_be_stopped(tmp_path: Path) -> None:
    session = make_session("international")
    for _ in range(40):
        session.move(str(session.game.legal_moves()[0]))
    session.resign()
    searched: list[object] = []
    go_on = threading.Event()

    def analyse(game: Game[Any, Any], _limit: Limit, *, on_move: Callable[[Any], object]) -> None:
        def report(move: object) -> None:
            searched.append(move)
            on_move(move)
            go_on.wait(0.02)

        analyse_game(game, Limit(nodes=1), on_move=report)

    with patch.object(review, "analyse_game", analyse):
        async with open_app(session, tmp_path) as player:
            await player.wait_for_screen(ChoiceDialog)
            await player.choose(ANALYSE)
            await player.wait_for(lambda: "Analysed " in player.message)
            await player.press("a")
            await player.wait_for(lambda: player.message.startswith("Stopped after "))
            assert 0 < len(searched) < 40
            seen = len(searched)
            await player.press("a")  # starts again
            await player.wait_for(lambda: len(searched) > seen)
            await player.press("u")  # the game continues
            await player.wait_for(lambda: player.table.review is None)
            go_on.set()
            seen = len(searched)
            await player.pilot.pause(0.1)
            assert len(searched) <= seen + 1


@async_test
async def test_resigning_needs_confirmation(tmp_path: Path) -> None:
    async with open_app(make_session("kalah"), tmp_path) as player:
        await player.press("r")
        await player.wait_for_screen(ChoiceDialog)
        assert "South" in player.question
        await player.press("enter")
        await player.wait_for(player.is_at_table)
        assert player.game.outcome() is None
        await player.press("r")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(RESIGN)
        await player.wait_for(lambda: player.question == player.result != "")
        assert player.game.outcome() == Outcome(Side.BLACK, Termination.RESIGNATION)


@async_test
async def test_a_draw_is_agreed_claimed_or_counted(tmp_path: Path) -> None:
    async with open_app(make_session("international"), tmp_path / "agreed") as player:
        await player.press("equals_sign")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(KEEP_PLAYING)
        assert player.game.outcome() is None
        await player.press("equals_sign")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose(DRAW)
        await player.wait_for(lambda: player.question == player.result != "")
        assert player.game.outcome() == Outcome(None, Termination.AGREEMENT)
    claimed = make_session("english", "human", "random", start="B:WK1:BK32")
    for move in ("32-27", "1-6", "27-32", "6-1") * 2:
        claimed.players = dict.fromkeys(Side, HumanPlayer())
        claimed.move(move)
    claimed.players[Side.WHITE] = RandomPlayer()
    async with open_app(claimed, tmp_path / "claimed") as player:
        assert player.game.claims()
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question == player.result != "")
        assert player.game.outcome() == Outcome(None, Termination.REPETITION)
    proven = make_session("english", "random", "human", start="B:WK10:BK27")
    async with open_app(proven, tmp_path / "proven") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question == player.result != "")
        assert player.game.outcome() == Outcome(None, Termination.PROVEN_DRAW)
    counted = make_session("international", "human", "random")
    async with open_app(counted, tmp_path / "counted") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: player.message.startswith(NO_CLAIM))
        assert "1 of 3" in player.message
        assert player.game.outcome() is None


@pytest.mark.parametrize(
    "question", [None, *(pytest.param(key, marks=pytest.mark.slow) for key in ("equals_sign", "n"))]
)
def test_the_game_ends_when_time_runs_out(tmp_path: Path, question: str | None) -> None:
    seconds = [0.0]

    async def run_out() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with open_app(session, tmp_path) as player:
            assert "10:00" in player.text("#near")
            seconds[0] = 90
            await player.wait_for(lambda: "8:30" in player.text("#near"))
            if question is not None:
                await player.press(question)
                await player.wait_for(lambda: player.app.screen is not player.table)
            seconds[0] = 601
            await player.wait_for(lambda: player.question == player.result != "")
            assert player.game.outcome() == Outcome(Side.BLACK, Termination.TIME)
            former = player.table
            await player.choose(PLAY_AGAIN)
            await player.wait_for(lambda: player.table is not former and player.has_started)
            assert player.app.screen_stack[1:] == [player.table]  # no dialog is left
            assert "10:00" in player.text("#near")

    async_test(run_out)()


@pytest.mark.parametrize(("key", "answer"), [("equals_sign", DRAW), pytest.param("r", RESIGN, marks=pytest.mark.slow)])
def test_time_may_run_out_during_a_dialog(tmp_path: Path, key: str, answer: str) -> None:
    seconds = [0.0]

    async def answer_late() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with open_app(session, tmp_path) as player:
            await player.press(key)
            await player.wait_for_screen(ChoiceDialog)
            answered = player.app.screen
            seconds[0] = 601
            assert isinstance(answered, ChoiceDialog)
            answered.dismiss(answer)  # before the next check of the clock
            await player.wait_for(lambda: player.question == player.result != "")
            assert player.game.outcome() == Outcome(Side.BLACK, Termination.TIME)

    async_test(answer_late)()
