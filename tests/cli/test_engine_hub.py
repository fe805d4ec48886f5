"""`tablemen engine hub` as a subprocess."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from typing import IO

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tests.cli.programs import COMMAND, started
from tests.cli.terminals import Terminal
from tests.timeouts import TIMEOUT


def test_help_lists_options_and_examples() -> None:
    result = CliRunner().invoke(main, ["engine", "hub", "--help"])
    assert result.exit_code == 0
    assert "Options that a board can set: variant" in " ".join(result.stdout.split())
    assert "Examples:" in result.stdout


def talk(*lines: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    said = "".join(f"{line}\n" for line in lines)
    command = [*COMMAND, "engine", "hub", *arguments]
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@pytest.mark.slow
def test_a_session_through_a_pipe() -> None:
    done = talk(
        "hub",
        "set-param name=variant value=frisian",
        "set-param name=table value=1",
        "init",
        "pos start",
        "level depth=2",
        "go think",
        "quit",
    )
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name=tablemen ")
    assert [line for line in lines if not line.startswith(("id", "param", "info"))][:2] == ["wait", "ready"]
    assert lines[-1].startswith("done move=")


@pytest.mark.slow
def test_end_of_input_stops_a_search() -> None:
    done = talk("set-param name=table value=1", "pos start", "go analyze")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_too_long_line_is_refused() -> None:
    done = talk("x" * 100_000)
    assert done.returncode == 2
    assert "sent a message of more than 65,536 bytes" in done.stderr


@pytest.mark.slow
def test_first_version_of_hub() -> None:
    done = talk("hub", "init", "start", "depth 1", "go", "quit", arguments=("--hub1",))
    lines = done.stdout.splitlines()
    assert lines[0].startswith("name tablemen ")
    assert [line.split()[0] for line in lines] == ["name", "author", "wait", "ready", "info", "move"]


@pytest.fixture
def searching() -> Iterator[subprocess.Popen[str]]:
    """Start our program in an infinite search."""
    with started("engine", "hub") as program:
        given, told = pipes_of(program)
        given.write("set-param name=table value=1\npos start\ngo analyze\n")
        given.flush()
        assert told.readline().startswith("info")
        yield program


def pipes_of(program: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert program.stdin is not None
    assert program.stdout is not None
    return program.stdin, program.stdout


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are for POSIX")
@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "Interrupted."), (signal.SIGTERM, "Ended by SIGTERM.")])
def test_signal_stops_a_search(searching: subprocess.Popen[str], number: signal.Signals, said: str) -> None:
    searching.send_signal(number)
    _, errors = searching.communicate(timeout=TIMEOUT)
    assert searching.returncode == 128 + number
    assert errors == f"{said}\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="terminals are for POSIX")
def test_terminal_shows_a_hint() -> None:
    terminal = Terminal("engine", "hub")
    terminal.type("ping")
    terminal.wait_for("pong\n")
    terminal.type("quit")
    status, errors = terminal.leave()
    assert status == 0
    assert errors.startswith("This is for a board that speaks Hub")
