"""Draughts as text: positions and moves, written and read in the variant's own squares."""

from tablemen.draughts.notation.fen import format_position, parse_position
from tablemen.draughts.notation.move import format_move, parse_move

__all__ = ["format_move", "format_position", "parse_move", "parse_position"]
