"""Boards drawn with letters."""

from __future__ import annotations

from dataclasses import replace
from inspect import cleandoc

import pytest
from hypothesis import given

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, Kind, Position, find_variant
from tablemen.draughts.board import Notation, Playable
from tablemen.draughts.diagram import draw, draw_unicode
from tests.strategies import positions

BOARDS = {
    ("international", "W:W31,32,K40:BK1,2,50"): """
           +---------------------+
         1 |   B   b   .   .   . |  5
         6 | .   .   .   .   .   | 10
        11 |   .   .   .   .   . | 15
        16 | .   .   .   .   .   | 20
        21 |   .   .   .   .   . | 25
        26 | .   .   .   .   .   | 30
        31 |   w   w   .   .   . | 35
        36 | .   .   .   .   W   | 40
        41 |   .   .   .   .   . | 45
        46 | .   .   .   .   b   | 50
           +---------------------+
        White to move
    """,
    ("russian", "B:Wa1,Kc3:Bb8,Kh8"): """
          +-----------------+
        8 |   b   .   .   B |
        7 | .   .   .   .   |
        6 |   .   .   .   . |
        5 | .   .   .   .   |
        4 |   .   .   .   . |
        3 | .   W   .   .   |
        2 |   .   .   .   . |
        1 | w   .   .   .   |
          +-----------------+
            a b c d e f g h
        Black to move
    """,
    ("spanish", "W:W1,2:B32"): """
           +-----------------+
        32 | b   .   .   .   | 29
        28 |   .   .   .   . | 25
        24 | .   .   .   .   | 21
        20 |   .   .   .   . | 17
        16 | .   .   .   .   | 13
        12 |   .   .   .   . |  9
         8 | .   .   .   .   |  5
         4 |   .   .   w   w |  1
           +-----------------+
        White to move
    """,
    ("turkish", "W:Wa2,b3:BKd8,h7"): """
          +-----------------+
        8 | . . . B . . . . |
        7 | . . . . . . . b |
        6 | . . . . . . . . |
        5 | . . . . . . . . |
        4 | . . . . . . . . |
        3 | . w . . . . . . |
        2 | w . . . . . . . |
        1 | . . . . . . . . |
          +-----------------+
            a b c d e f g h
        White to move
    """,
    ("jamaican", "B:Wh2:Ba1,c3"): """
          +-----------------+
        a | b   .   .   .   |
        b |   .   .   .   . |
        c | .   b   .   .   |
        d |   .   .   .   . |
        e | .   .   .   .   |
        f |   .   .   .   . |
        g | .   .   .   .   |
        h |   w   .   .   . |
          +-----------------+
            1 2 3 4 5 6 7 8
        Black to move
    """,
    ("spantsiretti", "W:Wj2:Ba7"): """
          +---------------------+
        8 |   .   .   .   .   . |
        7 | b   .   .   .   .   |
        6 |   .   .   .   .   . |
        5 | .   .   .   .   .   |
        4 |   .   .   .   .   . |
        3 | .   .   .   .   .   |
        2 |   .   .   .   .   w |
        1 | .   .   .   .   .   |
          +---------------------+
            a b c d e f g h i j
        White to move
    """,
}


@pytest.mark.parametrize(("name", "fen"), BOARDS)
def test_draw_board(name: str, fen: str) -> None:
    assert str(Position.from_fen(fen, name)) == cleandoc(BOARDS[name, fen])


def test_smallest_board() -> None:
    rules = replace(INTERNATIONAL, name="smallest", columns=4, rows=4, start_rows=1)
    assert str(Position.start(rules)) == cleandoc("""
          +---------+
        1 |   b   b | 2
        3 | .   .   | 4
        5 |   .   . | 6
        7 | w   w   | 8
          +---------+
        White to move
    """)


def test_column_numbers_of_two_digits_widen_the_board() -> None:
    rules = replace(
        find_variant("jamaican"), name="long", columns=11, rows=4, start_rows=1, playable=Playable.ALL, first=Side.WHITE
    )
    assert rules.notation is Notation.ALGEBRAIC_VERTICAL
    assert str(Position.start(rules)) == cleandoc("""
          +----------------------------------+
        a |  b  b  b  b  b  b  b  b  b  b  b |
        b |  .  .  .  .  .  .  .  .  .  .  . |
        c |  .  .  .  .  .  .  .  .  .  .  . |
        d |  w  w  w  w  w  w  w  w  w  w  w |
          +----------------------------------+
             1  2  3  4  5  6  7  8  9 10 11
        White to move
    """)


