"""Explanations of why a move is not legal."""

from __future__ import annotations

from tablemen._core import MancalaPosition as Position
from tablemen.mancala.rules import OwareRules
from tablemen.mancala.sides import NAMES

SWAP_HOUSE = 0  # the `house` of the swap


def find_objection(position: Position, house: int) -> str | None:
    """Explain why the side to move may not play a house, or swap sides (house 0); return None if it may.

    >>> from tablemen.mancala import Position
    >>> find_objection(Position.from_text("<6,3,3,0,4,4,4,4,4,4,4,4,4,4,2> south", "kalah"), 1)
    'house 1 is empty'
    """
    if any(move.house == house for move in position.legal_moves()):
        return None
    outcome = position.outcome()
    if outcome is not None:
        return f"the game is over: {outcome.termination}"
    if house == SWAP_HOUSE:
        return "sides cannot be swapped now"
    own = position.houses(position.turn)
    if not 1 <= house <= len(own):
        return f"there is no house {house}: they are 1 to {len(own)}"
    if not own[house - 1]:
        return f"house {house} is empty"
    return _objection_of_oware(position, house)


def _objection_of_oware(position: Position, house: int) -> str:
    """Explain why a house with seeds may not be played: it does not feed the opponent, or it is a grand slam."""
    opponent = position.turn.opponent
    allowed = ", ".join(str(move.house) for move in position.legal_moves())
    if isinstance(position.variant, OwareRules) and not any(position.houses(opponent)):
        return f"{NAMES[opponent].capitalize()} has no seeds and must be given some: play {allowed}"
    return f"house {house} would capture all seeds of {NAMES[opponent].capitalize()}, which is forbidden"
