"""Games with a clock at the console, with fake time."""

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
GAME_OVER = "The game is over, ? for help: "


class TimedConsole(IO):
    """A console with scripted answers, each of which takes some fake time; it stores its output."""

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

    def messages(self) -> list[str]:
        """Return the output without the boards."""
        return [line for line in self.shown if "|" not in line and "+-" not in line]


class Slow(First):
    """A player that takes 40 seconds for every move."""

    def __init__(self, console: TimedConsole) -> None:
        self.console = console

    def choose(self, game: Game[Any, Any]) -> Any:
        self.console.now += 40
        return super().choose(game)


def play_timed(
    *answers: tuple[float, str],
    black: Callable[[TimedConsole], Player] = lambda _: HumanPlayer(),
    control: TimeControl = MINUTE,
) -> list[str]:
    """Play a game of international draughts with a clock, and return the output without the boards."""
    console = TimedConsole(*answers)
    session = Session(
        Position.start("international"),
        {Side.WHITE: HumanPlayer(), Side.BLACK: black(console)},
        control=control,
    )
    session.clock = GameClock(control, now=lambda: console.now)
    with session:
        ConsoleGame(session, console).run()
    return console.messages()


def test_prompt_shows_the_time_left() -> None:
    assert play_timed((3, "32-28"), (59.5, "19-23"), (1, "clock"))[:-1] == [
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
    messages = play_timed((60, answer), (0, "back"), (1000, "32-28"))
    prompt, outcome, over, *_ = messages[1:]
    assert (prompt, over) == ("White's move (1:00): ", GAME_OVER)
    assert outcome.startswith("Black wins")
    *taken_back, turn, prompt = messages[4:8]
    assert len(taken_back) == 2  # the result, and the clock
    assert (turn, prompt) == ("White to move", "White's move: ")
    assert messages[8:10] == ["Black to move", "Black's move: "]


def test_late_command_is_executed() -> None:
    _, prompt, outcome, _ = play_timed((61, "quit"))
    assert prompt == "White's move (1:00): "
    assert outcome.startswith("Black wins")


def test_computer_without_time_loses() -> None:
    messages = play_timed((0, "32-28"), (0, "31-27"), black=Slow)
    assert "Black (first) plays 16-21" in messages
    declared, outcome, over, _ = messages[-4:]
    assert declared.startswith("Black (first) ")
    assert outcome.startswith("White wins")
    assert over == GAME_OVER


def test_new_game_resets_the_clock() -> None:
    messages = play_timed((10, "32-28"), (5, "new"), (0, "clock"))
    assert messages[4:7] == ["White to move", "White's move (1:00): ", "White 1:00, Black 1:00"]


def play(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, ["play", *arguments], input=typed)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_clock_command_without_a_clock_explains_the_option() -> None:
    people = ("english", "--black", "human", "--white", "human")
    assert re.search(r"Black's move: .*--clock 5\+3", play(*people, typed="clock\n"))


def test_clock_option_before_or_after_the_game() -> None:
    people = ("english", "--black", "human", "--white", "human")
    for options in ([*people, "--clock", "60"], ["--clock", "60", *people]):
        assert re.search(r"Black's move \((1:00:00|59:\d\d)\): ", play(*options))


def test_computer_respects_its_clock() -> None:
    """Check that the search uses the clock of two seconds, and not its own limit of about a day."""
    messages = play_timed((0, "32-28"), black=lambda _: SearcherPlayer(time=100_000), control=TimeControl(2))
    assert any(line.startswith("Black (searcher:time=100000) plays ") for line in messages)
