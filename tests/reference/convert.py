"""Conversion of positions and moves between the core and the reference."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tablemen import Side
from tablemen.draughts import DraughtsRules, Kind, Position, Square
from tablemen.draughts.board import number_squares
from tests.reference.moves import Move, Route
from tests.reference.position import KingRun, ReferencePosition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablemen import draughts
    from tests.reference.board import Place


def get_place(square: Square) -> Place:
    return square.row, square.column


@lru_cache
def _numbers(rules: DraughtsRules) -> dict[Place, int]:
    """Return the number of each place in the variant."""
    return {get_place(square): int(square) for square in number_squares(rules)}


def from_core(position: Position) -> ReferencePosition:
    """Convert a position of the core."""

    def places(side: Side, kind: Kind) -> frozenset[Place]:
        return frozenset(map(get_place, position.squares(side, kind)))

    def run(side: Side) -> KingRun | None:
        if side not in position.king_runs:
            return None
        square, moves = position.king_runs[side]
        return KingRun(get_place(square), moves)

    return ReferencePosition(
        position.variant,
        position.turn,
        white_men=places(Side.WHITE, Kind.MAN),
        white_kings=places(Side.WHITE, Kind.KING),
        black_men=places(Side.BLACK, Kind.MAN),
        black_kings=places(Side.BLACK, Kind.KING),
        white_run=run(Side.WHITE),
        black_run=run(Side.BLACK),
    )


def to_core(position: ReferencePosition) -> Position:
    """Convert a position to one of the core."""
    number = _numbers(position.rules)

    def squares(places: Iterable[Place]) -> list[int]:
        return [number[place] for place in places]

    runs = {side: run for side in Side if (run := position.run(side))}
    return Position(
        position.rules,
        position.turn,
        white_men=squares(position.white_men),
        white_kings=squares(position.white_kings),
        black_men=squares(position.black_men),
        black_kings=squares(position.black_kings),
        king_runs={side: (number[run.place], run.moves) for side, run in runs.items()},
    )


def route_from_core(move: draughts.Move) -> Route:
    """Convert a move of the core, with its path."""
    return Route(tuple(map(get_place, move.path)), tuple(map(get_place, move.captured)), move.crowns)


def move_from_core(move: draughts.Move) -> Move:
    """Convert a move of the core without its path, from its start and end."""
    return Move(get_place(move.start), get_place(move.end), frozenset(map(get_place, move.captured)), move.crowns)
