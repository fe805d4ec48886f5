"""The numbers of moves in questions for takebacks.

A number and a side mean that side's move of that number in the game, whichever side began: `B005Z` is black's fifth.
Where black begins, white's first move therefore comes behind black's first, and both have the number 1.
"""

from __future__ import annotations

from tablemen.outcome import Side


def ply_of(number: int, side: Side, first: Side) -> int:
    """How many moves were made before the side's move of this number, where `first` began.

    >>> ply_of(5, Side.BLACK, Side.WHITE), ply_of(5, Side.BLACK, Side.BLACK)
    (9, 8)
    """
    return 2 * (number - 1) + (side is not first)


def number_of(ply: int, first: Side) -> tuple[int, Side]:
    """The number and the side of the move that comes behind so many, its twin.

    >>> number_of(9, Side.WHITE)
    (5, Side.BLACK)
    """
    return ply // 2 + 1, first.opponent if ply % 2 else first
