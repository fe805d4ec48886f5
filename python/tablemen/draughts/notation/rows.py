"""Boards as rows of letters, and moves as places.

A `_` is a square without a piece; men are `b` and `w`, kings `B` and `W`. A place is a row and a column, from 0 at the
top left.
"""

from __future__ import annotations

from collections.abc import Sequence

from tablemen._core import Move, Position
from tablemen.draughts.notation.lines import Form
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side

ROWS = Form(pieces="_wbWB", unused="_")


def parse_rows(rows: Sequence[str], rules: DraughtsRules, turn: Side) -> Position:
    """The position that the rows show, the top row first, White at the bottom.

    Raises `NotationError`, with the row as the line, where they are no board of these rules.
    """
    return ROWS.parse(rows, rules, turn)


def format_rows(position: Position) -> list[str]:
    """The rows of a position, the top row first.

    >>> from tablemen.draughts import Position
    >>> format_rows(Position.from_fen("W:WKa1,b2:Bc7,Ke3", "russian"))[4:]
    ['________', '____B___', '_w______', 'W_______']
    """
    return ROWS.format(position)


def list_places(move: Move) -> list[tuple[int, int]]:
    """Row and column of every square that the piece stands on.

    >>> from tablemen.draughts import Position
    >>> [list_places(move) for move in Position.from_fen("W:W27:B22,12", "international").legal_moves()]
    [[(5, 2), (3, 4), (1, 2)]]
    """
    return [(square.row, square.column) for square in move.path]
