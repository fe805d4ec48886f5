"""What the games of a match came to, counted as they come."""

from __future__ import annotations

from collections import Counter

from tablemen.match.round import Round
from tablemen.match.score import MatchScore
from tablemen.match.sprt import Sprt, Verdict
from tablemen.outcome import Termination


class Tally:
    """The score of the games so far, and how they ended; the games themselves are not kept.

    `settled` has the pairs of games that are over, up to the first that is not: it grows in the same order in however
    many processes the games are played. With a sequential test, `verdict` is what that says of them, asked after each
    pair; what comes after it was decided is no longer settled.

    >>> from tablemen.match import Match
    >>> tally = Tally()
    >>> for each in Match("kalah", "robot", "random", games=10, seed=1).play():
    ...     tally.add(each)
    >>> print(tally.score)
    +7 =0 -3, 70.0 %, Elo +147 [-19, +444], stronger with 92.1 % (LOS)
    """

    def __init__(self, sprt: Sprt | None = None) -> None:
        self.verdict = Verdict.UNDECIDED
        self._sprt = sprt
        self.settled = MatchScore()
        self.terminations: Counter[Termination] = Counter()
        self.failures: dict[int, str] = {}  # what went wrong, by the number of the game
        self.plies = 0
        self._paired = MatchScore()
        self._halves: dict[int, float] = {}  # the points of games whose pair is not complete
        self._early: dict[int, MatchScore] = {}  # pairs that are complete before an earlier one is
        self._number_settled = 0

    @property
    def score(self) -> MatchScore:
        """That of all games."""
        return self._paired + MatchScore.of(self._halves.values())

    def add(self, each: Round) -> None:
        """Count a game."""
        played = each.played
        self.terminations[played.outcome.termination] += 1
        if played.outcome.termination is Termination.FORFEIT:
            self.failures[each.number] = played.note
        self.plies += len(played.game.moves)
        if each.pair not in self._halves:
            self._halves[each.pair] = each.points
            return
        pair = MatchScore.of([self._halves.pop(each.pair), each.points], paired=True)
        self._paired += pair
        if self.verdict is Verdict.UNDECIDED:
            self._early[each.pair] = pair
            self._settle()

    def _settle(self) -> None:
        while (following := self._early.pop(self._number_settled + 1, None)) is not None:
            self.settled += following
            self._number_settled += 1
            if self._sprt is not None:
                self.verdict = self._sprt.judge(self.settled)
                if self.verdict is not Verdict.UNDECIDED:
                    self._early.clear()
