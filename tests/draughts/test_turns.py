"""Turns, which name squares by column and row, for any variant and size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tablemen import IllegalMoveError, Side
from tablemen.draughts import INTERNATIONAL, Move, Position
from tablemen.draughts.notation import format_turn, parse_turn
from tablemen.errors import NotationError
from tests.draughts import invalid_input
from tests.strategies import played_positions, positions, rule_sets, variants

MAX_PATHS = 500  # of a position


@pytest.mark.parametrize(
    ("name", "fen", "turns"),
    [
        # 46, the bottom left square, is 00; 5, the top right square, is 99.
        ("international", "W:WK46:B5", "00-11 00-22 00-33 00-44 00-55 00-66 00-77 00-88"),
        ("international", "W:W28:B22", "44x26"),
        ("russian", "W:Wc3:Bd4,d6", "22x44x26"),
        # A mirrored board, with other dark squares.
        ("spanish", "W:W1:B32", "70-61"),
        ("turkish", "W:Wa1:Bh8", "00-01 00-10"),
        ("turkish", "W:Wa1:Ba2", "00x02"),
        ("spantsiretti", "W:Wj2:Ba7", "91-82"),
        # If a board has more than ten columns or rows, each coordinate has two digits.
        ("canadian", "W:W72:B1", "1000-0901 1000-1101"),
        ("canadian", "B:W72:B6", "1111-1010"),
    ],
)
def test_turns_of_a_position(name: str, fen: str, turns: str) -> None:
    position = Position.from_fen(fen, name)
    assert sorted(format_turn(move) for move in position.legal_moves(paths=True)) == turns.split()
    for text in turns.split():
        assert format_turn(parse_turn(text, position)) == text


@pytest.mark.parametrize(
    ("columns", "rows", "turns"),
    [
        (10, 10, ["00-11"]),
        (11, 10, ["0000-0101"]),
        (10, 11, ["0000-0101"]),
        (4, 32, ["0000-0101"]),
        (32, 4, ["0000-0101"]),
    ],
)
def test_both_coordinates_have_the_same_number_of_digits(columns: int, rows: int, turns: list[str]) -> None:
    rules = replace(INTERNATIONAL, name="long", columns=columns, rows=rows, start_rows=1)
    (corner,) = (square for square in rules.mover.squares if (square.row, square.column) == (rows - 1, 0))
    position = Position(rules, Side.WHITE, white_men=[corner])
    assert [format_turn(move) for move in position.legal_moves()] == turns


def test_turn_has_the_path_of_a_king() -> None:
    position = Position.from_fen("W:WK46:B37,23", "international")
    turns = {format_turn(move): move for move in position.legal_moves(paths=True)}
    assert set(turns) == {f"00x{between}x{end}" for between in (33, 44) for end in (66, 77, 88, 99)}
    for text, move in turns.items():
        assert parse_turn(text, position).path == move.path


def list_paths(position: Position) -> tuple[Move, ...]:
    """Return every path of every move; reject positions with too many."""
    assume(position.perft(1, paths=True) <= MAX_PATHS)
    return position.legal_moves(paths=True)


@given(st.one_of(positions(variants()), played_positions(rule_sets())))
def test_round_trip(position: Position) -> None:
    moves = list_paths(position)
    texts = [format_turn(move) for move in moves]
    assert len(set(texts)) == len(texts)
    for text, move in list(zip(texts, moves, strict=True))[:20]:
        read = parse_turn(text, position)
        assert (read, read.path, read.captured) == (move, move.path, move.captured)
        assert text.count("x") == len(move.captured)
        assert ("-" in text) == (not move.captured)


@pytest.mark.parametrize(("text", "column"), invalid_input.TURNS)
def test_error_has_its_column(text: str, column: int) -> None:
    position = Position.from_fen("W:W28:B1", "international")
    assert format_turn(parse_turn("44-35", position)) == "44-35"
    with pytest.raises(NotationError) as caught:
        parse_turn(text, position)
    assert (caught.value.text, caught.value.column) == (text, column)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("W:W28:B1", "44-26"),
        ("W:W28:B1", "44-33"),
        ("W:W28:B1", "44x35"),
        ("W:W28:B1", "46-35"),
        ("W:W28:B22", "44-26"),
        ("W:W28:B22", "44-55"),
        # An x for each captured piece, and every landing square.
        ("W:WK44:B33,10", "71x99"),
        ("W:WK44:B33,10", "71x44"),
        ("W:WK44:B33,10", "71x44x88"),
    ],
)
def test_illegal_turn_is_rejected(fen: str, text: str) -> None:
    position = Position.from_fen(fen, "international")
    with pytest.raises(IllegalMoveError) as caught:
        parse_turn(text, position)
    assert (caught.value.move, caught.value.position) == (text, position)
