"""Draughts: rules as data, positions and moves."""

from tablemen._core import Move, Position
from tablemen.draughts.numbering import Square
from tablemen.draughts.piece import Kind, Piece
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import ENGLISH, INTERNATIONAL, VARIANTS, find_variant

__all__ = [
    "ENGLISH",
    "INTERNATIONAL",
    "VARIANTS",
    "DraughtsRules",
    "Kind",
    "Move",
    "Piece",
    "Position",
    "Square",
    "find_variant",
]
