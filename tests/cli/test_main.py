"""The overview of `tablemen`, lazy imports, colours, exit statuses and closed streams."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen import __version__
from tablemen.cli import COMMANDS, group, main
from tests.timeouts import TIMEOUT


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a subprocess."""
    return subprocess.run(
        [sys.executable, "-m", "tablemen", *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def test_overview_lists_the_commands() -> None:
    result = CliRunner().invoke(main)
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 80
    words = re.findall(r"[a-z-]+", result.stdout)
    assert all(name in words for name in COMMANDS)
    prominent = [name for name, listed in COMMANDS.items() if listed.is_prominent]
    assert [line.split()[0] for line in lines if line.startswith("  ")] == prominent
    assert prominent[0] == "play"


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"tablemen, version {__version__}\n")


def imported_by(*words: str) -> set[str]:
    """Return the modules that a command imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tablemen", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["completion", "bash"]], ids=" ".join)
def test_commands_without_a_game_do_not_import_games(words: list[str]) -> None:
    modules = imported_by(*words)
    assert "tablemen.cli" in modules
    games = {"_core", "draughts", "mancala", "family", "players", "search", "match", "session", "transcript"}
    assert modules.isdisjoint({f"tablemen.{name}" for name in games} | {"textual", "platformdirs"})


@pytest.mark.parametrize(
    "words",
    [["variants"], ["moves", "russian"], ["perft", "kalah", "2"], ["play"], ["play", "--help"]],
    ids=" ".join,
)
def test_simple_commands_do_not_import_heavy_modules(words: list[str]) -> None:
    modules = imported_by(*words)
    assert {"tablemen.draughts", "tablemen.mancala"} <= modules
    heavy = {"draughts.pdn", "mancala.solver", "mancala.tablebase", "players", "search", "match", "session"}
    heavy |= {"transcript", "exercises", "saved", "clock", "analysis"}
    assert modules.isdisjoint({f"tablemen.{name}" for name in heavy} | {"textual", "platformdirs", "multiprocessing"})


@pytest.mark.parametrize(
    ("settings", "is_bold"),
    [
        ({}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colour_at_a_terminal(settings: dict[str, str], *, is_bold: bool) -> None:
    terminal, end = pty.openpty()
    bare = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    subprocess.run([sys.executable, "-m", "tablemen"], stdout=end, env=bare | settings, timeout=TIMEOUT, check=True)
    os.close(end)
    shown = os.read(terminal, 10_000)
    os.close(terminal)
    assert b"tablemen" in shown
    assert (b"\x1b[" in shown) is is_bold


def test_no_colour_in_a_pipe() -> None:
    bare = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    done = subprocess.run(
        [sys.executable, "-m", "tablemen"], capture_output=True, env=bare, timeout=TIMEOUT, check=True
    )
    assert b"\x1b" not in done.stdout


def test_python_m_tablemen_is_the_same_program() -> None:
    result = run()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == CliRunner().invoke(main).stdout


def test_results_and_messages_are_on_separate_streams() -> None:
    result = run("perft", "russian", "3")
    assert result.returncode == 0
    assert result.stdout == "302\n"
    assert "302 leaves" in result.stderr


def test_usage_error_has_status_2_and_no_traceback() -> None:
    result = run("moves", "russian", "--fen", "W:Wc3:Bz9")
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: --fen: line 1, column 8: ")
    assert "'z9'" in line


def test_unencodable_characters_are_replaced() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tablemen", "variants", "--notes"],
        capture_output=True,
        encoding="koi8-r",
        timeout=TIMEOUT,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "koi8-r"},
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "10?10" in result.stdout


def test_interrupted_command_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(group.TablemenGroup, "get_command", interrupt)
    result = CliRunner().invoke(main, ["variants"])
    assert (result.exit_code, result.stderr) == (130, "Interrupted.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["moves", "english"], ["play", "kalah"]])
def test_full_disk_is_reported_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tablemen", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


def test_closed_input_is_the_end_of_the_input() -> None:
    command = f"{shlex.quote(sys.executable)} -m tablemen play kalah <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game over" in done.stdout


@pytest.mark.parametrize(
    ("words", "closed", "status", "shown"),
    [
        ("analyse examples/coup.pdn --nodes 100", ">&-", 0, ""),
        ("analyse examples/coup.pdn --nodes 100 --pdn -", ">&-", 0, ""),
        ("analyse examples/coup.pdn --nodes 100", "2>&-", 0, "Game 1: Ann - Bob"),
        ("solve kalah --houses 2 --seeds 2 --no-cache", "2>&-", 0, "-2: second player wins by 2\n"),
        ("moves chess", "2>&-", 2, ""),
        ("perft english 3", "<&- >&- 2>&-", 0, ""),
    ],
)
def test_output_to_a_closed_stream_is_discarded(words: str, closed: str, status: int, shown: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m tablemen {words} {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.startswith(shown)
    assert bool(done.stdout) is bool(shown)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("moves russian --position W:Wz9", "--position"),
        ("moves russian --fen=W:Wz9", "--fen"),
        ("moves russian --fen W:Wc3:Be5 --position W:Wz9", "--position"),
        ("moves kalah --fen W:W31:B1", "--fen"),
        ("moves russian --board - --position W:Wc3:Bd4", "--position"),
        ("check english --white 9 --position W:W9 9 2", "--position"),
        ("analyse - --position W:W9", "--position"),
        ("analyse english --record x.pdn", "--record"),
        ("match english random random --record missing/x.pdn", "--record"),
        ("play kalah --white unknown", "--white"),
        ("play kalah --south unknown", "--south"),
        ("play --clock 5 oware --black unknown", "--black"),
        ("play kalah --fen <1> --seeds 3", "--fen"),
    ],
)
def test_errors_name_the_option_that_was_typed(command: str, option: str) -> None:
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 2
    assert re.findall(r"--(?!seeds|board|white and|black and)\w+", result.stderr)[:1] == [option], result.stderr
