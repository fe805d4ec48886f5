"""Limits of a search, and clocks."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.errors import ArgumentError
from tablemen.validation import is_number, is_whole

DEFAULT_MOVES_TO_GO = 30  # assumed under sudden death


@dataclass(frozen=True, slots=True)
class Clock:
    """The time left on the clock of the side to move, in seconds.

    The time is for the rest of the game (sudden death), or for the next `moves` moves. Each move adds the increment.
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
        """Return the seconds that one move may take, by a simple rule for players without a time manager.

        >>> Clock(60).share(), Clock(60, increment=1).share(), Clock(60, moves=10).share()
        (2.0, 2.8, 6.0)
        """
        return min(self.left / (self.moves or DEFAULT_MOVES_TO_GO) + self.increment * 0.8, self.left / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The limits of a search: depth in plies, number of nodes, time in seconds, or a clock to take a share of.

    The search ends when it reaches the first of them. Without limits it runs until it is stopped or has proven the
    value of the position.

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
