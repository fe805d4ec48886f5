"""Boards as the exercises write them, for any variant and size: grids, rows, square lists."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Position
from tablemen.draughts.board import Playable
from tablemen.draughts.notation import (
    format_grid,
    format_rows,
    format_square_lists,
    parse_grid,
    parse_rows,
    parse_square_lists,
)
from tablemen.errors import NotationError
from tests.strategies import positions, variants

SMALL = replace(INTERNATIONAL, name="small", columns=6, rows=4, start_rows=1)
FULL = replace(SMALL, name="full", columns=5, playable=Playable.ALL)

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
    """The lines of a drawing, with the blanks at their ends."""
    return [line.ljust(width) for line in dedent(drawing).strip("\n").split("\n")]


@boards
def test_a_board_looks_like_this(name: str, fen: str, grid: str, rows: str) -> None:
    position = Position.from_fen(fen, name)
    assert format_grid(position) == "\n".join(lines(grid, position.variant.columns))
    assert format_rows(position) == rows.split()


@boards
def test_a_board_is_read_like_this(name: str, fen: str, grid: str, rows: str) -> None:
    position = Position.from_fen(fen, name)
    rules = position.variant
    assert parse_grid("\n".join(lines(grid, rules.columns)), rules, Side.WHITE) == position
    assert parse_rows(rows.split(), rules, Side.WHITE) == position
    assert parse_grid(format_grid(position), rules, Side.BLACK).turn is Side.BLACK
    assert parse_rows(format_rows(position), rules, Side.BLACK).turn is Side.BLACK


@boards
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_editors_do_to_a_grid_is_forgiven(name: str, fen: str, grid: str, rows: str, newline: str) -> None:
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
def test_square_lists_look_like_this(name: str, fen: str, black: str, white: str) -> None:
    position = Position.from_fen(fen, name)
    assert format_square_lists(position) == (black, white)
    assert parse_square_lists(black, white, position.variant, Side.WHITE) == position


def test_square_lists_are_read_as_in_a_fen() -> None:
    english = VARIANTS["english"]
    assert parse_square_lists("1-12", "21-32", english, Side.BLACK) == Position.start(english)
    assert parse_square_lists(" 6 , k7", "10 ,K 20", english, Side.WHITE).fen() == "W:W10,K20:B6,K7"
    assert parse_square_lists("b8", "A1,31", VARIANTS["russian"], Side.WHITE).fen() == "W:Wa1,e1:Bb8"


def bare(position: Position) -> Position:
    """The position without what no board shows: how long kings have gone on."""
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
def test_reading_undoes_writing(position: Position) -> None:
    rules, turn = position.variant, position.turn
    assert parse_grid(format_grid(position), rules, turn) == bare(position)
    assert parse_rows(format_rows(position), rules, turn) == bare(position)
    assert parse_square_lists(*format_square_lists(position), rules, turn) == bare(position)


@given(st.one_of(positions(variants()), positions()))
def test_every_square_is_written_where_it_is(position: Position) -> None:
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


@pytest.mark.parametrize(
    ("rules", "text", "line", "column"),
    [
        (SMALL, "", 1, 1),
        (SMALL, " b b b\n. . . \n . . .", 4, 1),
        (SMALL, " b b b\n. . . \n . . .\nw w w \n . . .", 5, 1),
        (SMALL, " b b b\n. . . \n . .\nw w w ", 3, 5),
        (SMALL, " b b b\n. . . \n . . . \nw w w ", 3, 7),
        (SMALL, " b b b\n. x . \n . . .\nw w w ", 2, 3),
        (SMALL, " b b b\n. W . \n . . .\nw w w ", 2, 3),
        (SMALL, " b b b\n.w. . \n . . .\nw w w ", 2, 2),
        (SMALL, " b b b\n... . \n . . .\nw w w ", 2, 2),
        (SMALL, " b b b\n.\t. . \n . . .\nw w w ", 2, 2),
        (SMALL, " b b b\n.   . \n . . .\nw w w ", 2, 3),
        (SMALL, "\n b b b\n. . . \n . . .\nw w k \n", 5, 5),
        (SMALL, " b b b\r\n. . . \r\n . . .\r\nw w k ", 4, 5),
        (SMALL, " b b b\r\n. . . \r\n . .\r\nw w w ", 3, 5),
        (FULL, "bbbbb\n.....\n.. ..\nwwwww", 3, 3),
        (FULL, "bbbbb\n.....\n....\nwwwww", 3, 5),
        (FULL, "bbbbb\n.... \n.....\nwwwww", 2, 5),
    ],
)
def test_a_bad_grid_is_an_error_with_its_place(rules: DraughtsRules, text: str, line: int, column: int) -> None:
    with pytest.raises(NotationError, match=f"line {line}, column {column}") as caught:
        parse_grid(text, rules, Side.WHITE)
    assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, text)


@pytest.mark.parametrize(
    ("rules", "rows", "line", "column"),
    [
        (SMALL, [], 1, 1),
        (SMALL, ["_b_b_b", "______", "______"], 4, 1),
        (SMALL, ["_b_b_b", "______", "______", "w_w_w_", "______"], 5, 1),
        (SMALL, ["_b_b_b", "______", "_____", "w_w_w_"], 3, 6),
        (SMALL, ["_b_b_b", "______", "_______", "w_w_w_"], 3, 7),
        (SMALL, ["_b_b_b", "______", "______", "w_w_K_"], 4, 5),
        (SMALL, ["_b_b_b", "______", "_____.", "w_w_w_"], 3, 6),
        (SMALL, ["_b_b_b", "___w__", "______", "w_w_w_"], 2, 4),
        (SMALL, ["_b_b_b", "______", "______", "w_w_w "], 4, 6),
        (FULL, ["bbbbb", "_____", "_____", "wwww."], 4, 5),
    ],
)
def test_bad_rows_are_an_error_with_its_place(rules: DraughtsRules, rows: list[str], line: int, column: int) -> None:
    with pytest.raises(NotationError, match=f"line {line}, column {column}") as caught:
        parse_rows(rows, rules, Side.WHITE)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("black", "white", "column"),
    [
        ("6,33", "10", 3),
        ("6,7", "0", 1),
        ("6,7", "10,", 4),
        ("6,,7", "10", 3),
        ("6,x", "10", 3),
        ("6,K", "10", 4),
        ("7-6", "10", 1),
        ("6,7 8", "10", 3),
        ("6,6", "10", 3),
        ("6,7", "10,11,K10", 7),
        ("W6", "10", 1),
        ("6:W10", "10", 1),
    ],
)
def test_a_bad_square_list_is_an_error_with_its_place(black: str, white: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_square_lists(black, white, VARIANTS["english"], Side.WHITE)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.text in (black, white)


def test_a_square_in_both_lists_is_an_error() -> None:
    with pytest.raises(NotationError, match="10"):
        parse_square_lists("6,10", "10", VARIANTS["english"], Side.WHITE)


@given(variants(), st.text(" .wbKBW_\n\r\t", max_size=150))
@example(INTERNATIONAL, "\n")
@example(INTERNATIONAL, "\r\n\r\n")
def test_any_text_is_a_board_or_an_error_with_a_place(rules: DraughtsRules, text: str) -> None:
    read = parsed(text, rules)
    if isinstance(read, NotationError):
        given_lines = [*text.replace("\r\n", "\n").split("\n"), ""]
        assert 1 <= read.line <= len(given_lines)
        assert 1 <= read.column <= len(given_lines[read.line - 1]) + 1
    else:
        assert "".join(format_grid(read).split()) == "".join(text.split())


def parsed(text: str, rules: DraughtsRules) -> Position | NotationError:
    """What reading gives, or why it gives nothing."""
    try:
        return parse_grid(text, rules, Side.WHITE)
    except NotationError as error:
        return error


@given(positions(variants()), st.data())
def test_a_grid_with_a_character_less_is_refused(position: Position, data: st.DataObject) -> None:
    text = format_grid(position)
    index = data.draw(st.integers(0, len(text) - 1))
    spoilt = text[:index] + text[index + 1 :]
    if text[index : index + 2] in (" ", " \n"):  # a blank at the end of a line is not missed
        assert parse_grid(spoilt, position.variant, position.turn) == bare(position)
        return
    with pytest.raises(NotationError):
        parse_grid(spoilt, position.variant, position.turn)
