"""What a position is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """What a position is worth to the side to move, in men or in seeds.

    `exact` says that it is proven. A draughts game that is won or lost is worth infinitely much, and `plies` says after
    how many it is over at the latest: just then, where the search was as deep. In mancala the exact value is the margin
    at the end.

    >>> print(Score(0.35), Score(math.inf, exact=True, plies=7), Score(0.0, exact=True), sep="; ")
    +0.35; win in 7 plies; drawn
    >>> print(Score(-0.001))  # what rounds to nothing is no minus
    +0.00
    """

    value: float
    exact: bool = False
    plies: int | None = None

    @property
    def is_win(self) -> bool:
        """Whether the side to move is proven to win."""
        return self.exact and self.value > 0

    @property
    def is_loss(self) -> bool:
        """Whether the side to move is proven to lose."""
        return self.exact and self.value < 0

    @property
    def is_draw(self) -> bool:
        """Whether the position is proven to be drawn."""
        return self.exact and self.value == 0

    def __str__(self) -> str:
        if self.is_draw:
            return "drawn"
        if self.plies is not None:
            return f"{'win' if self.value > 0 else 'loss'} in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        if math.isinf(self.value):
            return "win" if self.value > 0 else "loss"
        return f"{self.value:+g}" if self.exact else f"{self.value:+.2f}".replace("-0.00", "+0.00")