def test_quiet_king_moves_are_shown_if_they_are_limited() -> None:
    position = Position.from_fen("B:WK28,31:BK5,6:+15+328", "frisian")
    assert str(position).splitlines()[-1].split("; ") == [
        "Black to move",
        "White's king on 28 has made 3 quiet moves in a row",
        "Black's king on 5 has made 1 quiet move in a row",
    ]


def test_black_at_the_bottom() -> None:
    position = Position.from_fen("W:W31,32,K40:BK1,2,50", "international")
    assert draw(position, orientation=Side.BLACK) == cleandoc("""
           +---------------------+
        50 |   b   .   .   .   . | 46
        45 | .   .   .   .   .   | 41
        40 |   W   .   .   .   . | 36
        35 | .   .   .   w   w   | 31
        30 |   .   .   .   .   . | 26
        25 | .   .   .   .   .   | 21
        20 |   .   .   .   .   . | 16
        15 | .   .   .   .   .   | 11
        10 |   .   .   .   .   . |  6
         5 | .   .   .   b   B   |  1
           +---------------------+
        White to move
    """)


def test_draw_unicode() -> None:
    position = Position.from_fen("B:Wa1,Kc3:Bb8,Kh8", "russian")
    assert draw_unicode(position, orientation=Side.BLACK) == cleandoc("""
          ┌─────────────────┐
        1 │   ·   ·   ·   ○ │
        2 │ ·   ·   ·   ·   │
        3 │   ·   ·   ◎   · │
        4 │ ·   ·   ·   ·   │
        5 │   ·   ·   ·   · │
        6 │ ·   ·   ·   ·   │
        7 │   ·   ·   ·   · │
        8 │ ◉   ·   ·   ●   │
          └─────────────────┘
            h g f e d c b a
        Black to move
    """)


@given(positions())
def test_circles_are_at_the_places_of_letters(position: Position) -> None:
    for orientation in Side:
        lines = draw(position, orientation=orientation).splitlines()
        circles = draw_unicode(position, orientation=orientation).splitlines()
        (first, *middle), rest = lines[: position.variant.rows + 2], lines[position.variant.rows + 2 :]
        signs = str.maketrans("wWbB.-|", "○◎●◉·─│")
        edge = first.translate(signs)
        assert circles[0] == edge.replace("+", "┌", 1).replace("+", "┐")
        assert circles[1 : len(middle)] == [replace_inside(line, signs) for line in middle[:-1]]
        assert circles[len(middle)] == edge.replace("+", "└", 1).replace("+", "┘")
        assert circles[len(middle) + 1 :] == rest


def replace_inside(line: str, signs: dict[int, int]) -> str:
    """Return the line with circles between its two bars; letters outside are row labels."""
    before, inside, after = line.split("|")
    return "│".join((before, inside.translate(signs), after))


@given(positions())
def test_orientation_turns_the_board_around(position: Position) -> None:
    rows = position.variant.rows

    def inside(orientation: Side) -> str:
        lines = draw(position, orientation=orientation).splitlines()[1 : rows + 1]
        return " ".join(" ".join(line.split("|")[1].split()) for line in lines)

    assert inside(Side.BLACK) == inside(Side.WHITE)[::-1]


@given(positions())
def test_lines_are_aligned_and_every_piece_is_drawn(position: Position) -> None:
    rules = position.variant
    lines = draw(position).splitlines()
    frame, *rows = lines[: rules.rows + 1]
    left, right = frame.index("+"), frame.rindex("+")
    assert lines[rules.rows + 1] == frame
    assert all(row[left] == row[right] == "|" for row in rows)
    assert all(line == line.rstrip() for line in lines)
    drawn = "".join(row[left + 1 : right] for row in rows)
    for letter, side, kind in (
        ("w", Side.WHITE, Kind.MAN),
        ("W", Side.WHITE, Kind.KING),
        ("b", Side.BLACK, Kind.MAN),
        ("B", Side.BLACK, Kind.KING),
    ):
        assert drawn.count(letter) == len(position.squares(side, kind))
    assert len(drawn.replace(" ", "")) == len(rules.mover.squares)
    cell = (right - left - 2) // rules.columns
    for square in rules.mover.squares:
        assert rows[square.row][left + cell * (square.column + 1)] == str(position.piece_at(square) or ".")
