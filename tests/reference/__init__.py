"""A reference implementation of draughts in plain Python, to test the compiled core.

It is written for clarity, not for speed, from the rule books and the fields of `DraughtsRules`. A square is a place
(row, column), counted from the top left with White at the bottom, and pieces are sets of places.
"""

from tests.reference.board import Place, Step
from tests.reference.convert import from_core, move_from_core, route_from_core, to_core
from tests.reference.moves import Move, Route, legal_moves, legal_routes, perft, play
from tests.reference.outcome import outcome
from tests.reference.position import KingRun, ReferencePosition, start_position

__all__ = [
    "KingRun",
    "Move",
    "Place",
    "ReferencePosition",
    "Route",
    "Step",
    "from_core",
    "legal_moves",
    "legal_routes",
    "move_from_core",
    "outcome",
    "perft",
    "play",
    "route_from_core",
    "start_position",
    "to_core",
]
