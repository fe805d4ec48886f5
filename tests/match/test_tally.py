"""What games come to, in whatever order they are over."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tablemen import Game, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.match import MatchScore, PlayedGame, Round, Sprt, Tally, Verdict

WHITE = Side.WHITE
POINTS = st.lists(st.sampled_from((0.0, 0.5, 1.0)), max_size=60)


def round_of(number: int, points: float, termination: Termination = Termination.NO_MOVE) -> Round:
    first = Side.BLACK if number % 2 == 0 else WHITE
    winner = {0.0: first.opponent, 0.5: None, 1.0: first}[points]
    game: Game[Any, Any] = Game(Position.start("english"), ["11-15"])
    players = {first: "one", first.opponent: "two"}
    return Round(number, first, PlayedGame(game, players, Outcome(winner, termination), "ill"))


def tally_of(points: list[float], seed: int | None = None, sprt: Sprt | None = None) -> Tally:
    """The games in order, or in any other."""
    rounds = [round_of(number, each) for number, each in enumerate(points, 1)]
    if seed is not None:
        Random(seed).shuffle(rounds)
    tally = Tally(sprt)
    for each in rounds:
        tally.add(each)
    return tally


@given(points=POINTS, seed=st.integers(0, 99))
def test_the_order_does_not_count(points: list[float], seed: int) -> None:
    score = MatchScore.of(points, paired=True)
    assert tally_of(points, seed).score == tally_of(points).score == score
    assert tally_of(points, seed).settled == MatchScore.of(points[: len(points) // 2 * 2], paired=True)


@given(points=POINTS, seed=st.integers(0, 99))
def test_a_verdict_is_the_same_in_any_order(points: list[float], seed: int) -> None:
    sprt = Sprt(-100, 100)
    one, other = tally_of(points, sprt=sprt), tally_of(points, seed, sprt)
    assert (one.verdict, one.settled) == (other.verdict, other.settled)
    assert one.score == other.score


def test_pairs_wait_for_those_before_them() -> None:
    tally = Tally()
    for number in (3, 4, 1):
        tally.add(round_of(number, 1))
    assert tally.settled == MatchScore()
    assert tally.score == MatchScore(3, pairs=(0, 0, 0, 0, 1))
    tally.add(round_of(2, 0))
    assert tally.settled == tally.score == MatchScore(3, 0, 1, (0, 0, 1, 0, 1))


def test_nothing_is_settled_after_the_verdict() -> None:
    tally = tally_of([1.0] * 100, sprt=Sprt(0, 100))
    assert tally.verdict is Verdict.H1
    assert 2 <= sum(tally.settled.pairs) < 50
    assert Sprt(0, 100).judge(tally.settled) is Verdict.H1
    assert tally.score.wins == 100


def test_ends_and_failures() -> None:
    tally = Tally()
    tally.add(round_of(1, 0))
    tally.add(round_of(2, 0, Termination.FORFEIT))
    assert tally.terminations == {Termination.NO_MOVE: 1, Termination.FORFEIT: 1}
    assert tally.failures == {2: "one failed as Black: ill"}
    assert tally.plies == 2
