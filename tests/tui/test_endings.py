"""How games end at the table: on the board, by what players declare, and on time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen import Side
from tablemen.clock import GameClock, TimeControl
from tablemen.players import HumanPlayer, RandomPlayer
from tablemen.tui.dialogs import ChoiceDialog
from tablemen.tui.menu import MenuScreen
from tests.tui.tables import OVER, in_program, make_session, sit_down


@in_program
async def test_the_end_and_what_comes_after_it(tmp_path: Path) -> None:
    async with sit_down(make_session("russian", start="W:Wc3:Bd4"), tmp_path) as player:
        await player.type("c3-e5")
        await player.wait_for(lambda: player.question == "White wins: no pieces left.")
        await player.choose("Look at the board")
        for key in ("t", "r", "equals_sign"):
            await player.press(key)
            assert player.message == OVER, key
        await player.click("e5")
        assert player.message == OVER
        await player.press("u")
        assert player.message.startswith("Took back a move.")
        assert not player.game.outcome()
        former = player.table
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.press("enter")  # the first answer
        await player.wait_for(lambda: player.table is not former and player.has_begun)
        assert not player.game.moves
        assert len(player.app.screen_stack) == 2
        await player.type("c3-e5")
        await player.wait_for_screen(ChoiceDialog)
        await player.press("right", "enter")
        await player.wait_for_screen(MenuScreen)


@in_program
async def test_resigning_is_asked_for(tmp_path: Path) -> None:
    async with sit_down(make_session("kalah"), tmp_path) as player:
        await player.press("r")
        await player.wait_for(lambda: player.question == "South: give up?")
        await player.press("enter")
        await player.wait_for(player.is_at_table)
        assert player.game.outcome() is None
        await player.press("r")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("Resign")
        await player.wait_for(lambda: player.question == "North wins: resignation.")


@in_program
async def test_a_draw_is_agreed_claimed_or_counted(tmp_path: Path) -> None:
    async with sit_down(make_session("international"), tmp_path / "agreed") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question == "Do both players agree on a draw?")
        await player.choose("Play on")
        assert player.game.outcome() is None
        await player.press("equals_sign")
        await player.wait_for_screen(ChoiceDialog)
        await player.choose("Draw")
        await player.wait_for(lambda: player.question == "A draw: agreement.")
    claimed = make_session("english", "human", "random", start="B:WK1:BK32")
    for move in ("32-27", "1-6", "27-32", "6-1") * 2:
        claimed.players = dict.fromkeys(Side, HumanPlayer())
        claimed.move(move)
    claimed.players[Side.WHITE] = RandomPlayer()
    async with sit_down(claimed, tmp_path / "claimed") as player:
        assert player.game.claims()
        await player.press("equals_sign")
        await player.wait_for(lambda: player.question.startswith("A draw: "))
    counted = make_session("international", "human", "random")
    async with sit_down(counted, tmp_path / "counted") as player:
        await player.press("equals_sign")
        await player.wait_for(lambda: "No draw" in player.message)
        assert player.message.startswith("No draw can be claimed now. ")
        assert player.game.outcome() is None


@pytest.mark.parametrize(
    "question", [None, *(pytest.param(key, marks=pytest.mark.slow) for key in ("equals_sign", "n"))]
)
def test_time_that_runs_out(tmp_path: Path, question: str | None) -> None:
    seconds = [0.0]

    async def run_out() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with sit_down(session, tmp_path) as player:
            assert "10:00" in player.text("#near")
            seconds[0] = 90
            await player.wait_for(lambda: "8:30" in player.text("#near"))
            if question is not None:
                await player.press(question)
                await player.wait_for(lambda: player.app.screen is not player.table)
            seconds[0] = 601
            await player.wait_for(lambda: player.question == "Black wins: time ran out.")
            former = player.table
            await player.choose("Play again")
            await player.wait_for(lambda: player.table is not former and player.has_begun)
            assert player.app.screen_stack[1:] == [player.table]  # no question is left behind
            assert "10:00" in player.text("#near")

    in_program(run_out)()


@pytest.mark.parametrize(
    ("key", "answer"), [("equals_sign", "Draw"), pytest.param("r", "Resign", marks=pytest.mark.slow)]
)
def test_an_answer_that_comes_too_late(tmp_path: Path, key: str, answer: str) -> None:
    seconds = [0.0]

    async def answer_late() -> None:
        session = make_session("international", clock="600")
        session.clock = GameClock(TimeControl(600), now=lambda: seconds[0])
        async with sit_down(session, tmp_path) as player:
            await player.press(key)
            await player.wait_for_screen(ChoiceDialog)
            answered = player.app.screen
            seconds[0] = 601
            assert isinstance(answered, ChoiceDialog)
            answered.dismiss(answer)  # before the next look at the clock
            await player.wait_for(lambda: player.question == "Black wins: time ran out.")

    in_program(answer_late)()
