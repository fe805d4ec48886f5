"""Moves as text, in the notation of each variant."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given

from tablemen.draughts import Move, Position, numbering, rules
from tablemen.draughts.notation import format_move
from tests.strategies import played_positions, positions, rule_sets, variants


@pytest.mark.parametrize(
    ("name", "path", "captured", "text"),
    [
        ("international", [32, 28], [], "32-28"),
        ("international", [32, 23], [28], "32x23"),
        ("international", [32, 23, 14], [28, 19], "32x14"),
        ("russian", ["c3", "d4"], [], "c3-d4"),
        ("russian", ["c3", "e5", "c7"], ["d4", "d6"], "c3:c7"),
        ("brazilian", ["c3", "e5"], ["d4"], "c3xe5"),
        ("turkish", ["a3", "a5"], ["a4"], "a3xa5"),
        ("jamaican", ["c1", "d2"], [], "c1-d2"),
        ("thai", [10, 14], [], "10-14"),
        ("thai", [10, 19], [14], "10-19"),
    ],
)
def test_a_move_is_written_as_its_variant_writes_it(
    name: str, path: list[int | str], captured: list[int | str], text: str
) -> None:
    assert str(Move(name, path, captured)) == text


def test_an_ambiguous_capture_names_every_square() -> None:
    path, captured = [10, 32, 21, 3], [14, 27, 17]
    assert str(Move("international", path, captured)) == "10x3"
    assert str(Move("international", path, captured, ambiguous=True)) == "10x32x21x3"
    assert format_move(Move("international", path, captured), full=True) == "10x32x21x3"


def test_captures_with_the_same_ends_and_other_pieces_are_told_apart() -> None:
    moves = Position.from_fen("W:WK10:B14,17,27,31", "international").legal_moves()
    assert sorted(map(str, moves)) == [
        "10x32x21x12",
        "10x32x21x3",
        "10x32x21x8",
        "10x37x26x12",
        "10x37x26x3",
        "10x37x26x8",
    ]


def test_captures_with_other_ends_need_no_way() -> None:
    moves = Position.from_fen("W:WK46:B23", "international").legal_moves()
    assert sorted(map(str, moves)) == ["46x10", "46x14", "46x19", "46x5"]


@given(played_positions(rule_sets()))
def test_moves_come_back_from_repr_pickle_and_copies(position: Position) -> None:
    names = vars(numbering) | vars(rules) | {"Move": Move}
    for move in position.legal_moves()[:5]:
        for other in (eval(repr(move), names), pickle.loads(pickle.dumps(move)), copy.copy(move), copy.deepcopy(move)):
            assert other == move
            assert (hash(other), str(other), other.variant) == (hash(move), str(move), move.variant)
            assert (other.path, other.captured, other.crowns) == (move.path, move.captured, move.crowns)


@given(positions(variants()))
def test_no_two_moves_of_a_position_are_written_alike(position: Position) -> None:
    texts = [str(move) for move in position.legal_moves()]
    assert len(set(texts)) == len(texts)
    for text, move in zip(texts, position.legal_moves(), strict=True):
        separator = position.variant.capture_separator if move.is_capture else "-"
        names = text.split(separator)
        assert (names[0], names[-1]) == (move.start.name, move.end.name)
