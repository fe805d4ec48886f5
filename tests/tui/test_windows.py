"""`tablemen play` in a pseudo-terminal: every exit restores the terminal, keeps the game and ends the engines."""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablemen.saved_games import SavedGames

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios

from tests.processes import wait_for_end
from tests.timeouts import TIMEOUT

SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]_][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>])")
ALTERNATE, SHOWN, MOUSE = "\x1b[?1049", "\x1b[?25", "\x1b[?1003"  # alternate screen, cursor, mouse reports


class Window:
    """`tablemen` in a pseudo-terminal, with saved games in a folder; `how` are the arguments of Python."""

    def __init__(
        self, folder: Path, *arguments: str, how: Sequence[str] = ("-m", "tablemen"), **variables: str
    ) -> None:
        self.raw = ""  # the output
        self._since = 0  # the length of the output before the last key
        self.leader, self.follower = pty.openpty()
        self._set_size(80, 24)
        self.before = termios.tcgetattr(self.follower)
        own = {"TERM": "xterm-256color", "TABLEMEN_DATA": str(folder)}
        inherited = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}}
        self.process = subprocess.Popen(
            [sys.executable, *how, *arguments],
            stdin=self.follower,
            stdout=self.follower,
            stderr=self.follower,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - the child has a single thread
            env=inherited | own | variables,
        )

    def wait_for(self, condition: Callable[[str], bool]) -> None:
        """Read until a condition holds for the output since the last `type`."""
        end = time.monotonic() + TIMEOUT
        while not condition(self.text):
            assert time.monotonic() < end, f"not shown: {self.text!r}"
            assert self.process.poll() is None, f"the program has exited: {self.text!r}"
            self._read(0.1)

    def wait_for_text(self, text: str) -> None:
        """Read until the text is shown."""
        self.wait_for(lambda shown: text in shown)

    @property
    def text(self) -> str:
        """The output since the last `type`, without control sequences."""
        return SEQUENCE.sub("", self.raw[self._since :])

    def type(self, keys: str) -> None:
        """Press keys."""
        self._since = len(self.raw)
        os.write(self.leader, keys.encode())

    def resize(self, width: int, height: int) -> None:
        """Resize the terminal."""
        self._since = len(self.raw)
        self._set_size(width, height)
        self.process.send_signal(signal.SIGWINCH)

    def is_stopped(self) -> bool:
        """Return whether the program is suspended."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0] == "T"

    def leave(self) -> int:
        """Return the exit status, and check that the terminal is restored."""
        end = time.monotonic() + TIMEOUT
        while self.process.poll() is None:
            assert time.monotonic() < end, f"the program does not exit: {self.text!r}"
            self._read(0.1)
        while self._read(0):
            pass
        after = termios.tcgetattr(self.follower)
        assert after == self.before
        for mode in (ALTERNATE, MOUSE):
            assert self.raw.rfind(f"{mode}l") > self.raw.rfind(f"{mode}h"), mode
        assert self.raw.rfind(f"{SHOWN}h") > self.raw.rfind(f"{SHOWN}l")
        return self.process.returncode

    def close(self) -> None:
        """Kill the program, and close the terminal."""
        self.process.kill()
        self.process.wait(TIMEOUT)
        os.close(self.follower)
        if self.leader >= 0:
            os.close(self.leader)

    def hang_up(self) -> None:
        """Close the terminal while the program runs."""
        os.close(self.leader)
        self.leader = -1

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.follower, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _read(self, wait: float) -> bool:
        if not select.select([self.leader], [], [], wait)[0]:
            return False
        self.raw += os.read(self.leader, 65536).decode(errors="replace")
        return True


COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:[34][0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
FRIENDS = ("play", "international", "--white", "human", "--black", "human")


# The program in a terminal that blocks at the end.
STUCK = """
import runpy, threading
from textual.drivers import linux_driver
from tablemen.tui import app
linux_driver.LinuxDriver.close = lambda driver: threading.Event().wait()
app.EXIT_TIMEOUT = 0.2
runpy.run_module("tablemen", run_name="__main__")
"""


@contextmanager
def window(folder: Path, *arguments: str, **settings: Any) -> Iterator[Window]:
    opened = Window(folder, *arguments, **settings)
    try:
        yield opened
    finally:
        opened.close()


def saved_moves(folder: Path) -> list[list[str]]:
    """Return the moves of the saved games."""
    games = SavedGames(folder / "games").list()
    return [[str(move) for move in game.game.moves] for game in games]


def play_a_move(opened: Window) -> None:
    opened.wait_for_text("move or command")
    opened.wait_for_text("White's move")
    opened.type("32-28\r")
    opened.wait_for_text("White played 32-28")


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param("q", id="q"),
        pytest.param("quit\r", id="quit", marks=pytest.mark.slow),
        pytest.param("\x03", id="Ctrl-C", marks=pytest.mark.slow),
        pytest.param("3\x03", id="Ctrl-C while typing", marks=pytest.mark.slow),
        pytest.param("?\x03", id="Ctrl-C in the help", marks=pytest.mark.slow),
        pytest.param("r\x03", id="Ctrl-C at a question", marks=pytest.mark.slow),
        pytest.param("n\x03", id="Ctrl-C in the menu", marks=pytest.mark.slow),
    ],
)
def test_keys_exit_the_program(tmp_path: Path, keys: str) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.type(keys)
        assert opened.leave() == (130 if "\x03" in keys else 0)
        assert "`tablemen play`" in opened.text  # continues the saved game
    assert saved_moves(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_ctrl_z_suspends_the_program(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.type("\x1a")
        opened.wait_for(lambda _: opened.is_stopped())
        assert termios.tcgetattr(opened.follower) == opened.before
        assert opened.raw.rfind(f"{ALTERNATE}l") > opened.raw.rfind(f"{ALTERNATE}h")
        opened.type("")
        opened.process.send_signal(signal.SIGCONT)
        opened.wait_for_text("White played 32-28")
        opened.type("19-23\r")
        opened.wait_for_text("Black played 19-23")
        opened.type("q")
        assert opened.leave() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_signals_exit_the_program(tmp_path: Path, number: int, status: int) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.process.send_signal(number)
        assert opened.leave() == status
    assert saved_moves(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_closing_the_window_exits_the_program(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.hang_up()
        assert opened.process.wait(TIMEOUT) == 129
    assert saved_moves(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_a_terminal_that_accepts_no_output_does_not_block_the_exit(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS, how=("-c", STUCK)) as opened:
        play_a_move(opened)
        opened.process.send_signal(signal.SIGHUP)
        assert opened.process.wait(TIMEOUT) == 129
    assert saved_moves(tmp_path) == [["32-28"]]


@pytest.mark.slow
def test_a_killed_program_loses_no_move(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.type("19-23\r")
        opened.wait_for_text("Black played 19-23")
        opened.process.kill()
        opened.process.wait(TIMEOUT)
    with window(tmp_path, "play", "international") as opened:
        opened.wait_for_text("International draughts (2 moves, between two people")
        opened.type("\r")
        opened.wait_for_text("19-23")
        opened.wait_for_text("White's move")


@pytest.mark.slow
def test_the_board_follows_the_window_size(tmp_path: Path) -> None:
    with window(tmp_path, *FRIENDS) as opened:
        play_a_move(opened)
        opened.resize(20, 8)
        opened.wait_for_text("This window is too")
        opened.resize(100, 30)
        opened.wait_for_text("move or command")
        opened.type("q")
        assert opened.leave() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("value", "has_colours"), [("1", False), ("", True)])
def test_no_color_is_respected(tmp_path: Path, value: str, *, has_colours: bool) -> None:
    with window(tmp_path, *FRIENDS, NO_COLOR=value) as opened:
        opened.wait_for_text("White's move")
        assert bool(COLOUR.search(opened.raw)) is has_colours


# An engine that stops responding when it must move, or at once, and does not exit at the end of its input.
STUBBORN = """
import os, sys, time
print(os.getpid(), file=open(sys.argv[1], "w"))
while "answers" in sys.argv:
    line = sys.stdin.readline().split()
    if line[:1] == ["hub"]:
        print("id name=stubborn version=1 author=none country=none\\nwait", flush=True)
    elif line[:1] == ["init"]:
        print("ready", flush=True)
    elif line[:1] == ["go"]:
        print("going", file=open(sys.argv[1], "a"))
        break
