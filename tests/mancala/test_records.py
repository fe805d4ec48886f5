"""Parsing and formatting of game records."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, NotationError
from tablemen.mancala import VARIANTS, Position
from tablemen.mancala.notation import MancalaGame, format_record, parse_records

NAMES = st.from_regex("[A-Z][a-z]{0,8}", fullmatch=True).filter(lambda name: name not in {"Variant", "Start", "Moves"})
VALUES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))).map(str.strip)


@st.composite
def games(draw: st.DrawFn) -> MancalaGame:
    game: MancalaGame = Game(Position.start(draw(st.sampled_from(list(VARIANTS)))))
    random = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 80))):
        if game.outcome() is None:
            game.push(random.choice(game.legal_moves()))
    return game


@given(written=st.lists(st.tuples(games(), st.dictionaries(NAMES, VALUES, max_size=3)), max_size=3))
def test_records_round_trip(written: list[tuple[MancalaGame, dict[str, str]]]) -> None:
    text = "\n".join(format_record(game, tags) for game, tags in written)
    assert [tuple(record) for record in parse_records(text)] == written


@pytest.mark.parametrize(
    ("text", "line", "fact"),
    [
        ("Variant: kalah\nhello\n", 2, "'hello'"),
        ("Variant: kala\n", 1, "'kala'"),
        ("South: Ann\n", 1, "''"),
        ("Variant: kalah\nStart: <6> south\n", 2, "0 pits"),
        ("Variant: kalah\nMoves: 3 x\n", 2, "move 2: 'x'"),
        ("Variant: kalah\nMoves: 3 3\n", 2, "move 2: house 3 is empty"),
        ("Variant: kalah\nVariant: kalah\n", 2, "Variant"),
        ("Variant: kalah\n\n\nVariant: oware\nMoves: 7", 5, "move 1: there is no house 7"),
        ("Variant: kalah\nStart: <6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south\nMoves: 1", 3, "move 1: the game is over"),
    ],
)
def test_errors_are_located(text: str, line: int, fact: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_records(text)
    assert (caught.value.line, caught.value.column) == (line, 1)
    assert fact in caught.value.problem


def test_the_given_variant_applies_to_games_that_do_not_name_one() -> None:
    assert parse_records("Moves: 1", "oware")[0].game.start.variant.name == "oware"
    with pytest.raises(NotationError, match=r"kalah.*oware"):
        parse_records("Variant: kalah", "oware")


@pytest.mark.parametrize(
    "tags", [{"": "x"}, {"Two words": "x"}, {"Moves": "1"}, {"South": "two\nlines"}, {"South": 3}, {3: "x"}]
)
def test_tags_that_could_not_be_parsed_again_are_errors(tags: Any) -> None:
    with pytest.raises(ArgumentError):
        format_record(Game(Position.start("kalah")), tags)


def test_only_text_is_parsed() -> None:
    with pytest.raises(TypeError, match="bytes"):
        parse_records(b"Moves: 1")  # type: ignore[arg-type]


@pytest.mark.parametrize(("houses", "seeds"), [(1, 1), (4, 3), (12, 2), (24, 1)])
def test_boards_of_other_sizes_round_trip(houses: int, seeds: int) -> None:
    game: MancalaGame = Game(Position.start(replace(VARIANTS["kgp"], houses=houses, seeds=seeds)))
    game.push(game.legal_moves()[0])
    (record,) = parse_records(format_record(game))
    assert record.game == game
    with pytest.raises(NotationError):
        parse_records(format_record(game), "kgp")  # a board of another size


@pytest.mark.parametrize(
    "start", ["<4,0,0,99999999,99999999> south", "<99,0,0,1,1>", "<4,0,0,0,0,0,0,0,0,0,0>", "<4,,>"]
)
def test_invalid_boards_of_other_sizes(start: str) -> None:
    with pytest.raises(NotationError):
        parse_records(f"Variant: kgp\nStart: {start}\nMoves: 1\n")
