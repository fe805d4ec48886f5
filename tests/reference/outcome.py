"""How a game ended, as far as the position shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablemen import Outcome, Termination
from tests.reference.endings import decided
from tests.reference.moves import legal_moves

if TYPE_CHECKING:
    from tests.reference.position import ReferencePosition


def outcome(position: ReferencePosition) -> Outcome | None:
    """The result, or None while the game goes on."""
    by_pieces = decided(position)
    if by_pieces or legal_moves(position):
        return by_pieces
    # Nothing to move with, or no way to move it: that loses, and wins where losing is the aim.
    winner = position.turn if position.rules.losing else position.turn.opponent
    return Outcome(winner, Termination.NO_MOVE if position.pieces(position.turn) else Termination.NO_PIECES)