time.sleep(600)
"""


def read_when(file: Path, lines: int) -> int:
    """Wait until the file has a number of lines, and return the process number in it."""
    end = time.monotonic() + TIMEOUT
    while not file.exists() or len(file.read_text().splitlines()) < lines:
        assert time.monotonic() < end, "the engine does not start"
        time.sleep(0.02)
    return int(file.read_text().split()[0])


def end_by(way: str, opened: Window) -> None:
    if way == "hang up":
        opened.hang_up()
    elif way.startswith("SIG"):
        opened.process.send_signal(getattr(signal, way))
    else:
        opened.type(way)
    if way == "hang up":
        opened.process.wait(TIMEOUT)
    else:
        end = time.monotonic() + TIMEOUT
        while opened.process.poll() is None:
            assert time.monotonic() < end, "the program does not exit"
            opened._read(0.05)


@pytest.mark.parametrize(
    ("way", "options"),
    [
        pytest.param("q", ("answers",), id="q during a search", marks=pytest.mark.deep),
        pytest.param("q", (), id="q during the start", marks=pytest.mark.deep),
        pytest.param("SIGTERM", (), id="SIGTERM during the start", marks=pytest.mark.slow),
        pytest.param("hang up", ("answers",), id="hang-up during a search", marks=pytest.mark.slow),
        pytest.param("\x03", ("answers", "--plain"), id="Ctrl-C during a search, plain", marks=pytest.mark.deep),
        pytest.param("SIGTERM", ("--plain",), id="SIGTERM during the start, plain", marks=pytest.mark.slow),
    ],
)
def test_no_engine_is_left_running(tmp_path: Path, way: str, options: tuple[str, ...]) -> None:
    number = tmp_path / "number"
    words = [sys.executable, "-c", STUBBORN, str(number), *(each for each in options if each == "answers")]
    script = tmp_path / "stubborn.sh"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
    script.chmod(0o755)
    plain = [each for each in options if each == "--plain"]
    with window(tmp_path, "play", "international", *plain, "--white", f"hub:{script}", "--black", "human") as opened:
        if not plain:
            opened.wait_for_text("is thinking")
        process = read_when(number, 2 if "answers" in options else 1)
        end_by(way, opened)
        wait_for_end(process)
        assert opened.process.returncode in {"q": {0}, "\x03": {130}, "SIGTERM": {143}}.get(way, {129, 1, 0})
