"""The sequential probability ratio test (SPRT), which ends a match as soon as one of two hypotheses is accepted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tablemen.errors import ArgumentError
from tablemen.match.results import GAME_POINTS, PAIR_POINTS, Interval, MatchScore, Verdict, to_ratio
from tablemen.validation import is_number

MAX_ELO = 1000.0
EXPECTED = "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,5 or 0,5,0.05,0.05"
_PSEUDOCOUNT = 1e-3  # the count of a result that did not occur, so that no probability is 0
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test whether the first player is stronger by `elo1` (H1) or by `elo0` (H0), after every pair of games.

    The log-likelihood ratio (LLR) of the two grows with evidence for H1 and falls with evidence for H0; outside the
    `bounds` the test is decided. `alpha` is the probability of accepting H1 if H0 is true, `beta` that of accepting H0
    if H1 is true. The expected ratio of points of an Elo difference is 1 / (1 + 10^(-Elo/400)). This is the generalised
    test (GSPRT): of all distributions of the results with that ratio, it takes the most likely one, so the draw rate
    and the bias of the openings are estimated from the games.

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
            if not is_number(getattr(self, name), minimum=-MAX_ELO, maximum=MAX_ELO):
                raise ArgumentError(name, getattr(self, name), f"a number from {-MAX_ELO:g} to {MAX_ELO:g}")
        if self.elo0 >= self.elo1:
            raise ArgumentError("elo1", self.elo1, f"a number above elo0 ({self.elo0:g})")
        for name in ("alpha", "beta"):
            if not is_number(getattr(self, name), minimum=1e-9, maximum=0.5 - 1e-9):
                raise ArgumentError(name, getattr(self, name), "a number between 0 and 0.5")

    @property
    def bounds(self) -> Interval:
        """The LLR below which H0 is accepted, and the LLR above which H1 is accepted."""
        return Interval(math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))

    def llr(self, score: MatchScore) -> float:
        """Return the log-likelihood ratio of the pairs of games, or of the games if there are no pairs."""
        if not score.games:
            return 0.0
        values: Sequence[float] = GAME_POINTS
        counts: Sequence[int] = (score.losses, score.draws, score.wins)
        if any(score.pairs):
            values, counts = [points / 2 for points in PAIR_POINTS], score.pairs
        weights = [max(count, _PSEUDOCOUNT) for count in counts]
        low, high = to_ratio(self.elo0), to_ratio(self.elo1)
        tilt_low, tilt_high = _tilt(values, weights, low), _tilt(values, weights, high)
        return sum(
            weight * (math.log1p(tilt_low * (value - low)) - math.log1p(tilt_high * (value - high)))
            for value, weight in zip(values, weights, strict=True)
        )

    def judge(self, score: MatchScore) -> Verdict:
        """Return which hypothesis is accepted, if any."""
        llr, (low, high) = self.llr(score), self.bounds
        return Verdict.H1 if llr >= high else Verdict.H0 if llr <= low else Verdict.UNDECIDED

    def __str__(self) -> str:
        """Return the text that `parse_sprt` parses."""
        is_default = (self.alpha, self.beta) == (0.05, 0.05)
        values = (self.elo0, self.elo1) if is_default else (self.elo0, self.elo1, self.alpha, self.beta)
        return ",".join(f"{float(value)!r}".removesuffix(".0") for value in values)


def parse_sprt(text: str) -> Sprt:
    """Parse a test: `ELO0,ELO1`, or `ELO0,ELO1,ALPHA,BETA`.

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
    """Return the Lagrange multiplier of the maximum likelihood distribution with this mean.

    That distribution gives each value its weight divided by 1 + tilt × (value - mean) and by the sum of the weights;
    the tilt is the root at which it has the mean. The function falls monotonically over the interval in which all
    denominators are positive. Newton's method finds the root, with bisection if a step would leave the interval.
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
        if abs(error) <= _TOLERANCE * total or following == tilt or high - low <= _TOLERANCE:
            return tilt
        tilt = following
