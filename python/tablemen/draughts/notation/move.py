"""Moves as text: `32-28`, `32x23`, `c3:e5`."""

from __future__ import annotations

from tablemen._core import Move

QUIET_SEPARATOR = "-"


def format_move(move: Move, *, full: bool = False) -> str:
    """The move in its variant's notation: start and end, or every square of its way where they could mean another.

    `full` gives every square in any case.

    >>> from tablemen.draughts import Position
    >>> format_move(Position.from_fen("W:Wc3:Bd4", "russian").legal_moves()[0])
    'c3:e5'
    """
    separator = move.variant.capture_separator if move.is_capture else QUIET_SEPARATOR
    squares = move.path if full or move.ambiguous else (move.start, move.end)
    return separator.join(square.name for square in squares)
