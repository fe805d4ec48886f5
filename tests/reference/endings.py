"""Results that depend on the pieces only, not on the legal moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablemen import Outcome, Side, Termination

if TYPE_CHECKING:
    from tests.reference.position import ReferencePosition


def decided(position: ReferencePosition) -> Outcome | None:
    """Return the result by breakthrough or by a lone piece; None if neither applies."""
    return _breakthrough(position) or _lone_piece(position)


def _breakthrough(position: ReferencePosition) -> Outcome | None:
    """Return the win of a side with a king; the side that has just moved is checked first."""
    for side in (position.turn.opponent, position.turn):
        if position.rules.breakthrough and position.kings(side):
            return Outcome(side, Termination.BREAKTHROUGH)
    return None


def _lone_piece(position: ReferencePosition) -> Outcome | None:
    """Return the loss of a lone piece; the side to move is checked first.

    A side to move without any piece has lost by another rule.
    """
    for side in (position.turn, position.turn.opponent):
        if position.pieces(position.turn) and _is_too_weak(position, side):
            return Outcome(side.opponent, Termination.LONE_PIECE)
    return None


def _is_too_weak(position: ReferencePosition, side: Side) -> bool:
    alone = len(position.pieces(side)) == 1
    lone_man_against_king = alone and bool(position.men(side)) and bool(position.kings(side.opponent))
    rules = position.rules
    return (rules.lone_piece_loses and alone) or (rules.lone_man_loses_to_king and lone_man_against_king)
