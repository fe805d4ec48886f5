"""The challenge "Is this a legal English checkers move?": check a move of a white man on 32 squares."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from tablemen.draughts import ENGLISH, Position
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

SQUARES = range(1, 33)


def is_legal_move(black: Iterable[int], white: Iterable[int], start: int, end: int) -> bool:
    """Return whether White, whose pieces all count as men, may move from `start` to `end`.

    Jumps are compulsory for the whole side and must be completed; the choice between jumps is free. There is always a
    white man on `start`; any other square in both lists is Black's.

    >>> is_legal_move(black=[], white=[5], start=5, end=1)
    True
    >>> is_legal_move([6], [9], 9, 2)
    True
    >>> is_legal_move([2, 6], [9], 9, 2)  # ends on a black piece
    False
    >>> is_legal_move([7, 14], [17], 17, 3)
    True
    >>> is_legal_move([7, 14], [17], 17, 10)  # the jump is not complete
    False
    >>> is_legal_move([5], [9], 9, 4)  # leaves the board
    False
    >>> is_legal_move([6, 7], [6], 10, 1), is_legal_move([6, 7], [6], 10, 3)
    (True, True)
    >>> is_legal_move([2], [1], 1, 3)  # sideways
    False
    >>> is_legal_move([6], [1], 1, 10)  # backwards
    False
    >>> is_legal_move([6], [9, 2], 9, 2)  # ends on a white piece
    False
    >>> is_legal_move([], [9, 6], 9, 2)  # jumps over a white piece
    False
    >>> is_legal_move([8, 15, 23, 24], [27], 27, 4), is_legal_move([8, 15, 23, 24], [27], 27, 20)
    (True, True)

    Raises `ArgumentError`, with the argument and index, for anything that is not a square from 1 to 32.
    """
    origin = _check_square("start", start)
    black_men = _check_squares("black", black) - {origin}
    white_men = (_check_squares("white", white) - black_men) | {origin}
    position = Position(ENGLISH, Side.WHITE, white_men=white_men, black_men=black_men)
    return bool(position.find_moves([origin, _check_square("end", end)]))


def _check_squares(name: str, squares: object) -> set[int]:
    if isinstance(squares, str) or not isinstance(squares, Iterable):
        raise ArgumentError(name, squares, "a list of squares")
    return {_check_square(f"{name}[{index}]", square) for index, square in enumerate(squares)}


def _check_square(name: str, square: Any) -> int:
    try:
        number = operator.index(square)  # accepts NumPy integers too
    except TypeError:
        number = 0
    if number not in SQUARES or isinstance(square, bool):
        raise ArgumentError(name, square, "a square from 1 to 32")
    return number
