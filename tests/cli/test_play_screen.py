"""`tablemen play` at a terminal: what is played on the whole screen, and what line by line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.cli.play import menu, variant, way
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.saved import SavedGames
from tablemen.session import Session


def play(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=typed)


class FullScreen:
    """Stands in for the full-screen board, and writes down what it is to play."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[Session | None, bool]] = []
        stand_in = ModuleType("tablemen.tui")
        vars(stand_in)["run"] = self.run
        monkeypatch.setitem(sys.modules, "tablemen.tui", stand_in)
        monkeypatch.setenv("TERM", "xterm")
        for module in (menu, variant, way):
            monkeypatch.setattr(module, "is_at_terminal", lambda: True)
        monkeypatch.setattr(way, "can_draw", lambda: True)

    def run(self, session: Session | None, saved: SavedGames, *, offer: bool) -> None:
        assert isinstance(saved, SavedGames)
        assert session is None or session.keeper is None
        self.calls.append((session, offer))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FullScreen:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    return FullScreen(monkeypatch)


@pytest.mark.parametrize(
    ("arguments", "start", "names", "offers"),
    [
        (["english"], Position.start("english"), ["human", "searcher:level=5"], True),
        (["english", "--new", "--white", "random"], Position.start("english"), ["random", "human"], False),
        (["english", "--fen", "W:W22:B18"], Position.from_fen("W:W22:B18", "english"), None, False),
        (["--new", "oware"], Pits.start("oware"), None, False),
        (["kalah"], Pits.start("kalah"), ["human", "searcher:level=5"], True),
        (["kalah", "--houses", "4"], Pits.start(replace(KALAH, houses=4)), ["human", "searcher:level=5"], True),
        (["kalah", "--south", "robot"], Pits.start("kalah"), ["robot", "human"], True),
    ],
)
def test_at_a_terminal_it_is_played_on_the_whole_screen(
    screen: FullScreen, arguments: list[str], start: Any, names: list[str] | None, offers: Any
) -> None:
    result = play(*arguments, "--clock", "5+3")
    assert (result.exit_code, result.output) == (0, "")
    ((session, is_offered),) = screen.calls
    assert session is not None
    assert session.game.start == start
    assert session.clock.control == TimeControl(300, 3)
    assert names is None or [player.name for player in session.players.values()] == names
    assert is_offered is offers


@pytest.mark.parametrize("options", [[], ["--new"]])
def test_alone_it_brings_up_the_menu_of_the_screen(screen: FullScreen, options: list[str]) -> None:
    result = play(*options)
    assert (result.exit_code, result.output) == (0, "")
    assert screen.calls == [(None, not options)]


@pytest.mark.parametrize(
    ("arguments", "prompt"),
    [
        (["english", "--plain"], "White's move: "),
        (["--plain", "english"], "White's move: "),
        (["kalah", "--plain"], "Player P1's turn"),
        (["kalah", "--vertical"], "Player P1's turn"),
        (["kalah", "--menu"], "New game"),
        (["kalah", "--robot", "1"], "Player P1 (Robot)"),
        (["kalah", "--plain", "--clock", "5"], "South's move (5:00): "),
    ],
)
def test_what_asks_for_lines_gets_them_at_a_terminal_too(screen: FullScreen, arguments: list[str], prompt: str) -> None:
    result = play(*arguments)
    assert (result.exit_code, screen.calls) == (0, [])
    assert prompt in result.stdout


def test_a_screen_that_nobody_would_see_is_not_drawn(screen: FullScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way, "can_draw", lambda: False)  # standard error goes elsewhere
    assert "Black's move: " in play("english", "--white", "human", "--black", "human").stdout
    assert screen.calls == []


def test_kalah_at_a_terminal_is_the_console_to_the_letter_where_lines_are_wanted(
    screen: FullScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_terminal = play("kalah", "--plain", typed="3\n6\nq\n").stdout
    monkeypatch.setattr(way, "is_at_terminal", lambda: False)
    assert play("kalah", typed="3\n6\nq\n").stdout == at_terminal


def test_an_error_of_the_screen_itself_is_not_taken_for_a_missing_textual(
    screen: FullScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tablemen.tui", None)
    result = play("english")
    assert isinstance(result.exception, ModuleNotFoundError)
