"""Games of mancala as text, there and back."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, NotationError
from tablemen.mancala import VARIANTS, Position
from tablemen.mancala.game_record import MancalaGame, format_record, parse_records

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
def test_games_come_back(written: list[tuple[MancalaGame, dict[str, str]]]) -> None:
    text = "\n".join(format_record(game, tags) for game, tags in written)
    assert [tuple(record) for record in parse_records(text)] == written


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Variant: kalah\nhello\n", "line 2, column 1: 'hello' is not a line like `South: Ann`"),
        ("Variant: kala\n", "line 1, column 1: unknown variant 'kala'; did you mean kalah or fairkalah?"),
        ("South: Ann\n", "line 1, column 1: unknown variant ''"),
        ("Variant: kalah\nStart: <6> south\n", "line 2, column 1: the board has 0 pits, not 14"),
        ("Variant: kalah\nMoves: 3 x\n", "line 2, column 1: move 2: 'x' is not the number of a house"),
        ("Variant: kalah\nMoves: 3 3\n", "line 2, column 1: move 2: 3 is not legal here"),
        ("Variant: kalah\nVariant: kalah\n", "line 2, column 1: Variant occurs twice in a game"),
        ("Variant: kalah\n\n\nVariant: oware\nMoves: 7", "line 5, column 1: move 1: there is no house 7"),
        ("Variant: kalah\nStart: <6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south\nMoves: 1", "move 1: the game is over"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)):
        parse_records(text)


def test_a_given_variant_is_that_of_games_that_name_none() -> None:
    assert parse_records("Moves: 1", "oware")[0].game.start.variant.name == "oware"
    with pytest.raises(NotationError, match="the game is kalah, not oware"):
        parse_records("Variant: kalah", "oware")


@pytest.mark.parametrize(
    "tags", [{"": "x"}, {"Two words": "x"}, {"Moves": "1"}, {"South": "two\nlines"}, {"South": 3}, {3: "x"}]
)
def test_tags_that_could_not_be_read_again_are_refused(tags: Any) -> None:
    with pytest.raises(ArgumentError):
        format_record(Game(Position.start("kalah")), tags)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a str, not bytes"):
        parse_records(b"Moves: 1")  # type: ignore[arg-type]


@pytest.mark.parametrize(("houses", "seeds"), [(1, 1), (4, 3), (12, 2), (24, 1)])
def test_boards_of_other_sizes_are_read_again(houses: int, seeds: int) -> None:
    game: MancalaGame = Game(Position.start(replace(VARIANTS["kgp"], houses=houses, seeds=seeds)))
    game.push(game.legal_moves()[0])
    (record,) = parse_records(format_record(game))
    assert record.game == game
    with pytest.raises(NotationError):
        parse_records(format_record(game), "kgp")  # which is a board of another size


@pytest.mark.parametrize(
    "start", ["<4,0,0,99999999,99999999> south", "<99,0,0,1,1>", "<4,0,0,0,0,0,0,0,0,0,0>", "<4,,>"]
)
def test_starts_of_other_sizes_that_there_cannot_be(start: str) -> None:
    with pytest.raises(NotationError):
        parse_records(f"Variant: kgp\nStart: {start}\nMoves: 1\n")
