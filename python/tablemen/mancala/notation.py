"""Mancala as text: a move is the number of its house, a position the board of the Kalah Game Protocol and who moves.

`<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south` has six houses a side, the stores of South and North, and the houses of South
and of North, each in the order in which its owner sows. A final `swap` means that North may still swap sides.
"""

from __future__ import annotations

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.mancala.rules import MancalaRules

SWAP = "swap"


def format_move(move: Move) -> str:
    """Format a move: the number of the house, or `swap`.

    >>> from tablemen.mancala import Position
    >>> [format_move(move) for move in Position.start("kalah").legal_moves()]
    ['1', '2', '3', '4', '5', '6']
    """
    return str(move)


def parse_move(text: str, position: Position) -> Move:
    """Return the legal move that a text means in a position.

    >>> from tablemen.mancala import Position
    >>> parse_move("3", Position.start("kalah"))
    Move('kalah', 3, sown=4, extra_turn=True)

    Raises `NotationError` if the text is not a move, and `IllegalMoveError` if the move is not legal.
    """
    return position.parse_move(text)


def format_position(position: Position) -> str:
    """Format the board and the side to move.

    >>> from tablemen.mancala import Position
    >>> format_position(Position.start("kalah"))
    '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south'
    """
    return position.text()


def parse_position(text: str, variant: MancalaRules | str) -> Position:
    """Parse a position; South is to move if the text does not name a side.

    >>> print(parse_position("<3,1,0,2,0,2,1,2,4> north", "kalah"))
    Traceback (most recent call last):
    tablemen.errors.NotationError: line 1, column 2: the board has 3 houses a side, kalah has 6

    Raises `NotationError`.
    """
    return Position.from_text(text, variant)
