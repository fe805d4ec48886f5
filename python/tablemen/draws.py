"""Draw rules that every family can use: values that describe when a game is drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from tablemen.outcome import Outcome, Termination
from tablemen.validation import is_int

# Terminations that no draw rule can have: wins, and decisions of a player, the clock or an arbiter.
NOT_BY_DRAW_RULE = frozenset(
    (
        *(Termination.NO_MOVE, Termination.NO_PIECES, Termination.BREAKTHROUGH, Termination.LONE_PIECE),
        *(Termination.NO_SEEDS, Termination.MAJORITY),
        *(Termination.RESIGNATION, Termination.AGREEMENT, Termination.PROVEN_DRAW, Termination.TIME),
        *(Termination.FORFEIT, Termination.ADJUDICATION),
    )
)

P = TypeVar("P")
M = TypeVar("M")


class Ply(NamedTuple, Generic[P, M]):
    """A move that was played, with the positions before and after it. Draw rules count plies."""

    before: P
    move: M
    after: P
    times: int  # occurrences of the position `after` in the game


@dataclass(frozen=True, kw_only=True)
class DrawRule(ABC):
    """The base class of draw rules: each counts something, and is fulfilled when the count reaches its `limit`.

    A rule with `by_claim` does not end the game when it is fulfilled: a player must claim the draw. A custom rule
    defines `limit`, `begin` and `advance`. `Game` calls the last two, except for rules that the core counts.
    """

    termination: Termination
    article: str = ""  # the article of the official rules; empty if there is none
    by_claim: bool = False

    @property
    @abstractmethod
    def limit(self) -> int:
        """The count at which the game is drawn."""

    @abstractmethod
    def begin(self, position: Any) -> int | None:
        """Return the count in a position that a game begins with; None if the rule does not apply to it."""

    @abstractmethod
    def advance(self, count: int | None, ply: Ply[Any, Any]) -> int | None:
        """Return the count after one more move, given the count before it."""

    def outcome(self, position: Any) -> Outcome:  # noqa: ARG002
        """Return the outcome of a game that the rule ends in this position: a draw, unless a subclass overrides it."""
        return Outcome(None, self.termination)

    def problems(self) -> Iterator[str]:
        """Yield a description of each invalid value of the rule."""
        yield from type_problems(self, termination=Termination, article=str, by_claim=bool)
        if self.termination in NOT_BY_DRAW_RULE:
            yield f"termination is {self.termination!r}, which is not a draw by a rule"

    def is_fulfilled(self, count: int | None) -> bool:
        """Return whether the game is drawn, or a draw can be claimed, at this count."""
        return count is not None and count >= self.limit


@dataclass(frozen=True)
class Repetition(DrawRule):
    """The same position, with the same side to move, a number of times in a game, in a row or not.

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
        """Return 1: the position occurs for the first time."""
        return 1

    def advance(self, count: int | None, ply: Ply[Any, Any]) -> int:  # noqa: ARG002
        """Return the number of occurrences of the position, which `Game` counts."""
        return ply.times

    def problems(self) -> Iterator[str]:
        """Yield a description of each invalid value of the rule."""
        yield from super().problems()
        if not is_int(self.times, minimum=2):
            yield f"times is {self.times!r}, not a whole number of at least 2"

    def __str__(self) -> str:
        teen = 11 <= self.times % 100 <= 13
        ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(self.times % 10, "th")
        return f"the same position for the {self.times}{ending} time"


def type_problems(rule: DrawRule, **expected: type) -> Iterator[str]:
    """Yield a description of each field of the rule that has the wrong type."""
    for name, kind in expected.items():
        value = getattr(rule, name)
        if not isinstance(value, kind):
            yield f"{name} is {value!r}, not of type {kind.__name__}"
