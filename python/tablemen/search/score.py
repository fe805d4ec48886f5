"""Scores of positions."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position for the side to move, in men or in seeds.

    `exact` is true if the score is proven. The score of a won or lost draughts game is infinite, and `plies` is an
    upper bound of its length; the length is exact if the search was at least as deep. In mancala, an exact score is
    the margin at the end of the game.

    >>> print(Score(0.35), Score(math.inf, exact=True, plies=7), Score(0.0, exact=True), sep="; ")
    +0.35; win in 7 plies; drawn
    >>> print(Score(-0.001))  # never -0.00
    +0.00
    """

    value: float
    exact: bool = False
    plies: int | None = None

    @property
    def is_win(self) -> bool:
        """Whether a win of the side to move is proven."""
        return self.exact and self.value > 0

    @property
    def is_loss(self) -> bool:
        """Whether a loss of the side to move is proven."""
        return self.exact and self.value < 0

    @property
    def is_draw(self) -> bool:
        """Whether a draw is proven."""
        return self.exact and self.value == 0

    def __str__(self) -> str:
        if self.is_draw:
            return "drawn"
        if self.plies is not None:
            return f"{'win' if self.value > 0 else 'loss'} in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        if math.isinf(self.value):
            return "win" if self.value > 0 else "loss"
        return f"{self.value:+g}" if self.exact else f"{self.value:+.2f}".replace("-0.00", "+0.00")
