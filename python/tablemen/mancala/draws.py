"""Endings of mancala games that need the past."""

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
    """The same position so many times in a game: it is over, and who has more seeds has won.

    >>> print(Cycle(3))
    the same position for the 3rd time, and each side keeps its own seeds
    """

    def outcome(self, position: MancalaPosition) -> Outcome:
        """The result by the score: stores, and houses where the rules count them."""
        score = position.score()
        if score[SOUTH] == score[NORTH]:
            return Outcome(None, self.termination)
        return Outcome(max((SOUTH, NORTH), key=lambda side: score[side]), self.termination)

    def __str__(self) -> str:
        return f"{super().__str__()}, and each side keeps its own seeds"
