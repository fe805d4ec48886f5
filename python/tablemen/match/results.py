"""The results of a match: its games, its score, and the Elo difference that follows from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple, Self

from tablemen.enums import Named
from tablemen.errors import ArgumentError
from tablemen.match.referee import PlayedGame
from tablemen.outcome import Side, Termination
from tablemen.validation import is_int

if TYPE_CHECKING:
    from tablemen.match.sprt import Sprt

CONFIDENCE = 0.95
_DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96 standard deviations for 95 %
_PSEUDOCOUNT = 0.5  # games added for each result, so that few games, or equal results, do not look certain
GAME_POINTS = (0.0, 0.5, 1.0)
PAIR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)  # of two games with the same opening


class MatchGame(NamedTuple):
    """A game of a match: its number, counted from 1, the colour of the first player, and the game as played."""

    number: int
    first: Side
    played: PlayedGame

    @property
    def points(self) -> float:
        """The points of the first player."""
        return self.played.points(self.first)

    @property
    def pair(self) -> int:
        """The number of the pair, counted from 1. A pair is two games with the same opening and colours reversed."""
        return (self.number + 1) // 2

    def _repr_svg_(self) -> str | None:
        return self.played._repr_svg_()


class Interval(NamedTuple):
    """A confidence interval of 95 %."""

    low: float
    high: float


@dataclass(frozen=True)
class MatchScore:
    """Wins, draws and losses of the first player, with the Elo difference and its confidence.

    >>> score = MatchScore(40, 40, 20)
    >>> score.points, score.ratio, round(score.elo, 1)
    (60.0, 0.6, 70.4)
    >>> print(score)
    +40 =40 -20, 60.0 %, Elo +70 [+17, +127], LOS 99.5 %

    `pairs` counts the pairs of games with the same opening and colours reversed, by the points of the first player in
    both: 0, ½, 1, 1½ and 2 (pentanomial). The results of a pair depend on its opening, so pairs give a better estimate
    of the error than single games. `half_pairs` counts the games whose pair is incomplete, by their points: 0, ½ and 1.

    >>> print(MatchScore(40, 40, 20, pairs=(0, 0, 30, 20, 0)))
    +40 =40 -20, 60.0 %, Elo +70 [+44, +98], LOS 100.0 %
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    half_pairs: tuple[int, ...] = (0, 0, 0)

    def __post_init__(self) -> None:
        for name in ("wins", "draws", "losses"):
            value = getattr(self, name)
            if not is_int(value):
                raise ArgumentError(name, value, "a whole number of at least 0")
        for name, points in (("pairs", PAIR_POINTS), ("half_pairs", GAME_POINTS)):
            counts = tuple(getattr(self, name))
            object.__setattr__(self, name, counts)
            if len(counts) != len(points) or not all(map(is_int, counts)):
                raise ArgumentError(name, counts, f"{len(points)} counts, each a whole number of at least 0")
        losses, draws, wins = self._singles
        if min(losses, draws, wins) < 0:
            raise ArgumentError("pairs", self.pairs, "pairs of the games that were played")

    @classmethod
    def of(cls, results: Iterable[float], *, paired: bool = False) -> Self:
        """Return the score of games with 1, ½ or 0 points each; if `paired`, every two games in order are a pair.

        >>> MatchScore.of([1, 0.5, 0, 0, 1], paired=True).pairs
        (1, 0, 0, 1, 0)
        """
        found = list(results)
        for number, points in enumerate(found):
            if points not in {0, 0.5, 1}:
                raise ArgumentError(f"results[{number}]", points, "1, 0.5 or 0")
        sums = [first + second for first, second in zip(found[::2], found[1::2], strict=False)] if paired else []
        pairs = tuple(sums.count(points) for points in PAIR_POINTS)
        unpaired = found[2 * len(sums) :] if paired else []
        half_pairs = tuple(unpaired.count(points) for points in GAME_POINTS)
        return cls(found.count(1), found.count(0.5), found.count(0), pairs, half_pairs)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a win, ½ for a draw."""
        return self.wins + self.draws / 2

    @property
    def ratio(self) -> float:
        """The average points per game; ½ without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """The Elo difference with this expected ratio; infinite if the ratio is 0 or 1."""
        return to_elo(self.ratio)

    @property
    def ratio_interval(self) -> Interval:
        """The confidence interval: the ratios that a two-sided test, by the normal distribution, does not reject."""
        # The ratio r is not rejected if (points - games r)² <= deviations² (a - 2 b r + c r²), a quadratic inequality.
        a, b, c = (_DEVIATIONS**2 * each for each in self._squares())
        square = self.games**2 - c
        if square <= 0:  # too few games to reject any ratio
            return Interval(0.0, 1.0)
        middle = (self.games * self.points - b) / square
        error = math.sqrt(max(0.0, middle**2 - (self.points**2 - a) / square))
        low, high = max(0.0, middle - error), min(1.0, middle + error)
        return Interval(min(low, self.ratio), max(high, self.ratio))

    @property
    def _singles(self) -> tuple[int, int, int]:
        """The losses, draws and wins that belong neither to pairs nor to half pairs.

        A pair with one point may be two draws, or a win and a loss: as many as possible count as two draws.
        """
        lost, lost_half, even, won_half, won = self.pairs
        losses, draws, wins = (
            count - half for count, half in zip((self.losses, self.draws, self.wins), self.half_pairs, strict=True)
        )
        losses, draws, wins = losses - 2 * lost - lost_half, draws - lost_half - won_half, wins - won_half - 2 * won
        drawn = min(even, max(0, draws // 2))
        return losses - (even - drawn), draws - 2 * drawn, wins - (even - drawn)

    def _squares(self) -> tuple[float, float, float]:
        """Return a, b and c: the variance of the points is a - 2 b r + c r² if the expected ratio is r.

        The variance is the sum of the squared deviations from r. The games of a pair are counted together; a half pair
        counts as if its second game had the same result, with half the weight.
        """
        singles = zip((count + _PSEUDOCOUNT for count in self._singles), GAME_POINTS, strict=True)
        terms = [(count, points, 1) for count, points in singles]
        terms += [(count, points, 2) for count, points in zip(self.pairs, PAIR_POINTS, strict=True)]
        terms += [(count / 2, 2 * points, 2) for count, points in zip(self.half_pairs, GAME_POINTS, strict=True)]
        return (
            sum(weight * points**2 for weight, points, _ in terms),
            sum(weight * points * games for weight, points, games in terms),
            sum(weight * games**2 for weight, _, games in terms),
        )

    @property
    def elo_interval(self) -> Interval:
        """The confidence interval of the Elo difference; a bound is infinite if the ratio interval reaches 0 or 1."""
        return Interval(*map(to_elo, self.ratio_interval))

    @property
    def superiority(self) -> float:
        """The likelihood of superiority (LOS) of the first player: above 97.5 % if the interval is above ½."""
        a, b, c = self._squares()
        return NormalDist().cdf((self.points - self.games / 2) / math.sqrt(a - b + c / 4))

    def __add__(self, other: MatchScore) -> MatchScore:
        pairs = tuple(map(sum, zip(self.pairs, other.pairs, strict=True)))
        half_pairs = tuple(map(sum, zip(self.half_pairs, other.half_pairs, strict=True)))
        wins, draws, losses = self.wins + other.wins, self.draws + other.draws, self.losses + other.losses
        return MatchScore(wins, draws, losses, pairs, half_pairs)

    def __str__(self) -> str:
        counts = f"+{self.wins} ={self.draws} -{self.losses}"
        if not self.games:
            return counts
        low, high = map(_format_elo, self.elo_interval)
        elo = f"Elo {_format_elo(self.elo)} [{low}, {high}]"
        return f"{counts}, {self.ratio:.1%}, {elo}, LOS {self.superiority:.1%}".replace("%", " %")


class Verdict(Named):
    """The result of a sequential test."""

    UNDECIDED = "undecided"
    H0 = "H0 accepted"
    H1 = "H1 accepted"

    def __str__(self) -> str:
        return self.value


class MatchResults:
    """The score of the games so far, and how they ended. The games themselves are not stored.

    `settled` is the score of the finished pairs before the first unfinished one, so it grows in the same order in any
    number of processes. With a sequential test, `verdict` is its result, updated after each pair; pairs after the
    decision are not settled.

    >>> from tablemen.match import Match
    >>> results = MatchResults()
    >>> for each in Match("kalah", "robot", "random", games=10, seed=1).play():
    ...     results.add(each)
    >>> print(results.score)
    +7 =0 -3, 70.0 %, Elo +147 [-257, +∞], LOS 90.9 %
    """

    def __init__(self, sprt: Sprt | None = None) -> None:
        self.verdict = Verdict.UNDECIDED
        self._sprt = sprt
        self.names: tuple[str, ...] = ()  # of the first and the second player, in the last game
        self.authors: tuple[str, ...] = ()  # of these players; empty texts if they report none
        self.settled = MatchScore()
        self.terminations: Counter[Termination] = Counter()
        self.failures: dict[int, str] = {}  # by the number of the game
        self.plies = 0
        self._paired = MatchScore()
        self._half_pairs: dict[int, float] = {}  # the points of games whose pair is incomplete
        self._early: dict[int, MatchScore] = {}  # complete pairs after an incomplete one
        self._settled_pairs = 0

    @property
    def score(self) -> MatchScore:
        """The score over all games so far."""
        return sum((MatchScore.of([each], paired=True) for each in self._half_pairs.values()), self._paired)

    def add(self, each: MatchGame) -> None:
        """Add a finished game."""
        played = each.played
        sides = (each.first, each.first.opponent)
        self.names = tuple(played.players[side] for side in sides)
        self.authors = tuple(played.authors.get(side, "") for side in sides)
        self.terminations[played.outcome.termination] += 1
        if played.outcome.termination is Termination.FORFEIT:
            self.failures[each.number] = played.note
        self.plies += len(played.game.moves)
        if each.pair not in self._half_pairs:
            self._half_pairs[each.pair] = each.points
            return
        pair = MatchScore.of([self._half_pairs.pop(each.pair), each.points], paired=True)
        self._paired += pair
        if self.verdict is Verdict.UNDECIDED:
            self._early[each.pair] = pair
            self._settle()

    def _settle(self) -> None:
        while (following := self._early.pop(self._settled_pairs + 1, None)) is not None:
            self.settled += following
            self._settled_pairs += 1
            if self._sprt is not None:
                self.verdict = self._sprt.judge(self.settled)
                if self.verdict is not Verdict.UNDECIDED:
                    self._early.clear()


def to_elo(ratio: float) -> float:
    """Return the Elo difference of an expected ratio of points.

    >>> round(to_elo(0.75)), to_elo(0.5), to_elo(1)
    (191, 0.0, inf)
    """
    if not 0 < ratio < 1:
        return math.inf if ratio >= 1 else -math.inf
    return 400 * math.log10(ratio / (1 - ratio))


def to_ratio(elo: float) -> float:
    """Return the expected ratio of points of an Elo difference, the inverse of `to_elo`.

    >>> round(to_ratio(191), 2), to_ratio(0)
    (0.75, 0.5)
    """
    return 1 / (1 + math.pow(10, -elo / 400))


def _format_elo(elo: float) -> str:
    return ("+" if elo > 0 else "-") + "∞" if math.isinf(elo) else f"{elo:+.0f}"
