"""Openings of matches."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, TablemenError
from tablemen.draughts import ENGLISH, Position
from tablemen.family import find_variant
from tablemen.mancala.fairkalah import BOARDS, fair_start
from tablemen.mancala.variants import KALAH
from tablemen.match import Openings, parse_openings
from tablemen.match import openings as module


def test_without_openings_games_begin_at_the_start() -> None:
    assert Openings().begin("english", 5, seed=1) == Game(Position.start("english"))


def test_lines_are_used_in_order() -> None:
    lines = [Game(Position.start("english"), [move]) for move in Position.start("english").legal_moves()]
    begun = [Openings(lines).begin("english", number, seed=number) for number in range(9)]
    assert begun == [*lines, *lines[:2]]
    begun[0].push(begun[0].legal_moves()[0])
    assert len(lines[0].moves) == 1


def test_random_moves_depend_on_the_seed_and_the_number() -> None:
    openings = Openings(plies=6)
    begun = [openings.begin("international", number, seed=1) for number in range(20)]
    assert begun == [openings.begin("international", number, seed=1) for number in range(20)]
    assert all(len(game.moves) == 6 for game in begun)
    assert len({str(game) for game in begun}) == 20
    assert begun != [openings.begin("international", number, seed=2) for number in range(20)]


def test_random_moves_follow_a_line() -> None:
    line: Game[Any, Any] = Game(Position.start("english"), ["11-15"])
    begun = Openings([line], plies=2).begin("english", 0, seed=0)
    assert (len(begun.moves), begun.moves[0]) == (3, line.moves[0])


def test_an_opening_is_not_over() -> None:
    over: Game[Any, Any] = Game(Position.from_fen("W:W:B1", "english"))
    with pytest.raises(GameError, match="opening 2 is a game that is over: Black wins: the side to move has no pieces left"):
        Openings([Game(Position.start("english")), over])
    doomed: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
    with pytest.raises(GameError, match="3 random moves ended every game that was tried"):
        Openings([doomed], plies=3).begin("international", 0, seed=0)


def test_openings_of_another_variant_are_refused() -> None:
    with pytest.raises(GameError, match="the openings are english, and the match is russian"):
        Openings([Game(Position.start("english"))]).begin("russian", 0, seed=0)


@pytest.mark.parametrize("plies", [-1, 0.5, True])
def test_invalid_plies(plies: int) -> None:
    with pytest.raises(ArgumentError, match="a number of plies is expected"):
        Openings(plies=plies)


def test_openings_are_read_from_files(tmp_path: Path) -> None:
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
def test_invalid_files(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "openings").write_bytes(content)
    with pytest.raises(TablemenError, match=re.escape(problem)):
        parse_openings(str(tmp_path / "openings"), "english")


def test_all_positions_after_some_moves() -> None:
    """English draughts has 7 first moves, 49 positions after two, and fewer than 302 after three: paths transpose."""
    assert parse_openings("all:0", "english").lines == (Game(Position.start("english")),)
    assert [str(line.moves[0]) for line in parse_openings("all:1", "english").lines] == [
        str(move) for move in Position.start("english").legal_moves()
    ]
    three = parse_openings("all:3", "english")
    positions = {line.position for line in three.lines}
    assert len(positions) == len(three.lines) < 302
    assert {len(line.moves) for line in three.lines} == {3}
    assert positions == {
        game.play(move)
        for line in parse_openings("all:2", "english").lines
        for game in (line.position,)
        for move in game.legal_moves()
    }
    assert three == parse_openings("all:3", "english")
    assert three.text == "all:3"


def test_a_set_that_is_too_large_or_empty_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OPENINGS", 500)
    with pytest.raises(GameError, match="there are more than 500 positions after 4 moves: use random:99"):
        parse_openings("all:99", "english")
    tiny = replace(KALAH, name="tiny", houses=1, seeds=1)
    with pytest.raises(GameError, match="every game is over after 9 moves"):
        parse_openings("all:9", tiny)


def test_boards_of_fairkalah() -> None:
    for variant in ("fairkalah", "kalah"):
        lines = parse_openings("fairkalah", variant).lines
        assert len(lines) == BOARDS
        assert lines[3].start == fair_start(4, rules=find_variant(variant))
    for other in ("oware", "english", replace(KALAH, name="small", houses=4)):
        with pytest.raises(TablemenError, match="fairkalah is for games of the Kalah family with six houses, and not"):
            parse_openings("fairkalah", other)


def test_random_order() -> None:
    openings = parse_openings("all:2", "english")
    one, again, other = (openings.shuffled(seed) for seed in (1, 1, 2))
    assert one == again != other
    assert one.lines != openings.lines
    assert sorted(map(str, one.lines)) == sorted(map(str, openings.lines))
    assert one.text == "all:2"
    assert (openings.order, one.order) == ("sequential", "random")
    assert Openings(plies=3).shuffled(1).plies == 3


def test_invalid_texts() -> None:
    for kind in ("random", "all"):
        for plies in ("many", "", "-1", "1000", "٣"):
            with pytest.raises(ArgumentError, match=f"{kind}: and a number of plies, as in {kind}:6, is expected"):
                parse_openings(f"{kind}:{plies}", "english")
        with pytest.raises(ArgumentError, match=f"{kind}: and a number of plies"):
            parse_openings(kind, "english")
    with pytest.raises(FileNotFoundError):
        parse_openings("/no/such/file", "english")
