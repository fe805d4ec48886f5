"""The first moves of the games of a match."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablemen import ArgumentError, Game, GameError, TablemenError
from tablemen.draughts import ENGLISH, Position
from tablemen.families.draughts import DraughtsGame
from tablemen.match import Openings, parse_openings


def test_without_any_games_begin_at_the_start() -> None:
    assert Openings().begin("english", 5, seed=1) == Game(Position.start("english"))


def test_lines_come_one_after_the_other() -> None:
    lines = [Game(Position.start("english"), [move]) for move in Position.start("english").legal_moves()]
    begun = [Openings(lines).begin("english", number, seed=number) for number in range(9)]
    assert begun == [*lines, *lines[:2]]
    begun[0].push(begun[0].legal_moves()[0])
    assert len(lines[0].moves) == 1


def test_chance_is_that_of_the_seed_and_the_number() -> None:
    openings = Openings(plies=6)
    begun = [openings.begin("international", number, seed=1) for number in range(20)]
    assert begun == [openings.begin("international", number, seed=1) for number in range(20)]
    assert all(len(game.moves) == 6 for game in begun)
    assert len({str(game) for game in begun}) == 20
    assert begun != [openings.begin("international", number, seed=2) for number in range(20)]


def test_moves_by_chance_follow_a_line() -> None:
    line: DraughtsGame = Game(Position.start("english"), ["11-15"])
    begun = Openings([line], plies=2).begin("english", 0, seed=0)
    assert (len(begun.moves), begun.moves[0]) == (3, line.moves[0])


def test_an_opening_is_not_over() -> None:
    over: DraughtsGame = Game(Position.from_fen("W:W:B1", "english"))
    with pytest.raises(GameError, match="opening 2 is a game that is over: black wins: no pieces left"):
        Openings([Game(Position.start("english")), over])
    doomed: DraughtsGame = Game(Position.from_fen("W:W28:B23", "international"))
    with pytest.raises(GameError, match="3 moves by chance have ended every game that was tried"):
        Openings([doomed], plies=3).begin("international", 0, seed=0)


def test_openings_are_of_the_variant() -> None:
    with pytest.raises(GameError, match="the openings are english, and the match is russian"):
        Openings([Game(Position.start("english"))]).begin("russian", 0, seed=0)


@pytest.mark.parametrize("plies", [-1, 0.5, True])
def test_plies_are_a_number(plies: int) -> None:
    with pytest.raises(ArgumentError, match="a number of plies is expected"):
        Openings(plies=plies)


def test_files(tmp_path: Path) -> None:
    games, positions = tmp_path / "games.pdn", tmp_path / "positions"
    games.write_text('[Event "1"]\n1. 11-15 23-19 *\n\n[Event "2"]\n1. 9-13 *\n', encoding="utf-8")
    read = parse_openings(str(games), "english")
    assert [len(line.moves) for line in read.lines] == [2, 1]
    assert read.text == str(games)
    positions.write_text(f"\ufeff{Position.start(ENGLISH).fen()}\n", encoding="utf-8")
    assert [line.start for line in parse_openings(str(positions), ENGLISH).lines] == [Position.start("english")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "openings has no openings"),
        (b"# nothing\n", "openings has no openings"),
        (b"\xff\xfe\xff", "openings is not a text"),
        (b"W:W31:B1\nW:W33:B1\n", "openings: line 2, column 4: english has no square '33'"),
        (b"W:W:B1\n", "openings: opening 1 is a game that is over"),
        (b"hello world\n", "openings: "),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "openings").write_bytes(content)
    with pytest.raises(TablemenError, match=re.escape(problem)):
        parse_openings(str(tmp_path / "openings"), "english")


def test_texts_that_are_no_openings() -> None:
    with pytest.raises(ArgumentError, match="random: and a number of plies, as in random:6, is expected"):
        parse_openings("random:many", "english")
    with pytest.raises(FileNotFoundError):
        parse_openings("/no/such/file", "english")
