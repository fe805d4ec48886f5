"""The chances in a game, drawn for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tablemen.analysis.chances import Mark
from tablemen.analysis.model import GameAnalysis, MoveAnalysis
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.validation import is_whole

LEAST_WIDTH = 20
TICKS = 10  # columns from one move number to the next
SIGNS = {Mark.BLUNDER: "X", Mark.MISTAKE: "?"}  # the worst first


@dataclass(frozen=True)
class _Pen:
    """What cells are drawn with: full, their lower half, their upper half; and the line in the middle."""

    full: str
    lower: str
    upper: str
    axis: str


BLOCKS, ASCII = _Pen("█", "▄", "▀", "─"), _Pen("#", ".", "'", "-")
BLOCK_CHARACTERS = BLOCKS.full + BLOCKS.lower + BLOCKS.upper + BLOCKS.axis


def draw_graph(analysis: GameAnalysis[Any], *, width: int = 80, height: int = 4, ascii_only: bool = False) -> str:
    """White's chances after every move, or South's, in lines of text: up where White is better, even in the middle.

    A bar that fills all `height` rows of a side is a certain win. Above and below stand the moves of White and of Black
    that were blunders, `X`, or mistakes, `?`; underneath, the numbers of the moves. A game with more moves than columns
    has several in each.

    >>> from tablemen.analysis import analyse_game
    >>> from tablemen.draughts import Position
    >>> from tablemen.game import Game
    >>> from tablemen.search import Limit
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["38-33", "47x38", "33x42"])
    >>> print(draw_graph(analyse_game(game, Limit(depth=9)), height=2, ascii_only=True))
    White ###
          ###
    even  ---
    <BLANKLINE>
    Black
          1
    """
    for name, value, least in (("width", width, LEAST_WIDTH), ("height", height, 1)):
        if not is_whole(value, least=least):
            raise ArgumentError(name, value, f"a whole number from {least} up")
    family = get_family(analysis.start.position)
    names = {side: family.side_name(side) for side in Side}
    margin = max(map(len, names.values())) + 1
    columns = _columns(analysis, width - margin)
    if not columns:
        return ""
    pen = ASCII if ascii_only else BLOCKS
    rows = [
        *_marks(columns, Side.WHITE),
        *(
            (names[Side.WHITE] if row == height else "", _row(columns, row, height, pen))
            for row in range(height, 0, -1)
        ),
        ("even", pen.axis * len(columns)),
        *(
            (names[Side.BLACK] if row == height else "", _row(columns, -row, height, pen))
            for row in range(1, height + 1)
        ),
        *_marks(columns, Side.BLACK),
        ("", _ticks(columns)),
    ]
    return "\n".join(f"{label:<{margin}}{cells}".rstrip() for label, cells in rows)


@dataclass(frozen=True)
class _Column:
    """Some moves that stand in the same column, and White's chances after them; None where they are not known."""

    chances: float | None
    moves: tuple[MoveAnalysis[Any], ...]

    def worst(self, side: Side) -> str:
        """The sign of the worst mark of a side."""
        marks = {each.mark for each in self.moves if each.turn is side}
        return next((sign for mark, sign in SIGNS.items() if mark in marks), " ")


def _columns(analysis: GameAnalysis[Any], most: int) -> list[_Column]:
    count = min(most, analysis.length)
    bounds = [analysis.length * number // count for number in range(count + 1)] if count else []
    columns = []
    for begin, end in pairwise(bounds):
        known = [chances for chances in analysis.curve[begin + 1 : end + 1] if chances is not None]
        moves = tuple(each for each in analysis.moves if begin <= each.index < end)
        columns.append(_Column(sum(known) / len(known) if known else None, moves))
    return columns


def _row(columns: list[_Column], row: int, height: int, pen: _Pen) -> str:
    """The cells of a row; rows above the middle count up from 1, those below it down from -1."""
    return "".join(_cell(column, row, height, pen) for column in columns)


def _cell(column: _Column, row: int, height: int, pen: _Pen) -> str:
    if column.chances is None:
        return " "
    more = (2 * column.chances - 1) * (1 if row > 0 else -1)  # of the side whose row it is, from 0 to 1
    halves = round(more * 2 * height) - 2 * (abs(row) - 1)
    if halves >= 2:
        return pen.full
    return (pen.lower if row > 0 else pen.upper) if halves == 1 else " "


def _marks(columns: list[_Column], side: Side) -> Iterator[tuple[str, str]]:
    signs = "".join(column.worst(side) for column in columns)
    if signs.strip():
        yield "", signs


def _ticks(columns: list[_Column]) -> str:
    """The numbers of moves, under the columns that they begin in."""
    line = ""
    for place in range(0, len(columns), TICKS):
        numbers = [each.number for each in columns[place].moves]
        line = f"{line:<{place}}{numbers[0] if numbers else ''}"
    return line
