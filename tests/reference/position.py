"""Positions of the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tablemen import Side
from tests.reference.board import Place, playable_places

if TYPE_CHECKING:
    from tablemen.draughts import DraughtsRules


class KingRun(NamedTuple):
    """The place of the king that made the last moves of a side, and their number; none is a capture."""

    place: Place
    moves: int


@dataclass(frozen=True)
class ReferencePosition:
    """A position with pieces as sets of places; it has runs only if the rules limit them and the side has men."""

    rules: DraughtsRules
    turn: Side
    white_men: frozenset[Place] = frozenset()
    white_kings: frozenset[Place] = frozenset()
    black_men: frozenset[Place] = frozenset()
    black_kings: frozenset[Place] = frozenset()
    white_run: KingRun | None = None
    black_run: KingRun | None = None

    def men(self, side: Side) -> frozenset[Place]:
        return self.white_men if side is Side.WHITE else self.black_men

    def kings(self, side: Side) -> frozenset[Place]:
        return self.white_kings if side is Side.WHITE else self.black_kings

    def pieces(self, side: Side) -> frozenset[Place]:
        return self.men(side) | self.kings(side)

    def run(self, side: Side) -> KingRun | None:
        return self.white_run if side is Side.WHITE else self.black_run


def start_position(rules: DraughtsRules) -> ReferencePosition:
    """Return the start position, with Black at the top."""
    nearest, last = rules.start_gap, rules.start_gap + rules.start_rows
    board = playable_places(rules)
    return ReferencePosition(
        rules,
        rules.first,
        white_men=frozenset(place for place in board if nearest <= rules.rows - 1 - place[0] < last),
        black_men=frozenset(place for place in board if nearest <= place[0] < last),
    )
