"""`tablemen moves`, `perft` and `check` for mancala."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.mancala import Position


def call(*words: str) -> Result:
    return CliRunner().invoke(main, words)


# House 4 captures, house 6 ends in the store, house 1 is empty.
MIXED = "<6,3,3,0,4,4,1,0,1,4,4,4,4,4,4> south"
OVER = "<6,30,14,0,0,0,0,0,0,1,1,1,1,0,0> south"


def test_move_is_the_number_of_a_house() -> None:
    result = call("moves", "kalah")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1\n2\n3\n4\n5\n6\n", "")
    assert call("moves", "awale").stdout == result.stdout
    assert call("moves", "kalah", "--position", MIXED).stdout.split() == ["2", "3", "4", "6"]
    assert call("moves", "kalah", "--fen", MIXED).stdout.split() == ["2", "3", "4", "6"]


def test_json_describes_a_move() -> None:
    facts = json.loads(call("moves", "kalah", "--position", MIXED, "--json").stdout)
    assert facts.pop("moves") == [
        {"text": "2", "house": 2, "sown": 4, "captured": 0, "extra_turn": False},
        {"text": "3", "house": 3, "sown": 4, "captured": 0, "extra_turn": True},
        {"text": "4", "house": 4, "sown": 1, "captured": 5, "extra_turn": False},
        {"text": "6", "house": 6, "sown": 1, "captured": 0, "extra_turn": True},
    ]
    assert facts == {"variant": "kalah", "position": MIXED, "outcome": None}


def test_finished_game_reports_winner_and_score() -> None:
    result = call("moves", "kalah", "--position", OVER)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "South wins, 30 to 18" in result.stderr
    facts = json.loads(call("moves", "kalah", "--position", OVER, "--json").stdout)
    assert (facts["moves"], facts["outcome"]["winner"]) == ([], "south")


@pytest.mark.parametrize("variant", ["kalah", "oware"])
def test_perft_counts(variant: str) -> None:
    start = Position.start(variant)
    result = call("perft", variant, "6")
    assert (result.exit_code, result.stdout) == (0, f"{start.perft(6)}\n")
    facts = json.loads(call("perft", variant, "4", "--divide", "--threads", "2", "--json").stdout)
    assert (facts["position"], facts["depth"], facts["nodes"]) == (start.text(), 4, start.perft(4))
    assert facts["divide"] == {str(move): count for move, count in start.divide(4).items()}
    assert "paths" not in facts


@pytest.mark.parametrize(
    ("words", "line", "status"),
    [
        (["kalah", "3"], "legal", 0),
        (["kalah", "1", "--position", MIXED], "not legal: .*1", 1),
        (["kalah", "swap"], "not legal: .*swap", 1),
        (["oware", "2", "--fen", "<6,20,20,1,0,0,0,0,7,0,0,0,0,0,0> south"], "not legal: .*2", 1),
    ],
)
def test_check(words: list[str], line: str, status: int) -> None:
    result = call("check", *words)
    assert (result.exit_code, result.stderr) == (status, "")
    assert re.match(line, result.stdout)


def test_check_as_json() -> None:
    result = call("check", "kalah", "1", "--position", MIXED, "--json")
    facts = json.loads(result.stdout)
    assert "1" in facts.pop("reason")
    assert facts == {"variant": "kalah", "position": MIXED, "legal": False}
