"""`tablemen check`: legal, or why not."""

from __future__ import annotations

import re

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
    # Who stands on the start is to move: Black's men go down, kings both ways.
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
def test_legal(variant: str, black: str, white: str, start: str, end: str) -> None:
    result = check(variant, *lists(black=black, white=white), start, end)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "legal\n", "")


# Variant, black, white, start, end, and what the line has to say.
ILLEGAL = [
    # The cases of the exercise.
    ("english", "2,6", "9", "9", "2", r"occupied|stands"),
    ("english", "6", "9,2", "9", "2", r"occupied|stands"),
    ("english", "7,14", "17", "17", "10", r"on jumping|go on"),
    ("english", "5", "9", "9", "4", r"diagonal"),
    ("english", "2", "1", "1", "3", r"diagonal"),
    ("english", "6", "1", "1", "10", r"backward"),
    ("english", "", "9,6", "9", "2", r"diagonal|own|captur|jump"),
    # A man goes forward, one step, diagonally.
    ("english", "1", "18", "18", "22", r"backward"),
    ("english", "1", "18", "18", "11", r"diagonal|step|far|jump"),
    ("english", "1", "18", "18", "17", r"diagonal"),
    ("english", "1", "18", "18", "10", r"diagonal"),
    ("english", "1", "18,14", "18", "14", r"occupied|stands"),
    ("english", "1", "18", "18", "18", r"."),
    # Captures come first, this piece's or another's.
    ("english", "6", "9,32", "32", "28", r"captur.*9x2"),
    ("english", "14", "18", "18", "15", r"captur.*18x9"),
    ("international", "5,41", "46,K36", "36", "31", r"captur.*46x37"),
    # Nothing to move.
    ("english", "6", "9", "20", "16", r"20.*empty|empty.*20|no piece.*20|20.*no piece"),
    # The most pieces.
    ("international", "22,33,11", "28", "28", "39", r"28x6|most|captur"),
    ("russian", "d4", "c3", "c3", "b4", r"captur.*c3:e5"),
    ("russian", "h8", "c3", "c3", "d2", r"backward"),
]


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal_and_why(case: tuple[str, ...]) -> None:
    variant, black, white, start, end, why = case
    result = check(variant, *lists(black=black, white=white), start, end)
    assert (result.exit_code, result.stderr) == (1, "")
    (line,) = result.stdout.splitlines()
    assert line != "legal"
    assert re.search(why, line), line


@pytest.mark.parametrize(
    "arguments",
    [
        ["english", "--white", "33", "9", "2"],
        ["english", "--white", "9", "33", "2"],
        ["english", "--white", "9", "9", "0"],
        ["english", "--white", "9", "9", "x"],
        ["english", "--white", "9,,10", "9", "2"],
        ["english", "--black", "9", "--white", "9", "9", "2"],
        ["english", "--white", "c3", "c3", "d4"],
        ["russian", "--white", "c4", "c4", "d5"],
        ["rusian", "--white", "c3", "c3", "d4"],
        ["english", "--white", "9", "9"],
        ["english"],
    ],
)
def test_a_bad_question_ends_with_2(arguments: list[str]) -> None:
    result = check(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr
    assert "Traceback" not in result.stderr


def test_the_place_of_a_mistake_is_told() -> None:
    result = check("english", "--black", "6,77", "--white", "9", "9", "2")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: --black: line 1, column 3: english has no square '77'")
