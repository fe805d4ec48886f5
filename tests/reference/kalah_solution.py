"""The exact values of Kalah positions, by plain minimax with the rules of the reference."""

from __future__ import annotations

from typing import TypeAlias

from tablemen import Side
from tests.reference.kalah import NORTH, SOUTH, KalahPosition, Move

Known: TypeAlias = dict[tuple[object, ...], int]


def value(position: KalahPosition, known: Known | None = None) -> int:
    """Return the final margin of the side to move with best play; for few seeds.

    >>> from tests.reference.kalah import Rules
    >>> value(KalahPosition.start(Rules(houses=2, seeds=4)))
    -12
    """
    known = {} if known is None else known
    rows = (position.houses(side) for side in Side)
    key = (position.turn, position.swap_ahead, *rows, *position.stores.values())
    if key not in known:
        values = move_values(position, known)
        known[key] = max(values.values()) if values else lead(position, position.turn)
    return known[key]


def move_values(position: KalahPosition, known: Known | None = None) -> dict[Move, int]:
    """Return the value of each move for the side to move, also if it gets another turn."""
    known = {} if known is None else known
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        worth = value(after, known)
        found[move] = worth if after.turn is position.turn else -worth
    return found


def lead(position: KalahPosition, side: Side) -> int:
    """Return the lead of a side in the score."""
    score = position.score()
    south = score[SOUTH] - score[NORTH]
    return south if side is SOUTH else -south
