"""`tablemen moves`, `perft` and `check` for mancala."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.mancala import Position


def ask(*words: str) -> Result:
    return CliRunner().invoke(main, words)


# House 4 captures, house 6 ends in the store, house 1 is empty.
MIXED = "<6,3,3,0,4,4,1,0,1,4,4,4,4,4,4> south"
OVER = "<6,30,14,0,0,0,0,0,0,1,1,1,1,0,0> south"


def test_a_move_is_a_house() -> None:
    result = ask("moves", "kalah")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1\n2\n3\n4\n5\n6\n", "")
    assert ask("moves", "awale").stdout == result.stdout
    assert ask("moves", "kalah", "--position", MIXED).stdout.split() == ["2", "3", "4", "6"]
    assert ask("moves", "kalah", "--fen", MIXED).stdout.split() == ["2", "3", "4", "6"]


def test_json_describes_a_move() -> None:
    told = json.loads(ask("moves", "kalah", "--position", MIXED, "--json").stdout)
    assert told.pop("moves") == [
        {"text": "2", "house": 2, "sown": 4, "captured": 0, "extra_turn": False},
        {"text": "3", "house": 3, "sown": 4, "captured": 0, "extra_turn": True},
        {"text": "4", "house": 4, "sown": 1, "captured": 5, "extra_turn": False},
        {"text": "6", "house": 6, "sown": 1, "captured": 0, "extra_turn": True},
    ]
    assert told == {"variant": "kalah", "position": MIXED, "outcome": None}


def test_finished_game_reports_winner_and_score() -> None:
    result = ask("moves", "kalah", "--position", OVER)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("The game is over. South wins, 30 to 18: ")
    told = json.loads(ask("moves", "kalah", "--position", OVER, "--json").stdout)
    assert (told["moves"], told["outcome"]["winner"]) == ([], "south")


@pytest.mark.parametrize("variant", ["kalah", "oware"])
def test_perft_counts(variant: str) -> None:
    start = Position.start(variant)
    result = ask("perft", variant, "6")
    assert (result.exit_code, result.stdout) == (0, f"{start.perft(6)}\n")
    told = json.loads(ask("perft", variant, "4", "--divide", "--threads", "2", "--json").stdout)
    assert (told["position"], told["depth"], told["nodes"]) == (start.text(), 4, start.perft(4))
    assert told["divide"] == {str(move): count for move, count in start.divide(4).items()}
    assert "paths" not in told


@pytest.mark.parametrize(
    ("words", "line", "status"),
    [
        (["kalah", "3"], "legal", 0),
        (["kalah", "1", "--position", MIXED], "not legal: house 1 is empty", 1),
        (["kalah", "swap"], "not legal: sides cannot be swapped now", 1),
        (["oware", "2", "--fen", "<6,20,20,1,0,0,0,0,7,0,0,0,0,0,0> south"], "not legal: house 2 is empty", 1),
    ],
)
def test_check(words: list[str], line: str, status: int) -> None:
    result = ask("check", *words)
    assert (result.exit_code, result.stdout, result.stderr) == (status, f"{line}\n", "")


def test_check_as_json() -> None:
    result = ask("check", "kalah", "1", "--position", MIXED, "--json")
    assert json.loads(result.stdout) == {
        "variant": "kalah",
        "position": MIXED,
        "legal": False,
        "reason": "house 1 is empty",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["moves", "kalaf"], "unknown variant 'kalaf'; did you mean kalah?"),
        (["moves", "kalah", "--paths"], "--board and --paths are for draughts"),
        (["moves", "kalah", "--board", "-"], "--board and --paths are for draughts"),
        (["moves", "kalah", "--turn", "white"], "--turn belongs to --board: a --position says itself who is to move"),
        (["moves", "kalah", "--fen", "W:W31:B1"], "--position: line 1, column 1: a board is written <houses,"),
        (["perft", "kalah", "3", "--paths"], "--paths is for draughts"),
        (["check", "kalah", "7"], "there is no house 7: they are 1 to 6"),
        (["check", "kalah", "x"], "'x' is not the number of a house"),
        (["check", "kalah", "3", "4"], "a move of kalah is the number of one HOUSE"),
        (["check", "kalah", "3", "--white", "3"], "kalah takes no lists of pieces: give its position as text"),
        (["check", "english", "9"], "a move of english needs two squares, START and END"),
    ],
)
def test_usage_errors_are_one_line_and_status_2(words: list[str], message: str) -> None:
    result = ask(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}")
    assert len(result.stderr.splitlines()) == 1
