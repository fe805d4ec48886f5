"""`tablemen play` in a real window: it is left as it was, however the game ends, and no move is lost."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablemen.saved_games import SavedGames

if sys.platform == "win32":
    pytest.skip("there are no such terminals", allow_module_level=True)

from tests.patience import LONG
from tests.tui.windows import Window

COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:[34][0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
FRIENDS = ("play", "international", "--white", "human", "--black", "human")


# The program in a terminal that takes nothing more of what is still to be written at the end.
STUCK = """
import runpy, threading
from textual.drivers import linux_driver
from tablemen.tui import app
linux_driver.LinuxDriver.close = lambda driver: threading.Event().wait()
app.PATIENCE = 0.2
runpy.run_module("tablemen", run_name="__main__")
"""


@contextmanager
def window(folder: Path, *arguments: str, **settings: Any) -> Iterator[Window]:
    opened = Window(folder, *arguments, **settings)
    try:
        yield opened
    finally:
        opened.close()


def kept(folder: Path) -> list[list[str]]:
    """The moves of the games that are kept."""
    games = SavedGames(folder / "games").list()
    return [[str(move) for move in game.game.moves] for game in games]


def play_a_move(opened: Window) -> None:
    opened.wait_for_text("or type a move here")
    opened.wait_for_text("White's move")
    opened.type("32-28\r")
    opened.wait_for_text("White played 32-28")


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param("q", id="q"),
        pytest.param("\x03", id="Ctrl-C", marks=pytest.mark.slow),
        pytest.param("3\x03", id="Ctrl-C while typing", marks=pytest.mark.slow),
        pytest.param("?\x03", id="Ctrl-C in the help", marks=pytest.mark.slow),
        pytest.param("r\x03", id="Ctrl-C at a question", marks=pytest.mark.slow),
        pytest.param("n\x03", id="Ctrl-C in the menu", marks=pytest.mark.slow),
    ],
)
def test_leaving_with_keys(tmp_path: Path, keys: str) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.type(keys)
        assert opened.leave() == 0
        assert "The game is kept" in opened.text
    assert kept(tmp_path) == [["32-28"]]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 0)])
def test_signals(tmp_path: Path, number: int, status: int) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.process.send_signal(number)
        assert opened.leave() == status
    assert kept(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_a_window_that_is_closed(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.hang_up()
        assert opened.process.wait(LONG) == 129
    assert kept(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_a_screen_that_cannot_be_left_keeps_nobody_waiting(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS, how=("-c", STUCK)) as opened:
        play_a_move(opened)
        opened.process.send_signal(signal.SIGHUP)
        assert opened.process.wait(LONG) == 129
    assert kept(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_a_killed_program_loses_nothing(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.type("19-23\r")
        opened.wait_for_text("Black played 19-23")
        opened.process.kill()
        opened.process.wait(LONG)
    with window(tmp_path, "play", "international") as opened:
        opened.wait_for_text("Go on with International draughts (2 moves, between two people")
        opened.type("\r")
        opened.wait_for_text("19-23")
        opened.wait_for_text("White's move")


@pytest.mark.slow
def test_a_window_that_changes_its_size(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.resize(20, 8)
        opened.wait_for_text("This window is too")
        opened.resize(100, 30)
        opened.wait_for_text("or type a move here")
        opened.type("q")
        assert opened.leave() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("value", "has_colours"), [("1", False), ("", True)])
def test_no_color(tmp_path: Path, value: str, *, has_colours: bool) -> None:
    with window(tmp_path, *FRIENDS, NO_COLOR=value) as opened:
        opened.wait_for_text("White's move")
        assert bool(COLOUR.search(opened.raw)) is has_colours
