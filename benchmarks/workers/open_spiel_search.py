"""OpenSpiel's alpha-beta, a Python function that any of its games can be searched with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from open_spiel.python.algorithms import minimax  # type: ignore[import-not-found]


def alpha_beta(game: Any, state: Any, depth: int) -> Callable[[], int]:
    """Searches to a depth, all positions at the end of a line being worth the same, which costs nothing.

    It does not count positions: what is given searches once more, and counts.
    """

    def search() -> None:
        minimax.alpha_beta_search(game, state=state, value_function=lambda _: 0.0, maximum_depth=depth)

    def counted() -> int:
        plain, seen = minimax._alpha_beta, 0  # noqa: SLF001

        def counting(*arguments: Any, **named: Any) -> Any:
            nonlocal seen
            seen += 1
            return plain(*arguments, **named)

        minimax._alpha_beta = counting  # noqa: SLF001
        try:
            search()
        finally:
            minimax._alpha_beta = plain  # noqa: SLF001
        return seen

    search()
    return counted
