"""The end of games: on the board, by draws and resignation, and on time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen import Outcome, Side, Termination
from tablemen.clock import GameClock, TimeControl
from tablemen.players import HumanPlayer, RandomPlayer
from tablemen.session import format_taken_back
from tablemen.tui.menu import MenuScreen
from tablemen.tui.table_screen import DRAW, GAME_OVER, KEEP_PLAYING, LOOK, NO_CLAIM, PLAY_AGAIN, RESIGN
from tablemen.tui.widgets import ChoiceDialog
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
        await player.press("enter")  # the first answer
        await player.wait_for(lambda: player.table is not former and player.has_started)
        assert not player.game.moves
        assert len(player.app.screen_stack) == 2
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.press("right", "enter")
        await player.wait_for_screen(MenuScreen)


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
