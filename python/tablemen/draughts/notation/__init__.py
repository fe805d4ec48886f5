"""Draughts as text: positions and moves, in the variant's own squares, in drawings, and as protocols have them."""

from tablemen.draughts.notation.dxp import format_dxp_move, format_dxp_position, parse_dxp_move, parse_dxp_position
from tablemen.draughts.notation.fen import format_position, parse_position
from tablemen.draughts.notation.grid import format_grid, format_turn, parse_grid, parse_turn
from tablemen.draughts.notation.hub import format_hub_move, format_hub_position, parse_hub_move, parse_hub_position
from tablemen.draughts.notation.move import format_move, parse_move
from tablemen.draughts.notation.rows import format_rows, list_places, parse_rows
from tablemen.draughts.notation.square_lists import format_square_lists, parse_square_lists

__all__ = [
    "format_dxp_move",
    "format_dxp_position",
    "format_grid",
    "format_hub_move",
    "format_hub_position",
    "format_move",
    "format_position",
    "format_rows",
    "format_square_lists",
    "format_turn",
    "list_places",
    "parse_dxp_move",
    "parse_dxp_position",
    "parse_grid",
    "parse_hub_move",
    "parse_hub_position",
    "parse_move",
    "parse_position",
    "parse_rows",
    "parse_square_lists",
    "parse_turn",
]
