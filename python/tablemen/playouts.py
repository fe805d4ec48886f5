"""What random games came to."""

from __future__ import annotations

from typing import NamedTuple

from tablemen.outcome import Side


class Playouts(NamedTuple):
    """A result and a length in plies for every game; the result is None in a tie, and after the longest length."""

    results: tuple[Side | None, ...]
    lengths: tuple[int, ...]
