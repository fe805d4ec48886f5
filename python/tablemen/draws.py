"""Draw rules: values that say when a game is drawn. What needs pieces, squares or seeds stands with its family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from tablemen.number import is_whole
from tablemen.outcome import Outcome, Termination

# What ends a game with a winner, by the players' own will, by the clock, or by an umpire's word.
NOT_BY_RULE = frozenset(
    (
        *(Termination.NO_MOVE, Termination.NO_PIECES, Termination.BREAKTHROUGH, Termination.LONE_PIECE),
        *(Termination.NO_SEEDS, Termination.MAJORITY),
        *(Termination.RESIGNATION, Termination.AGREEMENT, Termination.TIME),
        *(Termination.FORFEIT, Termination.ADJUDICATION),
    )
)

P = TypeVar("P")
M = TypeVar("M")


class Ply(NamedTuple, Generic[P, M]):
    """A move that was played: what draw rules are told."""

    before: P
    move: M
    after: P
    times: int  # the position after it has now stood on the board so many times


@dataclass(frozen=True, kw_only=True)
class DrawRule(ABC):
    """What all draw rules have: each counts something, and is fulfilled when the count reaches its `limit`.

    Where the rules ask for a claim, a fulfilled rule ends nothing by itself.
    """

    termination: Termination
    article: str = ""  # where it is written; empty where it is custom
    by_claim: bool = False

    @property
    @abstractmethod
    def limit(self) -> int:
        """The count at which the game is drawn."""

    @abstractmethod
    def begin(self, position: Any) -> int | None:
        """The count in a position that a game begins with; None where the rule does not apply to it."""

    @abstractmethod
    def advance(self, count: int | None, ply: Ply[Any, Any]) -> int | None:
        """The count after one more move, given the count before it."""

    def outcome(self, position: Any) -> Outcome:  # noqa: ARG002
        """How the game ended where the rule ends it in this position: a draw, unless the rule says otherwise."""
        return Outcome(None, self.termination)

    def problems(self) -> Iterator[str]:
        """What makes the rule meaningless, in words."""
        yield from type_problems(self, termination=Termination, article=str, by_claim=bool)
        if self.termination in NOT_BY_RULE:
            yield f"termination is {self.termination!r}, which is no draw by a rule"

    def is_fulfilled(self, count: int | None) -> bool:
        """Whether the game is drawn, or can be claimed so, at this count."""
        return count is not None and count >= self.limit


@dataclass(frozen=True)
class Repetition(DrawRule):
    """The same position, with the same side to move, so many times in a game; in a row or not.

    >>> print(Repetition(3))
    the same position for the 3rd time
    """

    times: int = 3
    termination: Termination = field(default=Termination.REPETITION, kw_only=True)

    @property
    def limit(self) -> int:
        """The count at which the game is drawn."""
        return self.times

    def begin(self, position: Any) -> int:  # noqa: ARG002
        """Once: any position stands there for the first time."""
        return 1

    def advance(self, count: int | None, ply: Ply[Any, Any]) -> int:  # noqa: ARG002
        """How often the position has occurred, which the game knows."""
        return ply.times

    def problems(self) -> Iterator[str]:
        """What makes the rule meaningless, in words."""
        yield from super().problems()
        if not is_whole(self.times, least=2):
            yield f"times is {self.times!r}, not a whole number from 2 up"

    def __str__(self) -> str:
        teen = 11 <= self.times % 100 <= 13
        ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(self.times % 10, "th")
        return f"the same position for the {self.times}{ending} time"


def type_problems(rule: DrawRule, **wanted: type) -> Iterator[str]:
    """Which fields of the rule hold something of another type than they should."""
    for name, kind in wanted.items():
        value = getattr(rule, name)
        if not isinstance(value, kind):
            yield f"{name} is {value!r}, not of type {kind.__name__}"
