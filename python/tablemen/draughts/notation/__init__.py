"""Text notations of draughts: FEN and moves in the variant's own squares, drawn boards, and the protocols' strings."""

from tablemen.draughts.notation.board_text import (
    format_grid,
    format_rows,
    format_turn,
    list_places,
    parse_grid,
    parse_rows,
    parse_turn,
)
from tablemen.draughts.notation.protocol_text import (
    format_dxp_move,
    format_dxp_position,
    format_hub_move,
    format_hub_position,
    parse_dxp_move,
    parse_dxp_position,
    parse_hub_move,
    parse_hub_position,
)
from tablemen.draughts.notation.text import (
    format_move,
    format_position,
    format_square_lists,
    parse_move,
    parse_position,
    parse_square_lists,
)

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
