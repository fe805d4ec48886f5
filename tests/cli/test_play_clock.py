"""Games with a clock, line by line, with a fake time."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from tablemen import Game, Side
from tablemen.cli import main
from tablemen.cli.play.console import ConsoleGame
from tablemen.clock import GameClock, TimeControl
from tablemen.console import IO
from tablemen.draughts import Position
from tablemen.players import HumanPlayer, Player, SearcherPlayer
from tablemen.session import Session
from tests.fake_players import First

MINUTE = TimeControl(60, 2)


class Typing(IO):
    """A console at which answers take time, and which stores its output."""

    def __init__(self, *answers: tuple[float, str]) -> None:
        self.answers = list(answers)
        self.now = 0.0
        self.shown: list[str] = []

    def print(self, text: str) -> None:
        raise AssertionError(text)

    def println(self, text: str = "") -> None:
        self.shown.append(text)

    def read_from_keyboard(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.answers:
            raise EOFError
        seconds, answer = self.answers.pop(0)
        self.now += seconds
        return answer

    def said(self) -> list[str]:
        """Return the output without the boards."""
        return [line for line in self.shown if "|" not in line and "+-" not in line]


class Slow(First):
    """A player that takes 40 seconds for every move."""

    def __init__(self, console: Typing) -> None:
        self.console = console

    def choose(self, game: Game[Any, Any]) -> Any:
        self.console.now += 40
        return super().choose(game)


def timed(
    *answers: tuple[float, str],
    black: Callable[[Typing], Player] = lambda _: HumanPlayer(),
    control: TimeControl = MINUTE,
) -> list[str]:
    """Return the output of a game with a minute for each side and two seconds a move, or another time control."""
    console = Typing(*answers)
    session = Session(
        Position.start("international"),
        {Side.WHITE: HumanPlayer(), Side.BLACK: black(console)},
        control=control,
    )
    session.clock = GameClock(control, now=lambda: console.now)
    with session:
        ConsoleGame(session, console).run()
    return console.said()


def test_the_prompt_shows_the_time_that_is_left() -> None:
    assert timed((3, "32-28"), (59.5, "19-23"), (1, "clock"))[:-1] == [
        "White to move",
        "White's move (1:00): ",
        "Black to move",
        "Black's move (1:00): ",
        "White to move",
        "White's move (0:59): ",
        "White 0:58, Black 0:03",
        "White's move (0:58): ",
    ]


@pytest.mark.parametrize("answer", ["32-28", "nonsense", ""])
def test_late_answer_loses(answer: str) -> None:
    said = timed((60, answer), (0, "back"), (1000, "32-28"))
    assert said[1:4] == [
        "White's move (1:00): ",
        "Black wins: White ran out of time.",
        "The game is over, ? for help: ",
    ]
    assert said[4:8] == [
        "Took back the result",
        "The game goes on without a clock.",
        "White to move",
        "White's move: ",
    ]
    assert said[8:10] == ["Black to move", "Black's move: "]


def test_late_command_is_executed() -> None:
    assert timed((61, "quit")) == [
        "White to move",
        "White's move (1:00): ",
        "Black wins: White ran out of time.",
        "Left.",
    ]


def test_a_computer_without_time_loses() -> None:
    said = timed((0, "32-28"), (0, "31-27"), black=Slow)
    assert "Black (first) plays 16-21" in said
    assert said[-4:] == [
        "Black (first) has no time left",
        "White wins: Black ran out of time.",
        "The game is over, ? for help: ",
        "Left.",
    ]


def test_new_game_resets_the_clock() -> None:
    said = timed((10, "32-28"), (5, "new"), (0, "clock"))
    assert said[4:7] == ["White to move", "White's move (1:00): ", "White 1:00, Black 1:00"]


def play(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, ["play", *arguments], input=typed)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_clock_command_without_a_clock_explains_the_option() -> None:
    told = "Black's move: no clock runs: --clock 5+3 begins with 5 minutes, and 3 seconds for each move\n"
    assert told in play("english", "--black", "human", "--white", "human", typed="clock\n")
    people = ("english", "--black", "human", "--white", "human")
    for options in ([*people, "--clock", "60"], ["--clock", "60", *people]):
        assert re.search(r"Black's move \((1:00:00|59:\d\d)\): Left\.\n", play(*options))


def test_computer_respects_its_clock() -> None:
    """The clock of the session is stopped, and the search has two seconds: it must not use its limit of a day."""
    said = timed((0, "32-28"), black=lambda _: SearcherPlayer(time=100_000), control=TimeControl(2))
    assert any(line.startswith("Black (searcher:time=100000) plays ") for line in said)
