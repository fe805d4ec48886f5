"""Positions as text diagrams, for terminals and tests."""

from __future__ import annotations

from collections.abc import Iterable

from tablemen._core import MancalaPosition as Position
from tablemen.mancala.rules import NAMES, SOUTH
from tablemen.outcome import Side

GAP = 3  # between a store and the houses


def draw(position: Position, *, orientation: Side = SOUTH) -> str:
    """Draw the seeds in each pit, the numbers of the houses at the edges, and the side to move.

    `orientation` is the side at the bottom. Each player's store is on that player's right.

    >>> from tablemen.mancala import Position
    >>> start = Position.start("kalah")
    >>> print(draw(start.play(start.parse_move("3"))))
        6 5 4 3 2 1
        4 4 4 4 4 4
    0                 1
        4 4 0 5 5 5
        1 2 3 4 5 6
    South to move
    """
    if not isinstance(orientation, Side):
        raise TypeError(f"orientation must be a Side, not {orientation!r}")
    near, far = position.houses(orientation), position.houses(orientation.opponent)
    left, right = position.stores[orientation.opponent], position.stores[orientation]
    numbers = range(1, len(near) + 1)
    width = max(len(str(number)) for number in (*near, *far, *numbers))
    margin = max(len(str(left)), len(str(right)))

    def row(cells: Iterable[int]) -> str:
        return f"{'':{margin + GAP}}{' '.join(f'{cell:>{width}}' for cell in cells)}"

    middle = f"{left:>{margin}}{'':{len(near) * (width + 1) - 1 + 2 * GAP}}{right}"
    lines = (row(reversed(numbers)), row(reversed(far)), middle, row(near), row(numbers))
    return "\n".join((*lines, f"{NAMES[position.turn].capitalize()} to move"))
