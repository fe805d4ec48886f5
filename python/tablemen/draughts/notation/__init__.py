"""Draughts as text: positions and moves, written and read in the variant's own squares, and as protocols have them."""

from tablemen.draughts.notation.dxp import format_dxp_move, format_dxp_position, parse_dxp_move, parse_dxp_position
from tablemen.draughts.notation.fen import format_position, parse_position
from tablemen.draughts.notation.hub import format_hub_move, format_hub_position, parse_hub_move, parse_hub_position
from tablemen.draughts.notation.move import format_move, parse_move

__all__ = [
    "format_dxp_move",
    "format_dxp_position",
    "format_hub_move",
    "format_hub_position",
    "format_move",
    "format_position",
    "parse_dxp_move",
    "parse_dxp_position",
    "parse_hub_move",
    "parse_hub_position",
    "parse_move",
    "parse_position",
]
