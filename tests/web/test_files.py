"""Files that would ask too much of a server."""

from __future__ import annotations

import pytest

from tablemen.web.files import read_file
from tablemen.web.models import GameFile, ReadFile


def read(text: str, variant: str | None = None) -> ReadFile:
    return read_file(GameFile(text=text, variant=variant))


@pytest.mark.parametrize("text", ['[GameType "21"] 1. 99-98 *\n\n', "Variant: nix\n\n", "x\n\n"])
def test_a_file_with_very_many_problems_is_not_read_to_its_end(text: str) -> None:
    """Not even far: what follows is enough to keep a server busy for minutes."""
    found = read(text * 60_000, "english" if "[" in text else "kalah")
    assert len(found.problems) == 101
    assert found.problems[-1] == "the rest of the file is not read: too much is wrong with it"


def test_a_game_with_very_many_problems_tells_the_first_of_them() -> None:
    found = read(f'[GameType "21"] 1. 11-15 {"(1. 11-16 ...)" * 150} *')
    assert len(found.games) == 1
    assert len(found.problems) == 101
    assert found.problems[-1] == "and 50 problems more"


def test_a_problem_does_not_quote_everything() -> None:
    (problem,) = read(f"Variant: {'a' * 100_000}\nMoves: 1").problems
    assert problem.startswith("game 1: line 1: there is no game called 'aaa")
    assert len(problem) == 301


MANY = 300_000


@pytest.mark.parametrize(
    "text",
    [
        "\n" * MANY + "x",
        " \n" * MANY + "x",
        " " * MANY + "x",
        "[" + "\n" * MANY,
        "1" + "\n" * MANY,
        "Variant: a" + " " * MANY + "b",
        "Variant: kalah\nStart:" + " " * MANY + "x",
        "Variant: kalah\nStart: <1" + " " * MANY + "x",
        "Variant: kalah\nStart: <" + "1 , " * MANY,
        "Variant: kalah\n" + "Start: <1,\n" * MANY,
        'FEN "W:W1' + " " * MANY + 'x"',
        "1. 32" + " " * MANY + "28",
        "1. 32-28 {[%clk 1" + " " * MANY + "} x",
    ],
)
@pytest.mark.parametrize("variant", [None, "kalah", "international"])
def test_long_runs_of_blanks_are_looked_through_once(text: str, variant: str | None) -> None:
    """Were each blank looked through from every other, this would take hours."""
    assert read(text, variant).games == []
