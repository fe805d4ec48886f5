"""Boards of other sizes: rules of mancala keep their name with any number of houses and seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tablemen.errors import TablemenError
from tablemen.mancala import MancalaRules


def sizes_of(rules: Any) -> dict[str, Any]:
    """The houses of a side and the seeds in each; nothing for games that have neither.

    >>> from tablemen.family import find_variant
    >>> get_family(find_variant("oware")).board_size(find_variant("oware")), get_family(find_variant("english")).board_size(find_variant("english"))
    ({'houses': 6, 'seeds': 4}, {})
    """
    return {"houses": rules.houses, "seeds": rules.seeds} if isinstance(rules, MancalaRules) else {}


def get_family(rules).resize(rules: Any, *, houses: int | None = None, seeds: int | None = None) -> Any:
    """The rules on a board with so many houses and seeds; None leaves what they have.

    Raises `TablemenError` where the game has none, or not so many.
    """
    sizes: dict[str, Any] = {"houses": houses, "seeds": seeds}
    sizes = {name: number for name, number in sizes.items() if number is not None}
    if sizes and not isinstance(rules, MancalaRules):
        raise TablemenError(f"{rules} has no {' and '.join(sizes)}")
    return replace(rules, **sizes) if sizes else rules
