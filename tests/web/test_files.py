"""Game files: what cannot be read of them is told, and no file asks too much of a server."""

from __future__ import annotations

import pytest

from tablemen.errors import TablemenError
from tablemen.web.files import parse_file
from tablemen.web.models import GameFileText, ParsedFile


def read(text: str, variant: str | None = None) -> ParsedFile:
    return parse_file(GameFileText(text=text, variant=variant))


def test_games_that_cannot_be_read_are_told_and_the_others_shown() -> None:
    found = read('[GameType "21"] 1. 99-98 *\n\n[GameType "21"] 1. 11-15 *\n')
    assert [[node.move.text for node in game.nodes] for game in found.games] == [["11-15"]]
    (problem,) = found.problems
    assert problem.startswith("game 1, line 1, column 20")


def test_no_more_games_are_shown_than_a_page_can_take() -> None:
    found = read('[GameType "21"] 1. 11-15 *\n\n' * 51)
    assert len(found.games) == 50
    assert found.problems == ["the file has more games; the first 50 are shown"]
    found = read("Variant: kalah\nMoves: 1\n\n" * 51)
    assert len(found.games) == 50
    assert found.problems == ["the file has more games; the first 50 are shown"]


def test_no_more_moves_are_shown_than_a_page_can_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.files.MAX_NODES", 3)
    found = read('[GameType "21"] 1. 11-15 23-19 *\n\n' * 2)
    assert len(found.games) == 1
    assert found.problems == ["the file has more than 3 moves; the games from there on are not shown"]


def test_a_file_that_takes_too_long_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.files.PARSE_TIMEOUT", -1)
    assert read("1. 32-28 *", "international").problems == ["the rest of the file takes too long to read"]


@pytest.mark.parametrize("text", ["", " \n ", "\n\n\n"])
def test_a_file_without_games_is_refused(text: str) -> None:
    with pytest.raises(TablemenError, match="no game"):
        read(text)


def test_records_of_boards_of_any_size_are_read() -> None:
    text = "South: Ann\nVariant: kalah\nStart: <3,0,0,2,2,2,2,2,2> south\nMoves: 1 3\n\nVariant: oware\nMoves: 1\n"
    first, second = read(text).games
    assert (first.variant, first.houses, first.seeds, first.tags) == ("kalah", 3, 2, {"South": "Ann"})
    assert [(node.parent, node.move.text) for node in first.nodes] == [(-1, "1"), (0, "3")]
    assert (second.variant, second.houses) == ("oware", 6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Variant: kalah\nMoves: 9\n", "game 1: line 2, column 1: move 1: there is no house 9"),
        ("\n\nVariant: kalah\nStart: <0,1,2>\n", "line 4"),
        ("Variant: kalah\nStart: <99,1,2>\n", "line 2"),
        ("Variant: nix\nMoves: 1\n", "there is no game called 'nix'"),
        ("Variant: kalah\nnonsense\n", "is not a line like"),
    ],
)
def test_records_that_cannot_be_read_are_told(text: str, words: str) -> None:
    found = read(text)
    assert found.games == []
    assert words in found.problems[0]


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
