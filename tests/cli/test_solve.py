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


def test_the_value_of_each_move() -> None:
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


def test_a_position() -> None:
    result = solve("kalah", "--position", "<2,0,0,2,1,0,3> north", "--moves")
    assert result.stdout == "+2: north wins by 2\n. +2\n"
    over = solve("kalah", "--position", "<2,5,1,0,0,2,0> south", "--moves")
    assert over.stdout == "+2: south wins by 2\n"


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["oware"], "Oware Abapa cannot be solved: its games need not come to an end by themselves"),
        (["chess"], "unknown variant 'chess'; `tablemen variants` lists them all\n"),
        (["checkers"], "English draughts is not a game of the Kalah family"),
        (["kalah", "--houses", "0"], "houses must be 1 to 24, not 0"),
        (["kalah", "--seeds", "0"], "seeds must be 1 or more, not 0"),
        (["irving", "--rules", "kgp"], "--rules goes with kalah alone"),
        (["kalah", "--position", "<2,0,0,2,1,0> north"], "--position: line 1, column 1: the board has 5 pits, not 6"),
        (["kalah", "--position", "nonsense"], "--position: line 1, column 1: a board is written"),
        (["kalah", "--position", "<2,0,0,2,1,0,3>", "--houses", "3"], "the board has 2 houses a side, kalah has 3"),
        (["kalah", "--position", "<2,0,0,2,1,0,3>", "--seeds", "3"], "--seeds goes with the start"),
        (["kalah", "--threads", "0"], "Invalid value for '--threads'"),
    ],
)
def test_usage_errors(arguments: list[str], message: str) -> None:
    result = solve(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_warning_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path))
    board = ("kalah", "--houses", "6", "--seeds", "2")
    before = solve(*board)
    victim = min(tmp_path.iterdir())
    victim.write_bytes(b"something else")
    result = solve(*board)
    assert (result.stdout, result.exit_code) == (before.stdout, 0)
    assert result.stderr.startswith(f"Warning: {victim} is not a table; the table is built again\n")


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
        _, said = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, said) == (130, "Interrupted.\n")
    kept = list(tmp_path.iterdir())
    assert kept
    assert all(file.suffix == ".table" for file in kept)


def test_progress_is_shown_only_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = [*COMMAND, "kgp", "--no-cache"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process,
        ended_when_late(process),
    ):
        os.close(theirs)
        said = ""
        while said.count("\r") < 3:
            said += os.read(ours, 1000).decode()
        process.send_signal(signal.SIGINT)
        result, _ = process.communicate(timeout=TIMEOUT)
    os.close(ours)
    assert (process.returncode, result) == (130, "")
    assert re.search(r"\rvalue from -48 to \+48, [\d,]+ positions, \d s", said)


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
    assert shown == [
        "tables: 2 of 5, 1 s",
        "value from -3 to +5, 1,234 positions, 2 s",
        "move 3 from +0 to +0, 1 position, 3 s",
    ]
