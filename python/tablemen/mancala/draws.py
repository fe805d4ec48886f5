"""Endings of mancala games that depend on the moves played before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablemen.draws import Repetition
from tablemen.mancala.sides import NORTH, SOUTH
from tablemen.outcome import Outcome

if TYPE_CHECKING:
    from tablemen._core import MancalaPosition


@dataclass(frozen=True)
class Cycle(Repetition):
    """Repetition: the game ends, and the side with more seeds wins.

    >>> print(Cycle(3))
    the same position for the 3rd time, and each side keeps its own seeds
    """

    def outcome(self, position: MancalaPosition) -> Outcome:
        """Return the result by the score: stores, and houses if the rules count them."""
        score = position.score()
        if score[SOUTH] == score[NORTH]:
            return Outcome(None, self.termination)
        return Outcome(max((SOUTH, NORTH), key=lambda side: score[side]), self.termination)

    def __str__(self) -> str:
        return f"{super().__str__()}, and each side keeps its own seeds"
