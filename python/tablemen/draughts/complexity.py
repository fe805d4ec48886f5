"""Limits for positions that come from outside: more pieces than a game has, or too many captures to list.

A king among many pieces can have millions of capture paths, and some positions take hours to search for them. The
number of pieces never grows in play.
"""

from __future__ import annotations

from tablemen.draughts import Kind, Position
from tablemen.draughts.pdn.start_position import with_turn
from tablemen.errors import TablemenError, WorkLimitError
from tablemen.outcome import Side
from tablemen.work import work_limit

MAX_LISTING_WORK = 5000  # units, see `work_limit`, less than 1 ms; a position of a game takes fewer than a hundred


def check_complexity(position: Position) -> None:
    """Raise `TablemenError` if a side has more pieces than at the start, or too many captures to list them.

    Raises `WorkLimitError` if an outer work limit is exceeded.
    """
    start = Position.start(position.variant)
    for side in Side:
        count, limit = _count(position, side), _count(start, side)
        if count > limit:
            name = side.name.lower()
            raise TablemenError(f"{name} has {count} pieces; in a game of {position.variant} it has {limit} at most")
    try:
        with work_limit(MAX_LISTING_WORK):
            for each in (position, with_turn(position, position.turn.opponent)):  # both sides may capture next
                each.perft(1)
    except WorkLimitError as error:
        if error.units != MAX_LISTING_WORK:
            raise
        raise TablemenError("this position has too many ways to capture") from error


def _count(position: Position, side: Side) -> int:
    return sum(len(position.squares(side, kind)) for kind in Kind)
