"""How long a search may take."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.errors import ArgumentError
from tablemen.number import is_number, is_whole

MOVES_TO_GO = 30  # that the time on a clock has to last for, where nothing says how many


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left on the clock of the side to move, in seconds.

    It is for the rest of the game, or for the next `moves` moves; each move adds the increment. Sudden death is a clock
    without increment.
    """

    left: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        for name in ("left", "increment"):
            _check_seconds(name, getattr(self, name))
        if self.moves is not None and not is_whole(self.moves, least=1):
            raise ArgumentError("moves", self.moves, "a whole number from 1 up")

    def share(self) -> float:
        """The seconds that one move may take, for those who plan no better.

        >>> Clock(60).share(), Clock(60, increment=1).share(), Clock(60, moves=10).share()
        (2.0, 2.8, 6.0)
        """
        return min(self.left / (self.moves or MOVES_TO_GO) + self.increment * 0.8, self.left / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """When a search ends: at a depth in plies, after so many positions or seconds, or a share of the clock.

    Whatever comes first counts; without any it goes on until it is stopped, or until everything is proven.

    >>> Limit(depth=8, time=0.5)
    Limit(depth=8, nodes=None, time=0.5, clock=None)
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and not is_whole(value, least=1):
                raise ArgumentError(name, value, "a whole number from 1 up")
        if self.time is not None:
            _check_seconds("time", self.time)
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise ArgumentError("clock", self.clock, "a Clock")


def _check_seconds(name: str, value: object) -> None:
    if not is_number(value):
        raise ArgumentError(name, value, "a number of seconds, not below 0")
