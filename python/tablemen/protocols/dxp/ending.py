"""How a game ended, and what DXP says of it."""

from __future__ import annotations

from typing import Any

from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.protocols.dxp.message import Reason


def reason_of(outcome: Outcome | None, side: Side) -> Reason:
    """Why a game ends that ended so, as the side sees it.

    >>> reason_of(Outcome(Side.WHITE, Termination.TIME), Side.BLACK)
    Reason.LOST
    """
    if outcome is None:
        return Reason.UNKNOWN
    if outcome.winner is None:
        return Reason.DRAWN
    return Reason.WON if outcome.winner is side else Reason.LOST


def outcome_of(game: Game[Any, Any], reason: Reason, side: Side) -> Outcome | None:
    """How a game ended that the side has ended for this reason; None where that cannot be told.

    The rules come first, and nobody wins or draws by saying so: a draw must be due, and a win is none of a reason's.
    """
    if outcome := game.outcome():
        return outcome
    if reason is Reason.LOST:
        return Outcome(side.opponent, Termination.RESIGNATION)
    if reason is Reason.DRAWN and game.claims():
        return game.claims()[0].outcome(game.position)
    return None
