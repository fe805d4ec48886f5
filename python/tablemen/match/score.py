"""What the results of a match are worth."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple, Self

from tablemen.errors import ArgumentError
from tablemen.validation import is_whole

CONFIDENCE = 0.95
_DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96 to either side hold 95 % of a normal distribution
_UNSEEN = 0.5  # of a game of each result, so that few games, or games all alike, do not look certain
GAME_POINTS = (0.0, 0.5, 1.0)
PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)  # of two games with the same opening
_UNSEEN_PAIRS = tuple(_UNSEEN / 6 * ways for ways in (1, 2, 3, 2, 1))  # the same games as pairs: half as many


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
    +40 =40 -20, 60.0 %, Elo +70 [+18, +126], stronger with 99.5 % (LOS)

    `pairs` are those of the games that were played with the same opening from either side, by what the first player got
    for both: how many brought 0, ½, 1, 1½ and 2 points. Who wins a bad opening twice proves more than who wins with the
    better side each time, so that pairs say more surely than single games how sure the score is.

    >>> print(MatchScore(40, 40, 20, pairs=(0, 0, 30, 20, 0)))
    +40 =40 -20, 60.0 %, Elo +70 [+45, +96], stronger with 100.0 % (LOS)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            value = getattr(self, name)
            if not is_whole(value):
                raise ArgumentError(name, value, "a number of games")
        object.__setattr__(self, "pairs", tuple(self.pairs))
        are_counts = len(self.pairs) == len(PAIR_POINTS) and all(map(is_whole, self.pairs))
        if not are_counts or 2 * sum(self.pairs) > self.games:
            raise ArgumentError("pairs", self.pairs, "five numbers of pairs, of not more games than there were,")

    @classmethod
    def of(cls, results: Iterable[float], *, paired: bool = False) -> Self:
        """The score of games that gave the first player 1, ½ or 0 points each; `paired`, each two of them are a pair.

        >>> MatchScore.of([1, 0.5, 0, 0, 1], paired=True).pairs
        (1, 0, 0, 1, 0)
        """
        found = list(results)
        for number, points in enumerate(found):
            if points not in {0, 0.5, 1}:
                raise ArgumentError(f"results[{number}]", points, "1, 0.5 or 0")
        sums = [first + second for first, second in zip(found[::2], found[1::2], strict=False)] if paired else []
        pairs = tuple(sums.count(points) for points in PAIR_POINTS)
        return cls(found.count(1), found.count(0.5), found.count(0), pairs)

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
        counts = (self.losses, self.draws, self.wins)
        of_a_game = _variance(GAME_POINTS, [count + _UNSEEN for count in counts])
        of_a_pair = _variance(PAIR_POINTS, [sum(each) for each in zip(self.pairs, _UNSEEN_PAIRS, strict=True)])
        of_all = self._singles * of_a_game + sum(self.pairs) * of_a_pair
        error = _DEVIATIONS * math.sqrt(of_all) / self.games
        return Interval(max(0.0, self.ratio - error), min(1.0, self.ratio + error))

    @property
    def _singles(self) -> int:
        """The games that are not in pairs."""
        return self.games - 2 * sum(self.pairs)

    @property
    def elo_interval(self) -> Interval:
        """The same as differences in strength; infinite where the games do not bound it."""
        return Interval(*map(elo_of, self.ratio_interval))

    @property
    def superiority(self) -> float:
        """How likely it is that the first player is the stronger one; draws, and even pairs, say nothing about that."""
        if not self.games:
            return 0.5
        squares = sum(count * (points - 1) ** 2 for count, points in zip(self.pairs, PAIR_POINTS, strict=True))
        squares += self._singles / self.games * (self.wins + self.losses) / 4
        return NormalDist().cdf((self.points - self.games / 2) / math.sqrt(squares)) if squares else 0.5

    def __add__(self, other: MatchScore) -> MatchScore:
        pairs = tuple(map(sum, zip(self.pairs, other.pairs, strict=True)))
        return MatchScore(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, pairs)

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses}"
        if not self.games:
            return counts
        low, high = map(_signed, self.elo_interval)
        elo = f"Elo {_signed(self.elo)} [{low}, {high}]"
        return f"{counts}, {self.ratio:.1%}, {elo}, stronger with {self.superiority:.1%} (LOS)".replace("%", " %")


def _variance(points: Sequence[float], weights: Sequence[float]) -> float:
    """Of one result that comes as often as it weighs."""
    total = sum(weights)
    mean = sum(each * weight for each, weight in zip(points, weights, strict=True)) / total
    return sum(weight * (each - mean) ** 2 for each, weight in zip(points, weights, strict=True)) / total


def elo_of(ratio: float) -> float:
    """The difference in strength, in the Elo system, that goes with a ratio of points.

    >>> round(elo_of(0.75)), elo_of(0.5), elo_of(1)
    (191, 0.0, inf)
    """
    if not 0 < ratio < 1:
        return math.inf if ratio >= 1 else -math.inf
    return 400 * math.log10(ratio / (1 - ratio))


def ratio_of(elo: float) -> float:
    """The ratio of points that a difference in Elo leads one to expect, its twin.

    >>> round(ratio_of(191), 2), ratio_of(0)
    (0.75, 0.5)
    """
    return 1 / (1 + math.pow(10, -elo / 400))


def _signed(elo: float) -> str:
    return ("+" if elo > 0 else "-") + "∞" if math.isinf(elo) else f"{elo:+.0f}"
