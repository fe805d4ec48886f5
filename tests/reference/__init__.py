"""The rules of draughts once more, in plain Python: the judge of the compiled core.

Written for clarity alone, from the rule books and the fields of `DraughtsRules`. A square is a place (row, column):
row 0 is on top, White at the bottom; pieces are sets of places; every rule is looked up where it is needed.
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
