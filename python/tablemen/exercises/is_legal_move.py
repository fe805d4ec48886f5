"""The challenge "Is this a legal English checkers move?": White moves a man up a board of 32 squares."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from tablemen.draughts import ENGLISH, Position
from tablemen.errors import ArgumentError
from tablemen.outcome import Side

SQUARES = range(1, 33)


def is_legal_move(black: Iterable[int], white: Iterable[int], start: int, end: int) -> bool:
    """Whether White, whose pieces all count as men, may move from `start` to `end`.

    Jumping is compulsory for the whole side and carried to its end; which jump is free. There is always a white man on
    `start`, and any other square that both lists name is Black's.

    >>> is_legal_move(black=[], white=[5], start=5, end=1)
    True
    >>> is_legal_move([6], [9], 9, 2)
    True
    >>> is_legal_move([2, 6], [9], 9, 2)  # it would end on a black piece
    False
    >>> is_legal_move([7, 14], [17], 17, 3)
    True
    >>> is_legal_move([7, 14], [17], 17, 10)  # it must go on jumping
    False
    >>> is_legal_move([5], [9], 9, 4)  # it would go across the board
    False
    >>> is_legal_move([6, 7], [6], 10, 1), is_legal_move([6, 7], [6], 10, 3)
    (True, True)
    >>> is_legal_move([2], [1], 1, 3)  # sideways
    False
    >>> is_legal_move([6], [1], 1, 10)  # backwards
    False
    >>> is_legal_move([6], [9, 2], 9, 2)  # it would end on a white piece
    False
    >>> is_legal_move([], [9, 6], 9, 2)  # it would jump over a white piece
    False
    >>> is_legal_move([8, 15, 23, 24], [27], 27, 4), is_legal_move([8, 15, 23, 24], [27], 27, 20)
    (True, True)

    Raises `ArgumentError`, saying where, for anything that is no square from 1 to 32.
    """
    begin = _read_square("start", start)
    black_men = _read_squares("black", black) - {begin}
    white_men = (_read_squares("white", white) - black_men) | {begin}
    position = Position(ENGLISH, Side.WHITE, white_men=white_men, black_men=black_men)
    return bool(position.find_moves([begin, _read_square("end", end)]))


def _read_squares(name: str, squares: object) -> set[int]:
    if isinstance(squares, str) or not isinstance(squares, Iterable):
        raise ArgumentError(name, squares, "a list of squares")
    return {_read_square(f"{name}[{index}]", square) for index, square in enumerate(squares)}


def _read_square(name: str, square: Any) -> int:
    try:
        number = operator.index(square)  # a number of NumPy is as good as one of Python
    except TypeError:
        number = 0
    if number not in SQUARES or isinstance(square, bool):
        raise ArgumentError(name, square, "a square from 1 to 32")
    return number
