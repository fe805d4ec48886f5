"""The kata "Valid Draughts Moves": list the turns of an international draughts position in the kata's notation."""

from __future__ import annotations

from tablemen.draughts import INTERNATIONAL
from tablemen.draughts.notation import format_turn, parse_grid
from tablemen.errors import ArgumentError
from tablemen.outcome import Side


def valid_turns(board: str, player: Side) -> list[str]:
    r"""Return the legal turns of the player, in ascending order; an empty list if the game is over.

    The board is ten lines of ten characters, White at the bottom: a blank is a light square, a dot an empty dark one,
    `w` and `b` are men, `K` a white king and `B` a black one. Squares are a digit for the column and one for the row,
    from 0 at the bottom left.

    >>> board = '''
    ...  K . . . .
    ... . b . . .
    ...  . . b . .
    ... . . . . b
    ...  . . . b .
    ... . . . w .
    ...  . . . . b
    ... . . w b w
    ...  . . . . .
    ... . B w . .
    ... '''
    >>> valid_turns(board, Side.WHITE)
    ['19x46x68x95x51']
    >>> valid_turns(board, Side.BLACK)
    ['75x53x31']

    A king that can land on several squares between two captures has one turn per path.

    Raises `NotationError`, with line and column, if the text is not such a board, and `ArgumentError` if an argument
    has the wrong type.
    """
    if not isinstance(board, str):
        raise ArgumentError("board", board, "a text of ten lines")
    if not isinstance(player, Side):
        raise ArgumentError("player", player, "Side.WHITE or Side.BLACK")
    position = parse_grid(board, INTERNATIONAL, player)
    return sorted({format_turn(move) for move in position.legal_moves(paths=True)})
