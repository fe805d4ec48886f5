"""Invalid input of the exercises: errors with the place in the input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Side, TablemenError
from tablemen.draughts import Position
from tablemen.errors import ArgumentError, NotationError
from tablemen.exercises import allowed_moves, is_legal_move, valid_turns
from tests.exercises.boards import (
    START_GRID,
    START_ROWS,
    assume_few,
    format_grid,
    format_rows,
    grid_positions,
    row_positions,
    rows,
)
from tests.reference import exercises as reference

LINES = START_GRID.split("\n")
BAD_SQUARES = [0, 33, -1, 2**70, "6", "", None, 6.0, 6.5, [6], "K6", True]


def put(line: str, column: int, letter: str) -> str:
    """Return the line with another letter in this column."""
    return line[:column] + letter + line[column + 1 :]


def with_line(number: int, line: str) -> str:
    """Return the start board with another line, counted from 1."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]])


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        (START_GRID.replace("b", "x", 1), 1, 2),
        (with_line(2, "b b W b b "), 2, 5),
        (with_line(3, " b b k b b"), 3, 6),
        (with_line(5, " . .\t. . ."), 5, 5),
        (with_line(5, "\t. . . . ."), 5, 1),
        (with_line(5, " . . 0 . ."), 5, 6),
        (with_line(5, " . . · . ."), 5, 6),
        # A piece or a dot on a light square
        (with_line(5, " .w. . . ."), 5, 3),
        (with_line(6, ". ... . . "), 6, 4),
        (with_line(6, ". . . . .B"), 6, 10),
        # A dark square without a character
        (with_line(5, " .   . . ."), 5, 4),
        (with_line(6, "  . . . . "), 6, 1),
        # Too few characters and too many
        (with_line(5, " . . . ."), 5, 9),
        (with_line(6, ". . . . "), 6, 9),
        (with_line(5, ""), 5, 1),
        (with_line(5, " . . . . "), 5, 10),
        (with_line(5, " . . . . . "), 5, 11),
        (with_line(6, ". . . . .  "), 6, 11),
        (with_line(10, "w w w w w w"), 10, 11),
        # Too few lines and too many
        ("\n".join(LINES[:9]), 10, 1),
        ("\n".join(LINES[:1]), 2, 1),
        (START_GRID + "\n" + LINES[0], 11, 1),
        (START_GRID + "\n\n", 11, 1),
        (START_GRID + "\n ", 11, 1),
        # Line numbers count a newline before the board.
        ("\n" + START_GRID.replace("b", "x", 1), 2, 2),
        (START_GRID.replace("\n", "\r\n").replace(".", ",", 1), 5, 2),
    ],
)
def test_invalid_grids_are_located(text: str, line: int, column: int) -> None:
    for player in Side:
        with pytest.raises(NotationError) as caught:
            valid_turns(text, player)
        assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, text)


@pytest.mark.parametrize(
    "text", ["\n", "\r\n", " ", "\n\n" + START_GRID, "board", START_GRID.replace("\n", ""), START_GRID * 2]
)
def test_text_that_is_not_a_grid_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        valid_turns(text, Side.WHITE)


@pytest.mark.parametrize("board", [None, 5, START_GRID.encode(), LINES, tuple(LINES)])
def test_a_grid_must_be_a_text(board: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        valid_turns(board, Side.WHITE)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("board", board)
    assert isinstance(caught.value, TablemenError)


@pytest.mark.parametrize("player", [None, "white", "w", "WHITE", 0, True, Side])
def test_a_player_must_be_a_side(player: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        valid_turns(START_GRID, player)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("player", player)


@given(grid_positions(), st.data())
def test_an_invalid_character_of_a_grid_is_located(position: Position, data: st.DataObject) -> None:
    lines = format_grid(position).split("\n")
    row, column = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 9))
    is_light = lines[row][column] == " "
    wrong = ".wbKB_\tx·" if is_light else " _\txWkO0·"
    lines[row] = put(lines[row], column, data.draw(st.sampled_from(wrong)))
    with pytest.raises(NotationError) as caught:
        valid_turns("\n".join(lines), Side.WHITE)
    assert (caught.value.line, caught.value.column) == (row + 1, column + 1)


@pytest.mark.parametrize("square", BAD_SQUARES, ids=repr)
@pytest.mark.parametrize("name", ["black[1]", "white[1]", "start", "end"])
def test_invalid_squares_are_named(name: str, square: object) -> None:
    black, white, start, end = [6, 7], [9, 10], 10, 3
    bad: dict[str, tuple[object, ...]] = {
        "black[1]": ([6, square], white, start, end),
        "white[1]": (black, [9, square], start, end),
        "start": (black, white, square, end),
        "end": (black, white, start, square),
    }
    with pytest.raises(ArgumentError) as caught:
        is_legal_move(*bad[name])  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == (name, square)
    assert name in str(caught.value)
    assert repr(square) in str(caught.value)
    assert isinstance(caught.value, TablemenError)


