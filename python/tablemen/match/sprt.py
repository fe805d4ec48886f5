"""The sequential test: a match that goes on until it has said which of two strengths is the likelier one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tablemen.enums import Named
from tablemen.errors import ArgumentError
from tablemen.match.score import GAME_POINTS, PAIR_POINTS, Interval, MatchScore, ratio_of
from tablemen.validation import is_number

MOST_ELO = 1000.0
EXPECTED = "two differences in Elo, the lower first, and maybe two rates of error, such as 0,5 or 0,5,0.05,0.05,"
_UNSEEN = 1e-3  # of a result that never came: nothing is impossible
_NEAR = 1e-12


class Verdict(Named):
    """What a sequential test says."""

    UNDECIDED = "undecided"
    H0 = "H0 accepted"
    H1 = "H1 accepted"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Sprt:
    """Whether the first player is stronger by `elo1` (H1) rather than by `elo0` (H0), asked after every pair of games.

    The log-likelihood ratio of the two grows with what speaks for H1, and falls with what speaks for H0; outside the
    `bounds` the test is over. `alpha` is how often H1 is accepted where H0 is true, `beta` the other way round. A
    difference in Elo is the ratio of points that it leads one to expect, 1 / (1 + 10^(-Elo/400)); how often games are
    drawn, and what openings decide, is taken from the games themselves: of all distributions of the results with that
    ratio, the one that makes the games likeliest (the generalised test).

    >>> sprt = Sprt(0, 10)
    >>> print(sprt, [round(bound, 2) for bound in sprt.bounds])
    0,10 [-2.94, 2.94]
    >>> score = MatchScore(400, 810, 290, pairs=(20, 120, 380, 190, 40))
    >>> round(sprt.llr(score), 2), sprt.judge(score)
    (6.96, Verdict.H1)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not is_number(getattr(self, name), least=-MOST_ELO, most=MOST_ELO):
                raise ArgumentError(name, getattr(self, name), f"a number from {-MOST_ELO:g} to {MOST_ELO:g}")
        if self.elo0 >= self.elo1:
            raise ArgumentError("elo1", self.elo1, f"more than elo0, {self.elo0:g},")
        for name in ("alpha", "beta"):
            if not is_number(getattr(self, name), least=1e-9, most=0.5 - 1e-9):
                raise ArgumentError(name, getattr(self, name), "a number between 0 and 0.5")

    @property
    def bounds(self) -> Interval:
        """Below the first H0 is accepted, above the second H1."""
        return Interval(math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))

    def llr(self, score: MatchScore) -> float:
        """The log-likelihood ratio: of the pairs of games where there are any, else of the games."""
        if not score.games:
            return 0.0
        values: Sequence[float] = GAME_POINTS
        counts: Sequence[int] = (score.losses, score.draws, score.wins)
        if any(score.pairs):
            values, counts = [points / 2 for points in PAIR_POINTS], score.pairs
        weights = [max(count, _UNSEEN) for count in counts]
        low, high = ratio_of(self.elo0), ratio_of(self.elo1)
        tilt_low, tilt_high = _tilt(values, weights, low), _tilt(values, weights, high)
        return sum(
            weight * (math.log1p(tilt_low * (value - low)) - math.log1p(tilt_high * (value - high)))
            for value, weight in zip(values, weights, strict=True)
        )

    def judge(self, score: MatchScore) -> Verdict:
        """Whether one of the two is accepted."""
        llr, (low, high) = self.llr(score), self.bounds
        return Verdict.H1 if llr >= high else Verdict.H0 if llr <= low else Verdict.UNDECIDED

    def __str__(self) -> str:
        """The text that `parse_sprt` reads."""
        usual = (self.alpha, self.beta) == (0.05, 0.05)
        told = (self.elo0, self.elo1) if usual else (self.elo0, self.elo1, self.alpha, self.beta)
        return ",".join(f"{float(value)!r}".removesuffix(".0") for value in told)


def parse_sprt(text: str) -> Sprt:
    """The test that a text names: `ELO0,ELO1`, or `ELO0,ELO1,ALPHA,BETA`.

    >>> parse_sprt("-5, 0")
    Sprt(elo0=-5.0, elo1=0.0, alpha=0.05, beta=0.05)

    Raises `ArgumentError` for anything else.
    """
    words = text.split(",")
    try:
        numbers = [float(word) for word in words]
    except ValueError as error:
        raise ArgumentError("sprt", text, EXPECTED) from error
    if len(numbers) not in {2, 4}:
        raise ArgumentError("sprt", text, EXPECTED)
    return Sprt(*numbers)


def _tilt(values: Sequence[float], weights: Sequence[float], mean: float) -> float:
    """How far the weights must be tilted to have this mean and stay as likely as can be.

    Of the distributions with the mean, the one that makes the weights likeliest gives each value its weight divided by
    1 + tilt × (value - mean) and by the sum of the weights; the tilt is where these have the mean. That sum falls as
    the tilt grows, from one end of where all of them are above 0 to the other: Newton's steps find it, and halves where
    they would leave.
    """
    low, high = -1 / (max(values) - mean), 1 / (mean - min(values))
    total, tilt = sum(weights), 0.0
    while True:
        error = slope = 0.0
        for value, weight in zip(values, weights, strict=True):
            distance = (value - mean) / (1 + tilt * (value - mean))
            error += weight * distance
            slope -= weight * distance * distance
        low, high = (tilt, high) if error > 0 else (low, tilt)
        following = tilt - error / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(error) <= _NEAR * total or following == tilt or high - low <= _NEAR:
            return tilt
        tilt = following
