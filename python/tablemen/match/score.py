"""What the results of a match are worth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple, Self

from tablemen.errors import ArgumentError

CONFIDENCE = 0.95
_DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96 to either side hold 95 % of a normal distribution
_UNSEEN = 0.5  # of a game of each result, so that few games, or games all alike, do not look certain


class Interval(NamedTuple):
    """From where to where a value lies with a confidence of 95 %."""

    low: float
    high: float


@dataclass(frozen=True)
class MatchScore:
    """Wins, draws and losses of the first player, and what follows from them.

    >>> score = MatchScore(40, 40, 20)
    >>> score.points, score.ratio, round(score.elo, 1)
    (60.0, 0.6, 70.4)
    >>> print(score)
    +40 =40 -20, 60.0 %, Elo +70 [+18, +126], stronger with 99.5 %
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ArgumentError(name, value, "a number of games")

    @classmethod
    def of(cls, results: Iterable[float]) -> Self:
        """The score of games that gave the first player 1, ½ or 0 points each."""
        found = list(results)
        for number, points in enumerate(found):
            if points not in {0, 0.5, 1}:
                raise ArgumentError(f"results[{number}]", points, "1, 0.5 or 0")
        return cls(found.count(1), found.count(0.5), found.count(0))

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for a win, half of one for a draw."""
        return self.wins + self.draws / 2

    @property
    def ratio(self) -> float:
        """The points of a game on average; ½ where there was none."""
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """The difference in strength that would lead one to expect this ratio; infinite where it is 0 or 1."""
        return elo_of(self.ratio)

    @property
    def ratio_interval(self) -> Interval:
        """Where the ratio would lie after many more games: the normal approximation, cut to what is possible."""
        if not self.games:
            return Interval(0.0, 1.0)
        weights = {1.0: self.wins + _UNSEEN, 0.5: self.draws + _UNSEEN, 0.0: self.losses + _UNSEEN}
        total = sum(weights.values())
        mean = sum(points * weight for points, weight in weights.items()) / total
        variance = sum(weight * (points - mean) ** 2 for points, weight in weights.items()) / total
        error = _DEVIATIONS * math.sqrt(variance / self.games)
        return Interval(max(0.0, self.ratio - error), min(1.0, self.ratio + error))

    @property
    def elo_interval(self) -> Interval:
        """The same as differences in strength; infinite where the games do not bound it."""
        return Interval(*map(elo_of, self.ratio_interval))

    @property
    def superiority(self) -> float:
        """How likely it is that the first player is the stronger one; draws say nothing about that."""
        decided = self.wins + self.losses
        return NormalDist().cdf((self.wins - self.losses) / math.sqrt(decided)) if decided else 0.5

    def __add__(self, other: MatchScore) -> MatchScore:
        return MatchScore(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses}"
        if not self.games:
            return counts
        low, high = map(_signed, self.elo_interval)
        elo = f"Elo {_signed(self.elo)} [{low}, {high}]"
        return f"{counts}, {self.ratio:.1%}, {elo}, stronger with {self.superiority:.1%}".replace("%", " %")


def elo_of(ratio: float) -> float:
    """The difference in strength, in the Elo system, that goes with a ratio of points.

    >>> round(elo_of(0.75)), elo_of(0.5), elo_of(1)
    (191, 0.0, inf)
    """
    if not 0 < ratio < 1:
        return math.inf if ratio >= 1 else -math.inf
    return 400 * math.log10(ratio / (1 - ratio))


def _signed(elo: float) -> str:
    return ("+" if elo > 0 else "-") + "∞" if math.isinf(elo) else f"{elo:+.0f}"
