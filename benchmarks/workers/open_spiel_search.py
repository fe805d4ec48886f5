"""OpenSpiel's generic alpha-beta search, which is written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from open_spiel.python.algorithms import minimax


def alpha_beta(game: Any, state: Any, depth: int) -> Callable[[], int]:
    """Search to a depth with a constant evaluation, which costs nothing.

    OpenSpiel does not count nodes; the returned function searches again and counts.
    """

    def search() -> None:
        minimax.alpha_beta_search(game, state=state, value_function=lambda _: 0.0, maximum_depth=depth)

    def count_nodes() -> int:
        original, nodes = minimax._alpha_beta, 0  # noqa: SLF001

        def counting_search(*arguments: Any, **named: Any) -> Any:
            nonlocal nodes
            nodes += 1
            return original(*arguments, **named)

        minimax._alpha_beta = counting_search  # noqa: SLF001
        try:
            search()
        finally:
            minimax._alpha_beta = original  # noqa: SLF001
        return nodes

    search()
    return count_nodes
