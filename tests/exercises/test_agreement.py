"""Agreement of the exercises with the reference on random boards."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tablemen import Side
from tablemen.draughts import Position
from tablemen.exercises import allowed_moves, is_legal_move, valid_turns
from tests.exercises.boards import (
    SQUARES,
    assume_few,
    format_grid,
    format_rows,
    grid_positions,
    row_positions,
    square_sets,
)
from tests.reference import exercises as reference


def check_turns(position: Position) -> None:
    board = format_grid(position)
    for player in Side:
        assume_few(reference.turn_captures(board, player))
        assert valid_turns(board, player) == reference.valid_turns(board, player)


@settings(max_examples=200)
@given(grid_positions())
def test_valid_turns(position: Position) -> None:
    check_turns(position)


@pytest.mark.slow
@settings(max_examples=1000)
@given(grid_positions())
def test_valid_turns_of_many_boards(position: Position) -> None:
    check_turns(position)


def check_every_move(squares: tuple[frozenset[int], frozenset[int]]) -> None:
    """Compare every move with the reference."""
    for start in SQUARES:
        expected = [end for end in SQUARES if reference.is_legal_move(*squares, start, end)]
        assert [end for end in SQUARES if is_legal_move(*squares, start, end)] == expected, start


@settings(max_examples=25)
@given(square_sets())
def test_is_legal_move(squares: tuple[frozenset[int], frozenset[int]]) -> None:
    check_every_move(squares)


@pytest.mark.slow
@settings(max_examples=150)
@given(square_sets())
def test_is_legal_move_on_many_boards(squares: tuple[frozenset[int], frozenset[int]]) -> None:
    check_every_move(squares)


def check_moves(position: Position) -> None:
    board = format_rows(position)
    for color in ("b", "w"):
        assume_few(reference.move_captures(board, color))
        assert allowed_moves(board, color) == reference.allowed_moves(board, color)


@settings(max_examples=200)
@given(row_positions(4, 16))
def test_allowed_moves(position: Position) -> None:
    check_moves(position)


@settings(max_examples=20)
@given(row_positions(17, 32))
def test_allowed_moves_of_large_boards(position: Position) -> None:
    check_moves(position)


@pytest.mark.slow
@settings(max_examples=1000)
@given(row_positions(4, 32))
def test_allowed_moves_of_many_boards(position: Position) -> None:
    check_moves(position)
