"""The families of games, draughts and mancala, behind one face: what players, matches and tables ask of any of them."""

from tablemen.families.family import Family, ScoreSheet
from tablemen.families.known import FAMILIES, family_of, find_variant

__all__ = ["FAMILIES", "Family", "ScoreSheet", "family_of", "find_variant"]
