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
    games = [Openings(lines).begin("english", number, seed=number) for number in range(9)]
    assert games == [*lines, *lines[:2]]
    games[0].push(games[0].legal_moves()[0])
    assert len(lines[0].moves) == 1


def test_random_moves_depend_on_the_seed_and_the_number() -> None:
    openings = Openings(plies=6)
    games = [openings.begin("international", number, seed=1) for number in range(20)]
    assert games == [openings.begin("international", number, seed=1) for number in range(20)]
    assert all(len(game.moves) == 6 for game in games)
    assert len({str(game) for game in games}) == 20
    assert games != [openings.begin("international", number, seed=2) for number in range(20)]


def test_random_moves_follow_a_line() -> None:
    line: Game[Any, Any] = Game(Position.start("english"), ["11-15"])
    games = Openings([line], plies=2).begin("english", 0, seed=0)
    assert (len(games.moves), games.moves[0]) == (3, line.moves[0])


def test_finished_games_are_not_openings() -> None:
    finished: Game[Any, Any] = Game(Position.from_fen("W:W:B1", "english"))
    with pytest.raises(GameError, match=r"opening 2 .*Black"):
        Openings([Game(Position.start("english")), finished])


def test_random_moves_must_not_always_end_the_game() -> None:
    short: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))
    with pytest.raises(GameError, match="3 random moves"):
        Openings([short], plies=3).begin("international", 0, seed=0)


def test_openings_of_another_variant_are_rejected() -> None:
    with pytest.raises(GameError, match=r"english.* russian"):
        Openings([Game(Position.start("english"))]).begin("russian", 0, seed=0)


@pytest.mark.parametrize("plies", [-1, 0.5, True])
def test_invalid_plies(plies: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        Openings(plies=plies)
    assert (caught.value.name, caught.value.value) == ("plies", plies)


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
        (b"", "has no openings"),
        (b"# nothing\n", "has no openings"),
        (b"\xff\xfe\xff", "UTF-8"),
        (b"W:W31:B1\nW:W33:B1\n", "line 2, column 4: .*'33'"),
        (b"W:W:B1\n", "opening 1 .*Black wins"),
        (b"hello world\n", "line 1"),
    ],
)
def test_invalid_files(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "openings").write_bytes(content)
    name = str(tmp_path / "openings")
    with pytest.raises(TablemenError, match=f"^{re.escape(name)}.* {problem}"):
        parse_openings(name, "english")


def test_all_positions_after_some_moves() -> None:
    # English draughts has 302 sequences of three moves; some lead to the same position.
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


def test_too_many_positions_or_none_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OPENINGS", 500)
    with pytest.raises(GameError, match=r"500 positions after 4 moves.* random:99$"):
        parse_openings("all:99", "english")
    tiny = replace(KALAH, name="tiny", houses=1, seeds=1)
    with pytest.raises(GameError, match="9 moves"):
        parse_openings("all:9", tiny)


def test_boards_of_fairkalah() -> None:
    for variant in ("fairkalah", "kalah"):
        lines = parse_openings("fairkalah", variant).lines
        assert len(lines) == BOARDS
        assert lines[3].start == fair_start(4, rules=find_variant(variant))
    for other in ("oware", "english", replace(KALAH, name="small", houses=4)):
        with pytest.raises(TablemenError, match=f"^fairkalah .* not for {find_variant(other)}$"):
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


@pytest.mark.parametrize("kind", ["random", "all"])
@pytest.mark.parametrize("plies", ["", ":", ":many", ":-1", ":1000", ":٣"])
def test_invalid_numbers_of_plies(kind: str, plies: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_openings(f"{kind}{plies}", "english")
    assert (caught.value.name, caught.value.value) == ("openings", f"{kind}{plies}")


def test_a_missing_file_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        parse_openings("/no/such/file", "english")
