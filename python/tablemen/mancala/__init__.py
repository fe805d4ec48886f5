"""Mancala: Kalah with its disputed rules named, Oware, and rules of one's own."""

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.mancala.rules import Capture, End, GrandSlam, KalahRules, MancalaRules, OwareRules, Rest, Swap
from tablemen.mancala.sides import NORTH, SOUTH
from tablemen.mancala.solution import Progress, Solution, solve
from tablemen.mancala.tables import TableWarning
from tablemen.mancala.variants import KALAH, OWARE, VARIANTS, find_variant

__all__ = [
    "KALAH",
    "NORTH",
    "OWARE",
    "SOUTH",
    "VARIANTS",
    "Capture",
    "End",
    "GrandSlam",
    "KalahRules",
    "MancalaRules",
    "Move",
    "OwareRules",
    "Position",
    "Progress",
    "Rest",
    "Solution",
    "Swap",
    "TableWarning",
    "find_variant",
    "solve",
]
