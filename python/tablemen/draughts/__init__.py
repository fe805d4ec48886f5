"""Draughts: rules as data, positions and moves."""

from typing import Any

from tablemen._core import Move, Position, register_family
from tablemen.draughts.board import Kind, Piece, Square
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


def _draw_diagram(position: Position) -> str:
    from tablemen.draughts.diagram import draw  # imported on first use

    return draw(position)


def _draw_svg(position: Position, **options: Any) -> str:
    from tablemen.draughts.svg import draw

    return draw(position, **options)


def _explain_illegal(position: Position, move: Move | str) -> str | None:
    from tablemen.draughts.move_errors import explain_move

    return explain_move(position, move)


register_family(
    "tablemen.draughts",
    variants=VARIANTS,
    find_variant=find_variant,
    diagram=_draw_diagram,
    svg=_draw_svg,
    explain_illegal=_explain_illegal,
)
