"""`tablemen engine hub` as a subprocess."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tablemen.cli.engine import HUB_HINT
from tablemen.cli.group import SignalInterrupt
from tests.cli.programs import COMMAND, started
from tests.cli.terminals import Terminal
from tests.timeouts import TIMEOUT


def run_engine(*lines: str, arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the engine with these lines as its input."""
    text = "".join(f"{line}\n" for line in lines)
    command = [*COMMAND, "engine", "hub", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@pytest.mark.slow
def test_session_through_a_pipe() -> None:
    done = run_engine(
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
    done = run_engine("set-param name=table value=1", "pos start", "go analyze")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_too_long_line_exits_with_2() -> None:
    done = run_engine("x" * 100_000)
    assert done.returncode == 2
    assert "65,536 bytes" in done.stderr


@pytest.mark.slow
def test_first_version_of_hub() -> None:
    done = run_engine("hub", "init", "start", "depth 1", "go", "quit", arguments=("--hub1",))
    lines = done.stdout.splitlines()
    assert lines[0].startswith("name tablemen ")
    assert [line.split()[0] for line in lines] == ["name", "author", "wait", "ready", "info", "move"]


@pytest.fixture
def searching() -> Iterator[subprocess.Popen[str]]:
    """Start the engine in an infinite search."""
    with started("engine", "hub") as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write("set-param name=table value=1\npos start\ngo analyze\n")
        program.stdin.flush()
        assert program.stdout.readline().startswith("info")
        yield program


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_a_search(searching: subprocess.Popen[str], number: signal.Signals) -> None:
    searching.send_signal(number)
    _, errors = searching.communicate(timeout=TIMEOUT)
    assert searching.returncode == 128 + number
    assert errors == f"{SignalInterrupt(number)}\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX terminals")
def test_terminal_shows_a_hint() -> None:
    terminal = Terminal("engine", "hub")
    terminal.type("ping")
    terminal.wait_for("pong\n")
    terminal.type("quit")
    status, errors = terminal.wait_for_exit()
    assert status == 0
    assert errors == f"{HUB_HINT}\n"
