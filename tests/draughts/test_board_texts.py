"""Boards in the formats of the exercises, for any variant and size: grids, rows, square lists."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Position
from tablemen.draughts.notation import (
    format_grid,
    format_rows,
    format_square_lists,
    parse_grid,
    parse_rows,
    parse_square_lists,
)
from tablemen.errors import NotationError
from tests.draughts import invalid_input
from tests.strategies import positions, variants

# A variant, a FEN, the grid and the rows.
BOARDS = [
    (
        "international",
        "W:W31,32,K40:BK1,2,50",
        """
         B b . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         w w . . .
        . . . . K
         . . . . .
        . . . . b
        """,
        """
        _B_b______
        __________
        __________
        __________
        __________
        __________
        _w_w______
        ________W_
        __________
        ________b_
        """,
    ),
    (
        "russian",
        "W:Wa1,Kc3:Bb8,Kh8",
        """
         b . . B
        . . . .
         . . . .
        . . . .
         . . . .
        . K . .
         . . . .
        w . . .
        """,
        """
        _b_____B
        ________
        ________
        ________
        ________
        __W_____
        ________
        w_______
        """,
    ),
    (
        "spanish",
        "W:W1,2:BK32",
        """
        B . . .
         . . . .
        . . . .
         . . . .
        . . . .
         . . . .
        . . . .
         . . w w
        """,
        """
        B_______
        ________
        ________
        ________
        ________
        ________
        ________
        _____w_w
        """,
    ),
    (
        "turkish",
        "W:Wa2,b3:BKd8,h7",
        """
        ...B....
        .......b
        ........
        ........
        ........
        .w......
        w.......
        ........
        """,
        """
        ___B____
        _______b
        ________
        ________
        ________
        _w______
        w_______
        ________
        """,
    ),
    (
        "spantsiretti",
        "W:Wj2:Ba7",
        """
         . . . . .
        b . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . w
        . . . . .
        """,
        """
        __________
        b_________
        __________
        __________
        __________
        __________
        _________w
        __________
        """,
    ),
]
boards = pytest.mark.parametrize(("name", "fen", "grid", "rows"), BOARDS, ids=[name for name, *_ in BOARDS])


def lines(drawing: str, width: int) -> list[str]:
    """Return the lines of a drawing, padded to the width of the board."""
    return [line.ljust(width) for line in dedent(drawing).strip("\n").split("\n")]


@boards
def test_format_board(name: str, fen: str, grid: str, rows: str) -> None:
    position = Position.from_fen(fen, name)
    assert format_grid(position) == "\n".join(lines(grid, position.variant.columns))
    assert format_rows(position) == rows.split()


@boards
def test_parse_board(name: str, fen: str, grid: str, rows: str) -> None:
    position = Position.from_fen(fen, name)
    rules = position.variant
    assert parse_grid("\n".join(lines(grid, rules.columns)), rules, Side.WHITE) == position
    assert parse_rows(rows.split(), rules, Side.WHITE) == position
    assert parse_grid(format_grid(position), rules, Side.BLACK).turn is Side.BLACK
    assert parse_rows(format_rows(position), rules, Side.BLACK).turn is Side.BLACK


@boards
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_outer_newlines_and_missing_blanks_at_line_ends_are_accepted(
    name: str, fen: str, grid: str, rows: str, newline: str
) -> None:
    position = Position.from_fen(fen, name)
    full = lines(grid, position.variant.columns)
    for each in (full, [line.rstrip() for line in full]):
        text = newline.join(each)
        for around in (text, newline + text, text + newline, newline + text + newline):
            assert parse_grid(around, position.variant, Side.WHITE) == position


@pytest.mark.parametrize(
    ("name", "fen", "black", "white"),
    [
        ("english", "W:W10:B6,7", "6,7", "10"),
        ("english", "W:W32,K9:BK12,3", "3,K12", "K9,32"),
        ("english", "W:W10:B", "", "10"),
        ("russian", "W:Wa1,Kc3:Bb8,Kh8", "b8,Kh8", "a1,Kc3"),
    ],
)
def test_square_lists(name: str, fen: str, black: str, white: str) -> None:
    position = Position.from_fen(fen, name)
    assert format_square_lists(position) == (black, white)
    assert parse_square_lists(black, white, position.variant, Side.WHITE) == position


def test_square_lists_have_the_syntax_of_a_fen() -> None:
    english = VARIANTS["english"]
    assert parse_square_lists("1-12", "21-32", english, Side.BLACK) == Position.start(english)
    assert parse_square_lists(" 6 , k7", "10 ,K 20", english, Side.WHITE).fen() == "W:W10,K20:B6,K7"
    assert parse_square_lists("b8", "A1,31", VARIANTS["russian"], Side.WHITE).fen() == "W:Wa1,e1:Bb8"


def without_runs(position: Position) -> Position:
    """Return the position without the quiet moves of kings, which a board does not show."""
    men, kings = ({side: position.squares(side, kind) for side in Side} for kind in (Kind.MAN, Kind.KING))
    return Position(
        position.variant,
        position.turn,
        white_men=men[Side.WHITE],
        white_kings=kings[Side.WHITE],
        black_men=men[Side.BLACK],
        black_kings=kings[Side.BLACK],
    )


@given(st.one_of(positions(variants()), positions()))
def test_round_trip(position: Position) -> None:
    rules, turn = position.variant, position.turn
    assert parse_grid(format_grid(position), rules, turn) == without_runs(position)
    assert parse_rows(format_rows(position), rules, turn) == without_runs(position)
    assert parse_square_lists(*format_square_lists(position), rules, turn) == without_runs(position)


@given(st.one_of(positions(variants()), positions()))
def test_every_square_is_at_its_row_and_column(position: Position) -> None:
    rules = position.variant
    grid, rows = format_grid(position).split("\n"), format_rows(position)
    assert [len(line) for line in grid] == [len(row) for row in rows] == [rules.columns] * rules.rows
    for square in rules.mover.squares:
        letter = str(position.piece_at(square) or "_")
        assert rows[square.row][square.column] == letter
        assert grid[square.row][square.column] == {"_": ".", "W": "K"}.get(letter, letter)
    playable = {(square.row, square.column) for square in rules.mover.squares}
    light = [(row, column) for row in range(rules.rows) for column in range(rules.columns)]
    assert {(grid[row][column], rows[row][column]) for row, column in light if (row, column) not in playable} <= {
        (" ", "_")
    }


@pytest.mark.parametrize(("rules", "text", "line", "column"), invalid_input.GRIDS)
def test_error_in_a_grid_has_line_and_column(rules: DraughtsRules, text: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_grid(text, rules, Side.WHITE)
    assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, text)


@pytest.mark.parametrize(("rules", "rows", "line", "column"), invalid_input.ROWS)
def test_error_in_rows_has_line_and_column(rules: DraughtsRules, rows: list[str], line: int, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_rows(rows, rules, Side.WHITE)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(("black", "white", "column"), invalid_input.SQUARE_LISTS)
def test_error_in_a_square_list_has_its_column(black: str, white: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_square_lists(black, white, VARIANTS["english"], Side.WHITE)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.text in (black, white)


@given(variants(), st.text(" .wbKBW_\n\r\t", max_size=150))
@example(INTERNATIONAL, "\n")
@example(INTERNATIONAL, "\r\n\r\n")
def test_any_text_is_a_board_or_an_error_inside_the_text(rules: DraughtsRules, text: str) -> None:
    read = parse_or_error(text, rules)
    if isinstance(read, NotationError):
        given_lines = [*text.replace("\r\n", "\n").split("\n"), ""]
        assert 1 <= read.line <= len(given_lines)
        assert 1 <= read.column <= len(given_lines[read.line - 1]) + 1
    else:
        assert "".join(format_grid(read).split()) == "".join(text.split())


def parse_or_error(text: str, rules: DraughtsRules) -> Position | NotationError:
    try:
        return parse_grid(text, rules, Side.WHITE)
    except NotationError as error:
        return error


@given(positions(variants()), st.data())
def test_grid_without_a_character_is_rejected(position: Position, data: st.DataObject) -> None:
    text = format_grid(position)
    index = data.draw(st.integers(0, len(text) - 1))
    shortened = text[:index] + text[index + 1 :]
    if text[index : index + 2] in (" ", " \n"):  # a blank at the end of a line is optional
        assert parse_grid(shortened, position.variant, position.turn) == without_runs(position)
        return
    with pytest.raises(NotationError):
        parse_grid(shortened, position.variant, position.turn)
