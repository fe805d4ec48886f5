"""Arguments that the adapters for other libraries share, and the error when such a library is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.outcome import Side
from tablemen.validation import is_int

if TYPE_CHECKING:
    import gymnasium.spaces

SIDES = (Side.WHITE, Side.BLACK)  # by the index of the player
PLANES_NDIM = 3  # of an observation of planes; that of pits has two
RENDER_MODES = ["ansi"]
RANDOM, ALTERNATE = "random", "alternate"


def explain_missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error for a module of `tablemen.envs` when a library that it needs is not installed."""
    return ModuleNotFoundError(f"this module needs {error.name}: pip install 'tablemen[rl]'", name=error.name)


def find_start(variant: Any, start: Any) -> Any:
    """Return the start position: that of the rules for None, or the given position or its text.

    Raises `ArgumentError` if the position has other rules, and the errors of `parse_position`.
    """
    family = get_family(variant)
    if start is None:
        return family.start(variant)
    if isinstance(start, str):
        return family.parse_position(start, variant)
    if getattr(start, "variant", None) != variant:
        raise ArgumentError("start", start, f"a position of {variant.name}, or its text")
    return start


def parse_side(side: object, variant: Any) -> Side | None:
    """Return the side with this name; None for `random` and `alternate`. Raises `ArgumentError` for others."""
    names = {name: each for each, name in get_family(variant).sides.items()}
    if side not in (*names, RANDOM, ALTERNATE):
        raise ArgumentError("side", side, f"one of {', '.join((*names, RANDOM, ALTERNATE))}")
    return names.get(str(side))


def check_max_plies(max_plies: object) -> None:
    """Raise `ArgumentError` unless this is a number of plies from 1, or None."""
    if max_plies is not None and not is_int(max_plies, minimum=1):
        raise ArgumentError("max_plies", max_plies, "a whole number of at least 1, or None")


def check_render_mode(render_mode: object) -> None:
    """Raise `ArgumentError` unless this is a render mode or None."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ArgumentError("render_mode", render_mode, f"None or {' or '.join(map(repr, RENDER_MODES))}")


def create_observation_space(shape: tuple[int, ...]) -> gymnasium.spaces.Box:
    """Return the space of observations: bytes, up to 1 for planes and up to 255 for the seeds in pits."""
    import gymnasium.spaces
    import numpy as np

    return gymnasium.spaces.Box(0, 1 if len(shape) == PLANES_NDIM else 255, shape, np.uint8)
