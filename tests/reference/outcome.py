"""The outcome of a game, as far as it follows from the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablemen import Outcome, Termination
from tests.reference.endings import decided
from tests.reference.moves import legal_moves

if TYPE_CHECKING:
    from tests.reference.position import ReferencePosition


def outcome(position: ReferencePosition) -> Outcome | None:
    """Return the outcome, or None if the game is not over."""
    by_pieces = decided(position)
    if by_pieces or legal_moves(position):
        return by_pieces
    # A side without pieces or without a legal move loses, or wins in losing games.
    winner = position.turn if position.rules.losing else position.turn.opponent
    return Outcome(winner, Termination.NO_MOVE if position.pieces(position.turn) else Termination.NO_PIECES)
