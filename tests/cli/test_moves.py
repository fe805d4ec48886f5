"""`tablemen moves`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main
from tablemen.draughts import Position


def moves(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["moves", *arguments])


def test_one_move_a_line() -> None:
    result = moves("international")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [str(move) for move in Position.start("international").legal_moves()]
    assert len(result.stdout.splitlines()) == 9


@pytest.mark.parametrize("name", ["russian", "Shashki", "25", "25,W,8,8,A0,0"])
def test_a_variant_is_found_by_all_its_names(name: str) -> None:
    assert moves(name, "--fen", "W:Wc3:Bd4").stdout == "c3:e5\n"


def test_paths_are_listed_when_asked_for() -> None:
    circle = ("international", "--fen", "W:W14:B8,9,18,19")
    assert moves(*circle).stdout == "14x14\n"
    assert sorted(moves(*circle, "--paths").stdout.split()) == ["14x23x12x3x14", "14x3x12x23x14"]


def test_json_tells_everything_about_a_move() -> None:
    result = moves("international", "--fen", "W:W12:B8", "--json")
    assert json.loads(result.stdout) == {
        "variant": "international",
        "fen": "W:W12:B8",
        "moves": [{"text": "12x3", "start": 12, "end": 3, "path": [12, 3], "captured": [8], "crowns": True}],
        "outcome": None,
    }


def test_json_names_algebraic_squares() -> None:
    (move,) = json.loads(moves("russian", "--fen", "W:Wc3:Bd4", "--json").stdout)["moves"]
    assert move == {
        "text": "c3:e5",
        "start": "c3",
        "end": "e5",
        "path": ["c3", "e5"],
        "captured": ["d4"],
        "crowns": False,
    }


def test_json_keeps_paths_apart() -> None:
    result = moves("international", "--fen", "W:W14:B8,9,18,19", "--paths", "--json")
    found = json.loads(result.stdout)["moves"]
    assert sorted(each["text"] for each in found) == ["14x23x12x3x14", "14x3x12x23x14"]
    assert sorted(each["path"] for each in found) == [[14, 3, 12, 23, 14], [14, 23, 12, 3, 14]]


def test_a_finished_game_has_no_moves_and_says_who_won() -> None:
    result = moves("english", "--fen", "B:W30:B")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "White wins" in result.stderr
    told = json.loads(moves("english", "--fen", "B:W30:B", "--json").stdout)
    assert told["moves"] == []
    assert told["outcome"] == {"winner": "white", "termination": "no pieces left"}
    assert json.loads(moves("english", "--json").stdout)["outcome"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rusian"], "unknown variant 'rusian'; did you mean russian or frisian?"),
        (["zzz"], "unknown variant 'zzz'; `tablemen variants` lists them all"),
        (["99"], "unknown variant '99'; `tablemen variants` lists them all"),
        (["russian", "--fen", "W:Wc3,c4:Bd4"], "--fen: line 1, column 7: russian has no square 'c4'"),
        (["russian", "--fen", ""], "--fen: line 1, column 1: the FEN is empty"),
        (["russian", "--fen", "Wc3:Bd4"], "--fen: line 1, column 1: the side to move is missing"),
    ],
)
def test_a_bad_question_gets_one_line_and_2(arguments: list[str], message: str) -> None:
    result = moves(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {message}")
    assert len(result.stderr.splitlines()) == 1


def test_a_missing_variant_is_bad_usage() -> None:
    result = moves()
    assert result.exit_code == 2
    assert "Missing argument 'VARIANT'" in result.stderr
