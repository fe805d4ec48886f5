"""The counts of draw rules, computed from the whole history of a game, to test the counters of the core.

They are computed from the fields of the rules, so that custom rules can be tested too. The module `game`, on the
other hand, implements the articles of each variant.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tablemen import Side
from tablemen.draughts.draws import DrawnMaterial, MoveCount, Threat, ZeroingMove
from tablemen.draws import Repetition
from tests.reference.game import on_long_diagonal
from tests.reference.moves import Move, legal_moves
from tests.reference.two_kings import is_decided

if TYPE_CHECKING:
    from tablemen.draughts.draws import Force, Material
    from tablemen.draws import DrawRule
    from tests.reference.game import ReferenceGame
    from tests.reference.position import ReferencePosition


def count(game: ReferenceGame, rule: DrawRule) -> int | None:
    """Return the count of the rule; None if it does not apply."""
    now = game.positions[-1]
    match rule:
        case Repetition():
            return game.positions.count(now)
        case DrawnMaterial():
            if not _fits(rule.material, now):
                return None
            return int(_is_placed(rule.material, now) and not _is_excepted(rule.unless, now))
        case MoveCount():
            if not _applies(rule, now):
                return None
            plies = list(zip(game.positions[:-1], game.moves, game.positions[1:], strict=True))
            return sum(1 for _ in takewhile(lambda ply: _counts(rule, *ply), reversed(plies)))
    raise AssertionError(rule)


def _counts(rule: MoveCount, before: ReferencePosition, move: Move, after: ReferencePosition) -> bool:
    """Return whether the rule counts the move."""
    if not _applies(rule, before) or not _applies(rule, after) or _progress(before, move) & rule.resets:
        return False
    return rule.within is None or (_is_placed(rule.within, before) and _is_placed(rule.within, after))


def _progress(before: ReferencePosition, move: Move) -> ZeroingMove:
    progress = ZeroingMove(0)
    if move.captured:
        progress |= ZeroingMove.CAPTURE
    if move.start in before.men(before.turn):
        progress |= ZeroingMove.MAN_MOVE
    if move.crowns:
        progress |= ZeroingMove.CROWNING
    return progress


def _applies(rule: MoveCount, position: ReferencePosition) -> bool:
    inside = rule.within is None or _fits(rule.within, position)
    return inside and not (rule.outside is not None and _fits(rule.outside, position))


def _fits(material: Material, position: ReferencePosition) -> bool:
    """Return whether the numbers of pieces fit, on any squares."""
    minimum, maximum = material.total
    total = sum(len(position.pieces(side)) for side in Side)
    return minimum <= total <= maximum and any(_are_forces(material, position, side) for side in Side)


def _is_placed(material: Material, position: ReferencePosition) -> bool:
    """Return whether the forces that must hold the long diagonal do so."""

    def holds(force: Force, side: Side) -> bool:
        return not force.on_long_diagonal or on_long_diagonal(position, side)

    return any(
        _are_forces(material, position, side) and holds(material.one, side) and holds(material.other, side.opponent)
        for side in Side
    )


def _are_forces(material: Material, position: ReferencePosition, side: Side) -> bool:
    """Return whether the side has the force `one`, and its opponent the force `other`."""
    return _is_force(material.one, position, side) and _is_force(material.other, position, side.opponent)


def _is_force(force: Force, position: ReferencePosition, side: Side) -> bool:
    numbers = (
        (position.pieces(side), force.pieces),
        (position.kings(side), force.kings),
        (position.men(side), force.men),
    )
    return all(minimum <= len(pieces) <= maximum for pieces, (minimum, maximum) in numbers)


def _is_excepted(threat: Threat, position: ReferencePosition) -> bool:
    match threat:
        case Threat.NONE:
            return False
        case Threat.CAPTURE:
            return any(move.captured for move in legal_moves(position))
        case Threat.FORCED_WIN:
            return is_decided(position)