@pytest.mark.parametrize("name", ["black", "white"])
@pytest.mark.parametrize("value", [None, 6, "67", ""])
def test_squares_must_be_a_list(name: str, value: object) -> None:
    lists: dict[str, object] = {"black": [6], "white": [9]} | {name: value}
    with pytest.raises(ArgumentError) as caught:
        is_legal_move(lists["black"], lists["white"], 9, 2)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == (name, value)


def with_row(number: int, row: object) -> list[str]:
    """Return the start board with another row, counted from 0."""
    return [*START_ROWS[:number], row, *START_ROWS[number + 1 :]]  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("board", "line", "column"),
    [
        (with_row(0, "xb_b_b_b"), 1, 1),
        (with_row(2, "_b_x_b_b"), 3, 4),
        (with_row(3, "___.____"), 4, 4),
        (with_row(3, "_______K"), 4, 8),
        (with_row(3, " _______"), 4, 1),
        (with_row(3, "__\t_____"), 4, 3),
        (with_row(3, "_______\n"), 4, 8),
        (with_row(7, "w_w_w_0_"), 8, 7),
        # Pieces on light squares
        (with_row(0, "bb_b_b_b"), 1, 1),
        (with_row(3, "_b______"), 4, 2),
        (with_row(4, "______W_"), 5, 7),
        # Rows too short and too long
        (with_row(3, "_______"), 4, 8),
        (with_row(3, ""), 4, 1),
        (with_row(7, "w_w_w_w"), 8, 8),
        (with_row(3, "_________"), 4, 9),
        (with_row(3, "________\n"), 4, 9),
        (with_row(7, "w_w_w_w_w"), 8, 9),
        (START_ROWS[:4] + [row + "__" for row in START_ROWS[4:]], 5, 9),
    ],
)
def test_invalid_rows_are_located(board: list[str], line: int, column: int) -> None:
    for color in ("b", "w"):
        with pytest.raises(NotationError) as caught:
            allowed_moves(board, color)
        assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("board", "column"),
    [
        (START_ROWS[:7], 8),
        ([*START_ROWS, "________"], 9),
        ([row[:7] for row in START_ROWS], 8),
        ([row + "_" for row in START_ROWS], 9),
        ([""] * 8, 1),
    ],
)
def test_rows_must_form_a_square(board: list[str], column: int) -> None:
    with pytest.raises(NotationError) as caught:
        allowed_moves(board, "b")
    assert (caught.value.line, caught.value.column) == (1, column)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 33, 40])
def test_the_size_of_the_board_is_limited(size: int) -> None:
    board = ["_" * size] * size
    with pytest.raises(ArgumentError) as caught:
        allowed_moves(board, "b")
    assert (caught.value.name, caught.value.value) == ("board", board)


@pytest.mark.parametrize("board", [None, 5, "\n".join(START_ROWS), START_ROWS[0]])
def test_rows_must_be_a_list(board: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        allowed_moves(board, "b")  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("board", board)


@pytest.mark.parametrize("row", [None, 5, b"________", ["_"] * 8])
def test_a_row_must_be_a_text(row: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        allowed_moves(with_row(3, row), "b")
    assert (caught.value.name, caught.value.value) == ("board[3]", row)


@pytest.mark.parametrize("color", ["bw", "bb", "B", "W", "black", "white", "", " ", "x", None, 1, Side.BLACK, ["b"]])
def test_a_colour_must_be_b_or_w(color: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        allowed_moves(START_ROWS, color)  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("color", color)


@given(row_positions(4, 16), st.data())
def test_an_invalid_character_of_rows_is_located(position: Position, data: st.DataObject) -> None:
    board = format_rows(position)
    row, column = (data.draw(st.integers(0, len(board) - 1)) for _ in range(2))
    board[row] = put(board[row], column, data.draw(st.sampled_from(" .\tKx0·")))
    with pytest.raises(NotationError) as caught:
        allowed_moves(board, "b")
    assert (caught.value.line, caught.value.column) == (row + 1, column + 1)


@given(row_positions(4, 16), st.data())
def test_pieces_on_light_squares_are_allowed_if_only_dark_ones_can_capture(
    position: Position, data: st.DataObject
) -> None:
    # The first board of the exercise has such pieces.
    board = format_rows(position)
    squares = [(row, column) for row in range(len(board)) for column in range(len(board)) if (row + column) % 2 == 0]
    row, column = data.draw(st.sampled_from(squares))
    board[row] = put(board[row], column, data.draw(st.sampled_from("bBwW")))
    for color in ("b", "w"):
        assume_few(reference.move_captures(board, color))
        if any(True for _ in reference.move_captures(board, color)):
            assert allowed_moves(board, color) == reference.allowed_moves(board, color)
            continue
        with pytest.raises(NotationError) as caught:
            allowed_moves(board, color)
        assert (caught.value.line, caught.value.column) == (row + 1, column + 1)


@pytest.mark.parametrize("color", ["b", "w"])
def test_captures_on_light_squares_are_an_error(color: str) -> None:
    board = rows("""
        ________
        ________
        ________
        __b_____
        ___w____
        _____b__
        ______w_
        ________
    """)
    with pytest.raises(NotationError) as caught:
        allowed_moves(board, color)
    assert (caught.value.line, caught.value.column) == (6, 6)
