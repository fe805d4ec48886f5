"""Limits on positions from untrusted input: the number of pieces, and the number of captures.

A king among many pieces can have millions of capture paths, and some positions take seconds to search for them. The
number of pieces never grows in play, so it is enough to check the first position, with either side to move.
"""

from __future__ import annotations

import re
from time import thread_time

from tablemen.draughts import Kind, Position
from tablemen.draughts.pdn.start_position import with_turn
from tablemen.errors import TablemenError
from tablemen.outcome import Side

MAX_LISTING_SECONDS = 0.03  # of CPU time; a position of a real game takes a thousandth of that
MAX_PIECES = 30  # of a side in Canadian draughts, which has the most

_FEN = re.compile(r'FEN\s*"([^"]*)"', re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,4})\s*-\s*K?([0-9]{1,4})", re.IGNORECASE)


def check_complexity(position: Position) -> None:
    """Raise `TablemenError` if a side has more pieces than at the start, or too many captures to list them."""
    start = Position.start(position.variant)
    for side in Side:
        count, limit = _count(position, side), _count(start, side)
        if count > limit:
            name = side.name.lower()
            raise TablemenError(f"{name} has {count} pieces; in a game of {position.variant} it has {limit} at most")
    for each in (position, with_turn(position, position.turn.opponent)):  # a quiet move lets the other side capture
        started = thread_time()
        each.perft(1)  # releases the GIL, unlike the list of moves
        if thread_time() - started > MAX_LISTING_SECONDS:
            raise TablemenError("this position has too many ways to capture")


def _count(position: Position, side: Side) -> int:
    return sum(len(position.squares(side, kind)) for kind in Kind)


def check_fens(text: str) -> None:
    """Raise `TablemenError` if a side has more pieces in a FEN of a game file than in any variant."""
    for found in _FEN.finditer(text):
        for side in found[1].split(":")[1:]:
            if sum(_count_squares(item) for item in side.split(",")) > MAX_PIECES:
                problem = f"too many pieces: no variant has more than {MAX_PIECES} a side"
                raise TablemenError(f"FEN {found[1][:80]}: {problem}")


def _count_squares(item: str) -> int:
    """Return the maximum number of squares that an item of a FEN can have."""
    span = _RANGE.search(item)
    return abs(int(span[2]) - int(span[1])) + 1 if span else 1
