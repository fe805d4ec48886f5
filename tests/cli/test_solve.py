"""`tablemen solve`."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.cli.parameters import StatusLine
from tablemen.cli.solve import _progress_display
from tablemen.mancala import Position, Progress
from tests.timeouts import TIMEOUT, ended_when_late

COMMAND = [sys.executable, "-m", "tablemen", "solve"]


def solve(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["solve", *arguments])


def test_winner_and_margin() -> None:
    result = solve("kalah", "--houses", "4", "--seeds", "3")
    assert (result.exit_code, result.stdout) == (0, "+6: first player wins by 6\n")
    assert re.fullmatch(r"[\d,]+ positions in \d+\.\d{3} s\n", result.stderr)
    assert solve("kalah", "--houses", "3", "--seeds", "1").stdout == "0: a draw\n"
    assert solve("kalah", "--houses", "2", "--seeds", "4").stdout == "-12: second player wins by 12\n"


def test_value_of_each_move() -> None:
    result = solve("kalah", "--houses", "4", "--seeds", "3", "--moves")
    assert result.stdout == "+6: first player wins by 6\n-6 +6 +2 -2\n"


@pytest.mark.deep
def test_standard_kalah() -> None:
    result = solve("kalah", "--houses", "6", "--seeds", "4", "--moves")
    assert result.stdout == "+8: first player wins by 8\n-14 -10 +8 -2 -8 +4\n"


def test_rules_by_name() -> None:
    irving = ["--houses", "4", "--seeds", "3"]
    assert solve("kalah", *irving, "--rules", "irving").stdout == "+8: first player wins by 8\n"
    assert solve("irving", *irving).stdout == "+8: first player wins by 8\n"


def test_position() -> None:
    result = solve("kalah", "--position", "<2,0,0,2,1,0,3> north", "--moves")
    assert result.stdout == "+2: North wins by 2\n. +2\n"
    over = solve("kalah", "--position", "<2,5,1,0,0,2,0> south", "--moves")
    assert over.stdout == "+2: South wins by 2\n"


def test_json() -> None:
    result = solve("kalah", "--houses", "4", "--seeds", "3", "--moves", "--json", "--threads", "2", "--no-cache")
    facts = json.loads(result.stdout)
    assert facts.pop("nodes") > 0
    assert facts.pop("seconds") > 0
    assert facts == {
        "variant": "kalah",
        "position": "<4,0,0,3,3,3,3,3,3,3,3> south",
        "value": 6,
        "best": ["2"],
        "values": {"1": -6, "2": 6, "3": 2, "4": -2},
    }
    assert "values" not in json.loads(solve("kalah", "--houses", "4", "--seeds", "3", "--json").stdout)


def test_invalid_number_of_threads_exits_with_2() -> None:
    result = solve("kalah", "--threads", "0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--threads" in result.stderr


def test_warning_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path))
    board = ("kalah", "--houses", "6", "--seeds", "2")
    before = solve(*board)
    damaged = min(tmp_path.iterdir())
    damaged.write_bytes(b"something else")
    result = solve(*board)
    assert (result.stdout, result.exit_code) == (before.stdout, 0)
    assert result.stderr.splitlines()[0].startswith(f"Warning: {damaged} ")


def test_ctrl_c_keeps_finished_tables(tmp_path: Path) -> None:
    environment = os.environ | {"TABLEMEN_CACHE": str(tmp_path)}
    command = [*COMMAND, "kalah", "--houses", "7", "--seeds", "12"]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process,
        ended_when_late(process),
    ):
        while not list(tmp_path.glob("*.table")):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, errors) == (130, "Interrupted.\n")
    files = list(tmp_path.iterdir())
    assert files
    assert all(file.suffix == ".table" for file in files)


def test_progress_is_shown_only_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "kgp", "--no-cache"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process,
        ended_when_late(process),
    ):
        os.close(theirs)
        output = ""
        while output.count("\r") < 3:
            output += os.read(ours, 1000).decode()
        process.send_signal(signal.SIGINT)
        result, _ = process.communicate(timeout=TIMEOUT)
    os.close(ours)
    assert (process.returncode, result) == (130, "")
    assert re.search(r"\r.*-48 .*\+48, [\d,]+ positions, \d s", output)


def test_progress_is_shown_after_a_delay_and_at_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(StatusLine, "write", lambda _, text: shown.append(text))
    show = _progress_display(StatusLine())
    (move,) = (move for move in Position.start("kalah").legal_moves() if move.house == 3)
    show(Progress(0.4, layer=1, layers=5))
    show(Progress(1.0, layer=2, layers=5))
    show(Progress(1.05, layer=3, layers=5))
    show(Progress(2.0, nodes=1234, minimum=-3, maximum=5))
    show(Progress(3.0, nodes=1, move=move, minimum=0, maximum=0))
    tables, value, move_value = shown
    assert "2 of 5, 1 s" in tables
    assert re.search(r"value .*-3 .*\+5, 1,234 positions, 2 s", value)
    assert re.search(r"move 3 .*\+0 .*\+0, 1 position, 3 s", move_value)
