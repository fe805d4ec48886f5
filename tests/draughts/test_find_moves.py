"""Moves found by the squares that name them."""

from __future__ import annotations

import pytest
from hypothesis import given

from tablemen import TablemenError
from tablemen.draughts import Move, Position
from tests import strategies

TWO_WAYS = Position.from_fen("W:WK10:B14,17,27,31", "international")  # to 3, taking 27 or 31 besides 14 and 17


def ways(position: Position, *squares: int) -> list[tuple[int, ...]]:
    return [move.path for move in position.find_moves(squares)]


def test_start_and_end_name_a_move() -> None:
    start = Position.start("international")
    assert start.find_moves([32, 28]) == (Move("international", [32, 28]),)
    assert start.find_moves(["32", "29"]) == ()


def test_squares_between_tell_captures_apart() -> None:
    assert ways(TWO_WAYS, 10, 3) == [(10, 32, 21, 3), (10, 37, 26, 3)]
    assert all(move.ambiguous for move in TWO_WAYS.find_moves([10, 3]))
    assert ways(TWO_WAYS, 10, 32, 21, 3) == [(10, 32, 21, 3)]
    assert TWO_WAYS.find_moves([10, 32, 21, 3])[0].ambiguous


def test_some_of_the_squares_between_are_enough() -> None:
    assert ways(TWO_WAYS, 10, 37, 3) == [(10, 37, 26, 3)]


def test_another_way_with_the_same_captures_is_the_same_move() -> None:
    round_trip = Position.from_fen("W:W14:B8,9,18,19", "international")
    (move,) = round_trip.legal_moves()
    there, back = (way.path for way in round_trip.legal_moves(paths=True))
    assert round_trip.find_moves(there) == round_trip.find_moves(back) == (move,)


@pytest.mark.parametrize("squares", [(10, 28, 3), (10, 14, 3), (10, 3, 10), (10, 37, 21, 3), (10, 10, 3)])
def test_squares_off_the_way_name_nothing(squares: tuple[int, ...]) -> None:
    assert ways(TWO_WAYS, *squares) == []


def test_a_quiet_move_goes_over_nothing() -> None:
    assert ways(Position.from_fen("W:WK46:B5", "international"), 46, 37, 28) == []


@pytest.mark.parametrize("squares", [[], [32]])
def test_a_move_has_two_squares(squares: list[int]) -> None:
    with pytest.raises(TablemenError, match="at least two squares"):
        Position.start("international").find_moves(squares)


def test_a_text_is_no_list_of_squares() -> None:
    with pytest.raises(TypeError, match="not the text '32'"):
        Position.start("international").find_moves("32")


def test_a_truth_is_no_square() -> None:
    with pytest.raises(TypeError, match="not True"):
        Position.start("international").find_moves([True, 28])


def test_squares_are_on_the_board() -> None:
    with pytest.raises(TablemenError, match="no square 51"):
        Position.start("international").find_moves([32, 51])


@given(strategies.positions())
def test_every_way_of_every_move_names_it(position: Position) -> None:
    legal = position.legal_moves()
    for move in legal:
        same_ends = [each for each in legal if (each.start, each.end) == (move.start, move.end)]
        assert list(position.find_moves([move.start, move.end])) == same_ends
    for way in position.legal_moves(paths=True):
        found = position.find_moves(way.path)
        assert way in found
        if len(way.path) > 2:
            assert all(set(each.captured) == set(way.captured) for each in found)
