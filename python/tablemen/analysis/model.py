"""What an analysis found: of a position, of a move, of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from tablemen.analysis.chances import Mark, judge, winning_chances
from tablemen.family import get_family
from tablemen.outcome import Outcome, Side
from tablemen.search import Info, Score

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class PositionAnalysis(Generic[M]):
    """A position with its score for the side to move, and the best lines; none where the game is over."""

    position: Any
    score: Score
    lines: tuple[Info[M], ...] = ()
    outcome: Outcome | None = None

    @property
    def turn(self) -> Side:
        """The side to move."""
        side: Side = self.position.turn
        return side

    @property
    def best(self) -> M | None:
        """The best move that was found."""
        return self.lines[0].line[0] if self.lines else None

    def score_for(self, side: Side) -> Score:
        """The score as this side sees it.

        In Kalah the same side may be to move once more, so who has moved says nothing about whose score it is.
        """
        if side is self.turn:
            return self.score
        return Score(-self.score.value, exact=self.score.exact, plies=self.score.plies)

    def chances_for(self, side: Side) -> float:
        """The share of the points that this side can expect, from 0 to 1."""
        return winning_chances(self.score_for(side), get_family(self.position).name)

    def _repr_svg_(self) -> str:
        from tablemen.analysis.svg import draw_best

        return draw_best(self)


@dataclass(frozen=True, slots=True)
class MoveAnalysis(Generic[M]):
    """A move of a game, between what was found before it and behind it.

    `index` counts the moves of the game from 0, and `number` is that of the move as players count: both sides have a
    move of each number.
    """

    index: int
    number: int
    move: M
    before: PositionAnalysis[M]
    after: PositionAnalysis[M]

    @property
    def turn(self) -> Side:
        """The side that moved."""
        return self.before.turn

    @property
    def is_best(self) -> bool:
        """Whether it is the move that the search would have played, or nothing was left to lose."""
        return self.before.outcome is not None or self.move == self.before.best

    @property
    def loss(self) -> float:
        """How much was thrown away, in men or seeds: infinitely much with a proven win.

        It is the score of the best move less that of the position after the move that was played; 0 where that was
        the best move found, or turned out to be even better.
        """
        best, got = self.before.score.value, self.after.score_for(self.turn).value
        return 0.0 if self.is_best or got >= best else best - got

    @property
    def lost_chances(self) -> float:
        """The share of the points that was thrown away, from 0 to 1."""
        if self.is_best:
            return 0.0
        return max(0.0, self.before.chances_for(self.turn) - self.after.chances_for(self.turn))

    @property
    def mark(self) -> Mark | None:
        """What is wrong with the move, if it is more than a trifle."""
        return judge(
            self.lost_chances, was_won=self.before.score.is_win, is_lost=self.after.score_for(self.turn).is_loss
        )

    def __str__(self) -> str:
        is_first = self.turn is getattr(self.before.position.variant, "first", Side.WHITE)
        return f"{self.number}{'.' if is_first else '...'} {self.move}{self.mark.value if self.mark else ''}"


@dataclass(frozen=True, slots=True)
class Summary:
    """How well a side played: its moves, the chances that it lost with each on average, and its marks."""

    moves: int
    average_loss: float  # of the points, from 0 to 1
    marks: Counter[Mark]


@dataclass(frozen=True)
class GameAnalysis(Generic[M]):
    """What was found of a game.

    `moves` has the moves whose positions are known, which are all of them unless a game file leaves some out; `length`
    counts those too. `start` is where the first known position is.
    """

    start: PositionAnalysis[M]
    moves: tuple[MoveAnalysis[M], ...]
    length: int

    @property
    def variant(self) -> Any:
        """The rules of the game."""
        return self.start.position.variant

    @cached_property
    def curve(self) -> tuple[float | None, ...]:
        """White's chances, or South's, at the start and after every move; None where nothing is known."""
        found: list[float | None] = [None] * (self.length + 1)
        for each in self.moves:
            if found[each.index] is None:
                found[each.index] = each.before.chances_for(Side.WHITE)
            found[each.index + 1] = each.after.chances_for(Side.WHITE)
        return tuple(found) if self.moves else (self.start.chances_for(Side.WHITE), *found[1:])

    def marked(self) -> Iterator[MoveAnalysis[M]]:
        """The moves that have a mark."""
        return (each for each in self.moves if each.mark is not None)

    def summary(self, side: Side) -> Summary:
        """How well a side played."""
        moves = [each for each in self.moves if each.turn is side]
        lost = sum(each.lost_chances for each in moves) / len(moves) if moves else 0.0
        return Summary(len(moves), lost, Counter(each.mark for each in moves if each.mark is not None))

    def _repr_svg_(self) -> str:
        from tablemen.analysis.svg import draw_svg

        return draw_svg(self)
