"""The families of games, draughts and mancala, behind one face: what players, matches and tables ask of any of them."""

from tablemen.family import Family, ScoreSheet
from tablemen.family import families, find_variant, get_family

__all__ = ["families()", "Family", "ScoreSheet", "get_family", "find_variant"]
