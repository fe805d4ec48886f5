"""`tablemen play` at a terminal: full-screen or line by line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.cli.play import start as starting
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.saved_games import SavedGames
from tablemen.session import Session


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


class FullScreen:
    """A fake of the full-screen board that records its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[Session | None, bool]] = []
        fake = ModuleType("tablemen.tui")
        vars(fake)["run"] = self.run
        monkeypatch.setitem(sys.modules, "tablemen.tui", fake)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(starting, "is_terminal", lambda _: True)

    def run(self, session: Session | None, saved: SavedGames, *, offer: bool) -> None:
        assert isinstance(saved, SavedGames)
        assert session is None or session.autosave is None
        self.calls.append((session, offer))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FullScreen:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    return FullScreen(monkeypatch)


DEFAULT = ["human", "searcher:level=5"]
SMALL = "<3,1,2,3,0,1,0,2,2> north"


@pytest.mark.parametrize(
    ("arguments", "start", "names", "offers"),
    [
        (["english"], Position.start("english"), DEFAULT, True),
        (["english", "--new"], Position.start("english"), DEFAULT, False),
        (["english", "--white", "random"], Position.start("english"), ["random", "human"], False),
        (["english", "--black", "human"], Position.start("english"), ["searcher:level=5", "human"], False),
        (["english", "--fen", "W:W22:B18"], Position.from_fen("W:W22:B18", "english"), DEFAULT, False),
        (["--new", "oware"], Pits.start("oware"), DEFAULT, False),
        (["kalah"], Pits.start("kalah"), DEFAULT, True),
        (["kalah", "--houses", "4"], Pits.start(replace(KALAH, houses=4)), DEFAULT, True),
        (["kalah", "--south", "robot"], Pits.start("kalah"), ["robot", "human"], False),
        (["kalah", "--position", SMALL], Pits.from_text(SMALL, replace(KALAH, houses=3)), DEFAULT, False),
    ],
)
def test_game_is_full_screen_at_a_terminal(
    screen: FullScreen, arguments: list[str], start: Any, names: list[str], offers: Any
) -> None:
    result = play(*arguments)
    assert (result.exit_code, result.output) == (0, "")
    ((session, is_offered),) = screen.calls
    assert session is not None
    assert (session.game.start, session.clock.control) == (start, None)
    assert [player.name for player in session.players.values()] == names
    assert is_offered is offers


@pytest.mark.parametrize(
    "arguments", [["english", "--clock", "5+3"], ["--clock", "5+3", "english"], ["--clock", "5+3", "kalah"]]
)
def test_clock_option_starts_a_new_game(screen: FullScreen, arguments: list[str]) -> None:
    result = play(*arguments)
    assert (result.exit_code, result.output) == (0, "")
    ((session, is_offered),) = screen.calls
    assert session is not None
    assert (session.clock.control, is_offered) == (TimeControl(300, 3), False)


@pytest.mark.parametrize(("options", "offers"), [([], True), (["--new"], False), (["--clock", "5"], True)])
def test_menu_is_full_screen_at_a_terminal(screen: FullScreen, options: list[str], offers: Any) -> None:
    result = play(*options)
    assert (result.exit_code, result.output) == (0, "")
    assert screen.calls == [(None, offers)]


@pytest.mark.parametrize(
    ("arguments", "prompt"),
    [
        (["english", "--plain"], "White's move: "),
        (["--plain", "english"], "White's move: "),
        (["kalah", "--plain"], "Player P1's turn"),
        (["kalah", "--vertical"], "Player P1's turn"),
        (["kalah", "--menu"], "New game"),
        (["kalah", "--robot", "1"], "Player P1 (Robot)"),
        (["kalah", "--plain", "--clock", "5"], "South's move ("),
        (["kalah", "--plain", "--position", SMALL], "North (computer, level 5) plays "),
    ],
)
def test_options_for_line_by_line_at_a_terminal(screen: FullScreen, arguments: list[str], prompt: str) -> None:
    result = play(*arguments)
    assert (result.exit_code, screen.calls) == (0, [])
    assert prompt in result.stdout


def test_full_screen_needs_standard_error_at_the_terminal(screen: FullScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "is_terminal", lambda stream: stream is not sys.stderr)
    assert "Black's move: " in play("english", "--white", "human", "--black", "human").stdout
    assert screen.calls == []


def test_kalah_line_by_line_is_the_exercise_console(screen: FullScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    at_terminal = play("kalah", "--plain", typed="3\n6\nq\n").stdout
    monkeypatch.setenv("TERM", "dumb")
    assert play("kalah", typed="3\n6\nq\n").stdout == at_terminal
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(starting, "is_terminal", lambda _: False)
    assert play("kalah", typed="3\n6\nq\n").stdout == at_terminal


def test_other_import_errors_are_not_hidden(screen: FullScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tablemen.tui", None)
    result = play("english")
    assert isinstance(result.exception, ModuleNotFoundError)
