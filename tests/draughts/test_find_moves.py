"""`Position.find_moves`: moves by their squares."""

from __future__ import annotations

import pytest
from hypothesis import given

from tablemen import TablemenError
from tablemen.draughts import Move, Position
from tests import strategies

# Captures from 10 to 3 take 14, 17 and either 27 or 31.
TWO_CAPTURES = Position.from_fen("W:WK10:B14,17,27,31", "international")


def find_paths(position: Position, *squares: int) -> list[tuple[int, ...]]:
    return [move.path for move in position.find_moves(squares)]


def test_start_and_end_identify_a_move() -> None:
    start = Position.start("international")
    assert start.find_moves([32, 28]) == (Move("international", [32, 28]),)
    assert start.find_moves(["32", "29"]) == ()


def test_squares_between_distinguish_captures() -> None:
    assert find_paths(TWO_CAPTURES, 10, 3) == [(10, 32, 21, 3), (10, 37, 26, 3)]
    assert all(move.ambiguous for move in TWO_CAPTURES.find_moves([10, 3]))
    assert find_paths(TWO_CAPTURES, 10, 32, 21, 3) == [(10, 32, 21, 3)]
    assert TWO_CAPTURES.find_moves([10, 32, 21, 3])[0].ambiguous


def test_some_of_the_squares_between_are_enough() -> None:
    assert find_paths(TWO_CAPTURES, 10, 37, 3) == [(10, 37, 26, 3)]


def test_another_path_with_the_same_captures_is_the_same_move() -> None:
    round_trip = Position.from_fen("W:W14:B8,9,18,19", "international")
    (move,) = round_trip.legal_moves()
    there, back = (move.path for move in round_trip.legal_moves(paths=True))
    assert round_trip.find_moves(there) == round_trip.find_moves(back) == (move,)


@pytest.mark.parametrize("squares", [(10, 28, 3), (10, 14, 3), (10, 3, 10), (10, 37, 21, 3), (10, 10, 3)])
def test_squares_outside_the_path_match_no_move(squares: tuple[int, ...]) -> None:
    assert find_paths(TWO_CAPTURES, *squares) == []


def test_quiet_move_has_no_squares_between() -> None:
    assert find_paths(Position.from_fen("W:WK46:B5", "international"), 46, 37, 28) == []


@pytest.mark.parametrize("squares", [[], [32]])
def test_a_move_needs_two_squares(squares: list[int]) -> None:
    with pytest.raises(TablemenError):
        Position.start("international").find_moves(squares)


def test_str_is_not_a_list_of_squares() -> None:
    with pytest.raises(TypeError, match="'32'"):
        Position.start("international").find_moves("32")


def test_bool_is_not_a_square() -> None:
    with pytest.raises(TypeError, match="True"):
        Position.start("international").find_moves([True, 28])


def test_unknown_square_is_rejected() -> None:
    with pytest.raises(TablemenError, match="51"):
        Position.start("international").find_moves([32, 51])


@given(strategies.positions())
def test_every_path_identifies_its_move(position: Position) -> None:
    legal = position.legal_moves()
    for move in legal:
        same_ends = [each for each in legal if (each.start, each.end) == (move.start, move.end)]
        assert list(position.find_moves([move.start, move.end])) == same_ends
    for move in position.legal_moves(paths=True):
        found = position.find_moves(move.path)
        assert move in found
        if len(move.path) > 2:
            assert all(set(each.captured) == set(move.captured) for each in found)
