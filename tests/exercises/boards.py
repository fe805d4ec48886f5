"""Boards in the formats of the exercises: drawn in a test, or generated."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from tablemen import Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Piece, Position, Square
from tests import strategies

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypothesis.strategies import DrawFn

SQUARES = range(1, 33)  # of `is_legal_move`
MAX_CAPTURES = 400  # for the reference, which is slow


class ManMoves(NamedTuple):
    """A white man among other pieces, and squares that it may move to."""

    black: list[int]
    white: list[int]
    start: int
    ends: list[int]


def grid(drawing: str) -> str:
    r"""Return ten lines of ten characters: the drawing without its margin, padded with blanks.

    >>> grid('''
    ...      w . . . .
    ...     . . b . .
    ... ''')
    ' w . . . .\n. . b . . '
    """
    return "\n".join(line.ljust(10) for line in dedent(drawing).strip("\n").split("\n"))


def rows(drawing: str) -> list[str]:
    """Return the board as a list of rows.

    >>> rows('''
    ...     _b_b
    ...     ____
    ... ''')
    ['_b_b', '____']
    """
    return drawing.split()


def parse_moves(drawing: str) -> ManMoves:
    """Parse a drawing of the squares 1, 2, 3 …: O moves to every X, among B and W; without an O, W moves.

    >>> parse_moves('''
    ...       _   X   _   _
    ...     _   B   _   W
    ...       O   _   _   _
    ... ''')
    ManMoves(black=[6], white=[8, 9], start=9, ends=[2])
    """
    letters = list(enumerate(drawing.split(), start=1))
    black, white, starts, ends = ([square for square, letter in letters if letter == each] for each in "BWOX")
    (start,) = starts or white
    return ManMoves(black, sorted({*white, start}), start, ends)


START_GRID = grid("""
     b b b b b
    b b b b b
     b b b b b
    b b b b b
     . . . . .
    . . . . .
     w w w w w
    w w w w w
     w w w w w
    w w w w w
""")
START_ROWS = rows("""
    _b_b_b_b
    b_b_b_b_
    _b_b_b_b
    ________
    ________
    w_w_w_w_
    _w_w_w_w
    w_w_w_w_
""")


def format_board(position: Position, *, letters: str) -> list[str]:
    """Return the lines of a board; the letters are for unused and empty squares, and the four kinds of pieces."""
    unused, empty, others = letters[0], letters[1], letters[2:]
    kinds = (Piece(side, kind) for side in (Side.WHITE, Side.BLACK) for kind in (Kind.MAN, Kind.KING))
    by_piece: dict[Piece | None, str] = dict(zip(kinds, others, strict=True)) | {None: empty}
    cells = [[unused] * position.variant.columns for _ in range(position.variant.rows)]
    for square in position.variant.mover.squares:
        cells[square.row][square.column] = by_piece[position.piece_at(square)]
    return ["".join(line) for line in cells]


def format_grid(position: Position) -> str:
    """Return a board for `valid_turns`."""
    return "\n".join(format_board(position, letters=" .wKbB"))


def format_rows(position: Position) -> list[str]:
    """Return a board for `allowed_moves`."""
    return format_board(position, letters="__wWbB")


def many_kings(random: Random, squares: Sequence[Square], turn: Side) -> strategies.Board:
    """Draw a position with 10 to 50 % of the squares occupied, more kings than men, and more pieces of the opponent."""
    occupied = random.sample(squares, round(len(squares) * random.uniform(0.1, 0.5)))
    sides = (turn, turn.opponent, turn.opponent)
    kinds = (Kind.MAN, Kind.KING, Kind.KING)
    return {square: Piece(random.choice(sides), random.choice(kinds)) for square in occupied}


def rings(random: Random, squares: Sequence[Square], turn: Side) -> strategies.Board:
    """Draw a piece that may capture four others in a circle, and a few more pieces."""
    by_place = {(square.row, square.column): square for square in squares}
    start, aside = random.choice(squares), random.choice((-1, 1))
    ring = [(start.row + down, start.column + right * aside) for down in (-1, 1) for right in (1, 3)]
    more = random.sample(squares, min(len(squares), random.randint(0, 5)))
    board = {square: Piece(random.choice((turn, turn.opponent)), Kind.MAN) for square in more}
    board |= {by_place[place]: Piece(turn.opponent, random.choice(tuple(Kind))) for place in ring if place in by_place}
    return board | {start: Piece(turn, random.choice((Kind.MAN, Kind.KING, Kind.KING)))}


EDITS = (*strategies.EDITS, strategies.short_captures, many_kings, rings)


def drawn_positions(rules: st.SearchStrategy[DraughtsRules]) -> st.SearchStrategy[Position]:
    """Return a strategy for random positions, some of them reached by play."""
    return st.one_of(strategies.edited_positions(rules, EDITS), strategies.played_positions(rules))


def grid_positions() -> st.SearchStrategy[Position]:
    """Return a strategy for positions of `valid_turns`."""
    return drawn_positions(st.just(INTERNATIONAL))


def row_positions(minimum: int, maximum: int) -> st.SearchStrategy[Position]:
    """Return a strategy for positions of `allowed_moves` on boards of these sizes."""
    return drawn_positions(st.integers(minimum, maximum).map(_resize))


def _resize(size: int) -> DraughtsRules:
    """Return the exercise's rules on a board of this size; row + column is odd on dark squares."""
    return replace(
        VARIANTS["interview"],
        name="sized",
        columns=size,
        rows=size,
        start_rows=size // 3,
        corner_playable=size % 2 == 0,
    )


@st.composite
def square_sets(draw: DrawFn) -> tuple[frozenset[int], frozenset[int]]:
    """Draw squares of black and white men for `is_legal_move`; a square may be in both."""
    random = Random(draw(strategies.SEEDS))
    black, white = (random.sample(SQUARES, round(len(SQUARES) * random.uniform(0, maximum))) for maximum in (0.8, 0.5))
    return frozenset(black), frozenset(white)


def assume_few(captures: Iterable[object]) -> None:
    """Skip boards with too many captures for the reference."""
    assume(sum(1 for _ in islice(captures, MAX_CAPTURES + 1)) <= MAX_CAPTURES)
