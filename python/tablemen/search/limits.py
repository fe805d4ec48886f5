"""The limits of a search: depth, nodes, time, clocks, and levels of play for human opponents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

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


class _Strength(NamedTuple):
    limit: Limit
    error: float  # standard deviation of the noise added to scores, in men or seeds


_STRENGTHS = (
    _Strength(Limit(depth=1), 1.5),
    _Strength(Limit(depth=2), 1.0),
    _Strength(Limit(depth=3), 0.7),
    _Strength(Limit(depth=4), 0.45),
    _Strength(Limit(depth=5), 0.25),
    _Strength(Limit(depth=6), 0.12),
    _Strength(Limit(nodes=20_000), 0.0),
    _Strength(Limit(nodes=100_000), 0.0),
    _Strength(Limit(nodes=600_000), 0.0),
    _Strength(Limit(nodes=4_000_000), 0.0),
)


@dataclass(frozen=True, slots=True, order=True)
class Level:
    """A level of play, from 1 for beginners to 10, the full strength of about a second of search.

    A level limits the search to a number of plies or of nodes, so it plays the same on every machine. All levels use
    the quiescence search. Levels 1 to 6 also add a random error to the score of every move, and so choose a worse move
    from time to time.

    >>> print(Level(2))
    level 2: looks 2 plies ahead, and misjudges moves by about 1 man or seed
    >>> print(Level(8))
    level 8: looks at 100,000 positions
    """

    number: int

    def __post_init__(self) -> None:
        if not is_whole(self.number, least=1, most=len(_STRENGTHS)):
            raise ArgumentError("level", self.number, f"1 to {len(_STRENGTHS)}")

    @property
    def limit(self) -> Limit:
        """The depth or node limit of the search."""
        return _STRENGTHS[self.number - 1].limit

    @property
    def error(self) -> float:
        """The standard deviation, in men or seeds, of the error added to the score of each move."""
        return _STRENGTHS[self.number - 1].error

    def __str__(self) -> str:
        if self.limit.depth is None:
            looks = f"looks at {self.limit.nodes:,} positions"
        else:
            looks = f"looks {self.limit.depth} {'ply' if self.limit.depth == 1 else 'plies'} ahead"
        errs = f", and misjudges moves by about {self.error:g} man or seed" if self.error else ""
        return f"level {self.number}: {looks}{errs}"


def _check_seconds(name: str, value: object) -> None:
    if not is_number(value):
        raise ArgumentError(name, value, "a number of seconds, not below 0")
