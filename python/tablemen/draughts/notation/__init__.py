"""Draughts as text: positions and moves, written and read in the variant's own squares and in other forms."""

from tablemen.draughts.notation.fen import format_position, parse_position
from tablemen.draughts.notation.grid import format_grid, format_turn, parse_grid, parse_turn
from tablemen.draughts.notation.move import format_move
from tablemen.draughts.notation.rows import format_rows, list_places, parse_rows
from tablemen.draughts.notation.square_lists import format_square_lists, parse_square_lists

__all__ = [
    "format_grid",
    "format_move",
    "format_position",
    "format_rows",
    "format_square_lists",
    "format_turn",
    "list_places",
    "parse_grid",
    "parse_position",
    "parse_rows",
    "parse_square_lists",
    "parse_turn",
]
