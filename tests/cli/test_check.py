"""`tablemen check`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tablemen.cli import main


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments])


def lists(*, black: str = "", white: str = "") -> list[str]:
    return [*(["--black", black] if black else []), *(["--white", white] if white else [])]


LEGAL = [
    ("english", "", "5", "5", "1"),
    ("english", "6", "9", "9", "2"),
    ("english", "7,14", "17", "17", "3"),
    ("english", "4", "8", "8", "3"),
    ("english", "6,7", "10", "10", "1"),
    ("english", "6,7", "10", "10", "3"),
    ("english", "8,15,23,24", "27", "27", "4"),
    ("english", "8,15,23,24", "27", "27", "20"),
    # The side on the start square is to move: Black's men move down, kings both ways.
    ("english", "6", "32", "6", "10"),
    ("english", "1-12", "21-32", "9", "13"),
    ("english", "1", "K10", "10", "15"),
    ("english", "K10", "32", "10", "6"),
    ("international", "5", "K46", "46", "10"),
    ("international", "5,6", "K46", "46", "28"),
    ("russian", "d4", "c3", "c3", "e5"),
    ("russian", "e7", "c3,Kh2", "H2", "g3"),
    ("turkish", "h8", "a1", "a1", "b1"),
]


@pytest.mark.parametrize(("variant", "black", "white", "start", "end"), LEGAL)
def test_legal_move(variant: str, black: str, white: str, start: str, end: str) -> None:
    result = check(variant, *lists(black=black, white=white), start, end)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "legal\n", "")


# Variant, black, white, start, end, and a fact that the reason mentions. The golden file has the reasons.
ILLEGAL = [
    # The cases of the exercise.
    ("english", "2,6", "9", "9", "2", "black man"),
    ("english", "6", "9,2", "9", "2", "white man"),
    ("english", "7,14", "17", "17", "10", "17x3"),
    ("english", "5", "9", "9", "4", "diagonal"),
    ("english", "2", "1", "1", "3", "diagonal"),
    ("english", "6", "1", "1", "10", "backward"),
    ("english", "", "9,6", "9", "2", "white man"),
    # A man moves forward, one step, diagonally.
    ("english", "1", "18", "18", "22", "backward"),
    ("english", "1", "18", "18", "11", "18"),
    ("english", "1", "18", "18", "17", "diagonal"),
    ("english", "1", "18", "18", "10", "diagonal"),
    ("english", "1", "18,14", "18", "14", "white man"),
    ("english", "1", "18", "18", "18", "square"),
    # Captures are compulsory, by this piece or another one.
    ("english", "6", "9,32", "32", "28", "9x2"),
    ("english", "14", "18", "18", "15", "18x9"),
    ("international", "5,41", "46,K36", "36", "31", "46x37"),
    # An empty start square.
    ("english", "6", "9", "20", "16", "20"),
    # The majority rule.
    ("international", "22,33,11", "28", "28", "39", "28x6"),
    ("russian", "d4", "c3", "c3", "b4", "c3:e5"),
    ("russian", "h8", "c3", "c3", "d2", "backward"),
]


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal_move_has_a_reason(case: tuple[str, ...]) -> None:
    variant, black, white, start, end, fact = case
    result = check(variant, *lists(black=black, white=white), start, end)
    assert (result.exit_code, result.stderr) == (1, "")
    (line,) = result.stdout.splitlines()
    assert line.startswith("not legal: ")
    assert fact in line


@pytest.mark.parametrize(
    ("black", "white", "place"),
    [
        ("6,77", "9", "--black: line 1, column 3: "),
        ("6", "9,77", "--white: line 1, column 3: "),
        ("77", "77", "--black: line 1, column 1: "),
        ("6", "9,6", "--white: line 1, column 3: "),
        ("9", "9", "--white: line 1, column 1: "),
    ],
)
def test_error_names_the_option_and_the_place(black: str, white: str, place: str) -> None:
    result = check("english", "--black", black, "--white", white, "9", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {place}")


def test_missing_move_exits_with_2() -> None:
    result = check("english")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "MOVE" in result.stderr


def test_position_is_the_start_unless_a_fen_is_given() -> None:
    assert check("russian", "--fen", "W:Wc3,e3:Bd4", "c3", "e5").stdout == "legal\n"
    assert check("international", "32", "28").stdout == "legal\n"
    assert check("international", "32", "23").exit_code == 1


def test_json() -> None:
    facts = json.loads(check("english", "--black", "6", "--white", "9", "9", "2", "--json").stdout)
    assert facts == {"variant": "english", "fen": "W:W9:B6", "legal": True, "reason": None}
    result = check("english", "--black", "6", "--white", "9", "9", "5", "--json")
    facts = json.loads(result.stdout)
    assert (result.exit_code, facts["legal"]) == (1, False)
    assert "9x2" in facts["reason"]
