"""The pits that the seeds of a move fall into, for animations."""

from __future__ import annotations

from typing import NamedTuple

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.mancala.sides import NAMES
from tablemen.outcome import Side


class Pit(NamedTuple):
    """A house of a side by its number, or its store, which is house 0.

    >>> print(Pit(Side.WHITE, 3), Pit(Side.BLACK, 0), sep=", ")
    south 3, north store
    """

    side: Side
    house: int

    def __str__(self) -> str:
        return f"{NAMES[self.side]} {self.house or 'store'}"


def trace(position: Position, move: Move) -> tuple[Pit, ...]:
    """Return the pits that the seeds of a legal move fall into, in order; none for the swap.

    >>> from tablemen.mancala import Position
    >>> start = Position.start("kalah")
    >>> [str(pit) for pit in trace(start, start.parse_move("5"))]
    ['south 6', 'south store', 'north 1', 'north 2']
    """
    if move.is_swap:
        return ()
    lap = _lap(position, move.house)
    return tuple(lap[seed % len(lap)] for seed in range(move.sown))


def _lap(position: Position, house: int) -> list[Pit]:
    """Return the pits of one lap around the board, beginning after a house of the side to move."""
    own, other = position.turn, position.turn.opponent
    features = position.variant.features
    houses = range(1, features.houses + 1)
    around = [Pit(own, each) for each in houses[house:]]
    around += [Pit(own, 0)] if features.sows_store else []
    around += [Pit(other, each) for each in houses]
    around += [Pit(own, each) for each in houses[: house - 1]]
    return around + ([Pit(own, house)] if features.sows_origin else [])
