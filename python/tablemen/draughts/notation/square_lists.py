"""Boards as two lists of squares, Black's and White's: `6,7` and `1-12,K20`, kings with a K."""

from __future__ import annotations

from tablemen._core import Position
from tablemen.draughts.notation.pieces import PieceReader, format_pieces
from tablemen.draughts.notation.span import Span
from tablemen.draughts.rules import DraughtsRules
from tablemen.outcome import Side


def parse_square_lists(black: str, white: str, rules: DraughtsRules, turn: Side) -> Position:
    """The position with Black's pieces and White's on the squares of these lists, written as in a FEN.

    >>> from tablemen.draughts import ENGLISH
    >>> parse_square_lists("6,7", "10", ENGLISH, Side.WHITE).fen()
    'W:W10:B6,7'

    Raises `NotationError`, pointing at the item, where a list names no squares of this board or one that is taken.
    """
    board = PieceReader(rules)
    for text, side in ((black, Side.BLACK), (white, Side.WHITE)):
        board.read_pieces(Span.of(text), side)
    return board.position(turn)


def format_square_lists(position: Position) -> tuple[str, str]:
    """Black's squares and White's.

    >>> from tablemen.draughts import Position
    >>> format_square_lists(Position.from_fen("W:W10,K2:B6,7", "english"))
    ('6,7', 'K2,10')
    """
    return ",".join(format_pieces(position, Side.BLACK)), ",".join(format_pieces(position, Side.WHITE))
