"""Mancala: Kalah in several rule sets, Oware, and custom rules."""

from typing import TYPE_CHECKING, Any

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen._core import register_family
from tablemen.mancala.rules import (
    NORTH,
    SOUTH,
    Capture,
    End,
    GrandSlam,
    KalahRules,
    MancalaRules,
    OwareRules,
    Rest,
    Swap,
)
from tablemen.mancala.variants import KALAH, OWARE, VARIANTS, find_variant

if TYPE_CHECKING:
    from tablemen.mancala.solver import Progress, Solution, solve, solve_all
    from tablemen.mancala.solver_tasks import solve_in_tasks
    from tablemen.mancala.tablebase import TableWarning

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
    "solve_all",
    "solve_in_tasks",
]


def __getattr__(name: str) -> object:
    """Import the solver on first use: it is slow to import and most programs do not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tablemen.mancala import solver, solver_tasks, tablebase

    owner = {"TableWarning": tablebase, "solve_in_tasks": solver_tasks}.get(name, solver)
    return getattr(owner, name)


def _draw_diagram(position: Position) -> str:
    from tablemen.mancala.diagram import draw  # only programs that draw import it

    return draw(position)


def _draw_svg(position: Position, **options: Any) -> str:
    from tablemen.mancala.svg import draw

    return draw(position, **options)


def _explain_illegal(position: Position, move: Move | str) -> str | None:
    from tablemen.mancala.moves import explain_move

    return explain_move(position, move)


register_family(
    "tablemen.mancala",
    variants=VARIANTS,
    find_variant=find_variant,
    diagram=_draw_diagram,
    svg=_draw_svg,
    explain_illegal=_explain_illegal,
)
