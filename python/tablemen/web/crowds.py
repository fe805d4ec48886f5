"""Positions that would ask too much of the server: crowds of pieces with more captures than can be listed.

A king in a crowd can have millions of ways to capture, and the crowd can be such that finding them takes seconds.
Pieces never become more in play, so a position that is given is looked at, whoever is to move in it, and those that
follow need not be.
"""

from __future__ import annotations

import re
from time import thread_time
from typing import Any

from tablemen.draughts import Kind, Position
from tablemen.draughts.pdn.start_position import with_turn
from tablemen.errors import TablemenError
from tablemen.outcome import Side

MOST_WAYS = 1000  # to move that are listed; no position of a real game comes near
LONGEST_LOOK = 0.03  # seconds of the processor; a real position takes a thousandth of that
MOST_IN_ANY_VARIANT = 30  # men of a side, in Canadian draughts

_FEN = re.compile(r'FEN\s*"([^"]*)"', re.IGNORECASE)
_RANGE = re.compile(r"([0-9]{1,4})\s*-\s*K?([0-9]{1,4})", re.IGNORECASE)


def check_crowd(position: Any) -> None:
    """Raises `TablemenError` where a position of draughts has more pieces than a game, or a side too many captures."""
    if not isinstance(position, Position):
        return
    start = Position.start(position.variant)
    for side in Side:
        count, most = _count(position, side), _count(start, side)
        if count > most:
            name = side.name.lower()
            raise TablemenError(f"{name} has {count} pieces; in a game of {position.variant} it has {most} at most")
    for each in (position, with_turn(position, position.turn.opponent)):  # a quiet move lets the other side capture
        begun = thread_time()
        each.perft(1)  # lets other threads work meanwhile, as listing the moves does not
        if thread_time() - begun > LONGEST_LOOK:
            raise TablemenError("this position has too many ways to capture")


def _count(position: Position, side: Side) -> int:
    return sum(len(position.squares(side, kind)) for kind in Kind)


def has_too_many_ways(position: Any) -> bool:
    """Whether every way to capture, and not only every capture, is more than can be told."""
    return isinstance(position, Position) and position.perft(1, paths=True) > MOST_WAYS


def check_text(text: str) -> None:
    """Raises `TablemenError` where a set-up in a game file has more pieces of a side than any game."""
    for found in _FEN.finditer(text):
        for side in found[1].split(":")[1:]:
            if _count_listed(side) > MOST_IN_ANY_VARIANT:
                words = f"a position with more than {MOST_IN_ANY_VARIANT} pieces of a side is of no game"
                raise TablemenError(f"{words}: {found[1][:80]}")


def _count_listed(side: str) -> int:
    """The pieces in a list of squares, at most: a range has as many as there are numbers in it."""
    return sum(_length(item) for item in side.split(","))


def _length(item: str) -> int:
    span = _RANGE.search(item)
    return abs(int(span[2]) - int(span[1])) + 1 if span else 1
