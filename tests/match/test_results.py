"""What games come to, in whatever order they are over."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tablemen import Game, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.match import MatchGame, MatchResults, MatchScore, PlayedGame, Sprt, Verdict

WHITE = Side.WHITE
POINTS = st.lists(st.sampled_from((0.0, 0.5, 1.0)), max_size=60)


def match_game(number: int, points: float, termination: Termination = Termination.NO_MOVE) -> MatchGame:
    first = Side.BLACK if number % 2 == 0 else WHITE
    winner = {0.0: first.opponent, 0.5: None, 1.0: first}[points]
    game: Game[Any, Any] = Game(Position.start("english"), ["11-15"])
    players = {first: "one", first.opponent: "two"}
    return MatchGame(number, first, PlayedGame(game, players, Outcome(winner, termination), "ill"))


def results_of(points: list[float], seed: int | None = None, sprt: Sprt | None = None) -> MatchResults:
    """The games in order, or in any other."""
    games = [match_game(number, each) for number, each in enumerate(points, 1)]
    if seed is not None:
        Random(seed).shuffle(games)
    results = MatchResults(sprt)
    for each in games:
        results.add(each)
    return results


@given(points=POINTS, seed=st.integers(0, 99))
def test_the_order_does_not_count(points: list[float], seed: int) -> None:
    score = MatchScore.of(points, paired=True)
    assert results_of(points, seed).score == results_of(points).score == score
    assert results_of(points, seed).settled == MatchScore.of(points[: len(points) // 2 * 2], paired=True)


@given(points=POINTS, seed=st.integers(0, 99))
def test_a_verdict_is_the_same_in_any_order(points: list[float], seed: int) -> None:
    sprt = Sprt(-100, 100)
    one, other = results_of(points, sprt=sprt), results_of(points, seed, sprt)
    assert (one.verdict, one.settled) == (other.verdict, other.settled)
    assert one.score == other.score


def test_pairs_wait_for_those_before_them() -> None:
    results = MatchResults()
    for number in (3, 4, 1):
        results.add(match_game(number, 1))
    assert results.settled == MatchScore()
    assert results.score == MatchScore(3, pairs=(0, 0, 0, 0, 1))
    results.add(match_game(2, 0))
    assert results.settled == results.score == MatchScore(3, 0, 1, (0, 0, 1, 0, 1))


def test_nothing_is_settled_after_the_verdict() -> None:
    results = results_of([1.0] * 100, sprt=Sprt(0, 100))
    assert results.verdict is Verdict.H1
    assert 2 <= sum(results.settled.pairs) < 50
    assert Sprt(0, 100).judge(results.settled) is Verdict.H1
    assert results.score.wins == 100


def test_ends_and_failures() -> None:
    results = MatchResults()
    results.add(match_game(1, 0))
    results.add(match_game(2, 0, Termination.FORFEIT))
    assert results.terminations == {Termination.NO_MOVE: 1, Termination.FORFEIT: 1}
    assert results.failures == {2: "one failed as Black: ill"}
    assert results.plies == 2
