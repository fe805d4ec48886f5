"""What a game is asked for with."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.errors import ArgumentError
from tablemen.protocols.dxp.message import MOST_MINUTES, MOST_MOVES, fit_name
from tablemen.validation import is_whole

NAME = "tablemen"


@dataclass(frozen=True, slots=True)
class Terms:
    """Who asks, the minutes of each side for the game, and the moves of each side that end it, where they do.

    Without minutes those of a clock count, where there is one, and else the usual ones.
    """

    name: str = NAME
    minutes: int | None = None
    moves: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ArgumentError("name", self.name, "a text")
        object.__setattr__(self, "name", fit_name(self.name))
        if self.minutes is not None and not is_whole(self.minutes, least=1, most=MOST_MINUTES):
            raise ArgumentError("minutes", self.minutes, f"a whole number from 1 to {MOST_MINUTES}")
        if not is_whole(self.moves, most=MOST_MOVES):
            raise ArgumentError("moves", self.moves, f"a whole number from 0 to {MOST_MOVES}")
