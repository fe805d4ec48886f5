"""Results of matches: games in any order, and the statistics of the score."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, Game, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.match import MatchGame, MatchResults, MatchScore, PlayedGame, Sprt, Verdict
from tablemen.match.results import to_elo

WHITE = Side.WHITE
POINTS = st.lists(st.sampled_from((0.0, 0.5, 1.0)), max_size=60)
COUNTS = st.integers(0, 10_000)
SCORES = st.builds(MatchScore, COUNTS, COUNTS, COUNTS)
RESULTS = st.lists(st.sampled_from((0.0, 0.5, 1.0)))
PAIRED = SCORES | st.builds(lambda results: MatchScore.of(results, paired=True), RESULTS)


def match_game(number: int, points: float, termination: Termination = Termination.NO_MOVE) -> MatchGame:
    first = Side.BLACK if number % 2 == 0 else WHITE
    winner = {0.0: first.opponent, 0.5: None, 1.0: first}[points]
    game: Game[Any, Any] = Game(Position.start("english"), ["11-15"])
    players = {first: "one", first.opponent: "two"}
    return MatchGame(number, first, PlayedGame(game, players, Outcome(winner, termination), "failed"))


def collect_results(points: list[float], seed: int | None = None, sprt: Sprt | None = None) -> MatchResults:
    """Return the results of games, shuffled if there is a seed."""
    games = [match_game(number, each) for number, each in enumerate(points, 1)]
    if seed is not None:
        Random(seed).shuffle(games)
    results = MatchResults(sprt)
    for each in games:
        results.add(each)
    return results


@given(points=POINTS, seed=st.integers(0, 99))
def test_the_score_does_not_depend_on_the_order(points: list[float], seed: int) -> None:
    score = MatchScore.of(points, paired=True)
    assert collect_results(points, seed).score == collect_results(points).score == score
    assert collect_results(points, seed).settled == MatchScore.of(points[: len(points) // 2 * 2], paired=True)


@given(points=POINTS, seed=st.integers(0, 99))
def test_a_verdict_is_the_same_in_any_order(points: list[float], seed: int) -> None:
    sprt = Sprt(-100, 100)
    one, other = collect_results(points, sprt=sprt), collect_results(points, seed, sprt)
    assert (one.verdict, one.settled) == (other.verdict, other.settled)
    assert one.score == other.score


def test_pairs_are_settled_in_order() -> None:
    results = MatchResults()
    for number in (3, 4, 1):
        results.add(match_game(number, 1))
    assert results.settled == MatchScore()
    assert results.score == MatchScore(3, pairs=(0, 0, 0, 0, 1), half_pairs=(0, 0, 1))
    results.add(match_game(2, 0))
    assert results.settled == results.score == MatchScore(3, 0, 1, (0, 0, 1, 0, 1))


def test_no_pair_is_settled_after_the_verdict() -> None:
    results = collect_results([1.0] * 100, sprt=Sprt(0, 100))
    assert results.verdict is Verdict.H1
    assert 2 <= sum(results.settled.pairs) < 50
    assert Sprt(0, 100).judge(results.settled) is Verdict.H1
    assert results.score.wins == 100


def test_terminations_and_failures_are_counted() -> None:
    results = MatchResults()
    results.add(match_game(1, 0))
    results.add(match_game(2, 0, Termination.FORFEIT))
    assert results.terminations == {Termination.NO_MOVE: 1, Termination.FORFEIT: 1}
    assert list(results.failures) == [2]
    assert results.failures[2].endswith(": failed")
    assert results.plies == 2


@pytest.mark.parametrize(
    ("ratio", "elo"),
    [(0.5, 0), (0.75, 190.848), (0.64, 99.951), (0.76, 200.241), (10 / 11, 400), (0.25, -190.848), (0.9, 381.697)],
)
def test_elo_differences(ratio: float, elo: float) -> None:
    # By definition, a difference of 400 means odds of ten to one.
    assert to_elo(ratio) == pytest.approx(elo, abs=0.001)


@pytest.mark.parametrize(
    ("counts", "superiority"),
    [
        ((600, 0, 510), 0.99653),  # 45 points above a half, with a standard deviation of 16.7
        ((600, 9999, 510), 0.99653),
        ((50, 10, 50), 0.5),
        ((510, 60, 600), 1 - 0.99653),
        ((0, 9, 0), 0.5),
        ((8, 0, 0), 0.99617),  # 4 points, with a variance of 2 and the pseudocounts of ¼
    ],
)
def test_superiority_follows_the_normal_distribution(counts: tuple[int, int, int], superiority: float) -> None:
    assert MatchScore(*counts).superiority == pytest.approx(superiority, abs=1e-5)


@settings(max_examples=40)
@given(games=st.lists(st.tuples(st.sampled_from((0.0, 0.5, 1.0)), st.integers(0, 4)), max_size=40))
@example(games=[(0.5, 0)] * 20 + [(0.0, 0)] * 2)
def test_a_loss_never_raises_the_superiority(games: list[tuple[float, int]]) -> None:
    delayed = sorted(enumerate(games, 1), key=lambda each: each[0] + each[1][1])  # as in several processes
    results = MatchResults()
    before = results.score.superiority
    for number, (points, _) in delayed:
        results.add(match_game(number, points))
        after = results.score.superiority
        if points != 0.5:
            assert after >= before if points else after <= before
        before = after


@given(COUNTS, COUNTS, COUNTS)
def test_a_lost_single_game_never_raises_the_superiority(wins: int, draws: int, losses: int) -> None:
    score = MatchScore(wins, draws, losses)
    assert MatchScore(wins, draws, losses + 1).superiority <= score.superiority
    assert MatchScore(wins + 1, draws, losses).superiority >= score.superiority


@settings(max_examples=50)
@given(score=PAIRED | st.builds(lambda one, other: one + other, SCORES, PAIRED))
def test_superiority_agrees_with_the_interval(score: MatchScore) -> None:
    low, high = score.elo_interval
    assert (score.superiority > 0.975, score.superiority < 0.025) == (low > 0, high < 0)


def test_the_interval_of_many_games_follows_the_normal_distribution() -> None:
    # 10,000 throws of a fair coin have a standard deviation of half a percent.
    assert list(MatchScore(5000, 0, 5000).ratio_interval) == pytest.approx([0.5 - 0.0098, 0.5 + 0.0098], abs=3e-6)
    low, high = MatchScore(2500, 5000, 2500).ratio_interval
    assert high - low == pytest.approx(2 * 0.0098 / math.sqrt(2), abs=5e-6)
    assert list(MatchScore(5000, 0, 5000).elo_interval) == pytest.approx([-6.81, 6.81], abs=0.01)


def test_the_interval_depends_on_the_variance_of_pairs() -> None:
    # Random pairs have the same interval as single games, even pairs have a much smaller one.
    random_pairs = MatchScore(10_000, 0, 10_000, (2500, 0, 5000, 0, 2500))
    singles = MatchScore(10_000, 0, 10_000)
    assert list(random_pairs.ratio_interval) == pytest.approx(singles.ratio_interval, abs=1e-5)
    assert random_pairs.superiority == singles.superiority == 0.5
    even = MatchScore(10_000, 0, 10_000, (0, 0, 10_000, 0, 0)).ratio_interval
    assert even.high - even.low < 0.0001
    twice = MatchScore(10_000, 0, 10_000, (5000, 0, 0, 0, 5000)).ratio_interval
    assert twice.high - 0.5 == pytest.approx(0.0098, abs=5e-6)  # as 10,000 throws of a coin


def test_even_pairs_do_not_change_the_superiority() -> None:
    pairs = (40, 0, 300, 0, 60)
    won = MatchScore(420, 0, 380, pairs).superiority
    assert won == MatchScore(120, 0, 80, (40, 0, 0, 0, 60)).superiority
    assert won == pytest.approx(0.97725, abs=1e-3)  # two standard deviations
    assert MatchScore(100, 0, 100, (0, 0, 100, 0, 0)).superiority == 0.5


def test_single_games_can_be_added_to_pairs() -> None:
    half = MatchScore(2500, 0, 2500, (625, 0, 1250, 0, 625)) + MatchScore(2500, 0, 2500)
    assert half.pairs == (625, 0, 1250, 0, 625)
    assert list(half.ratio_interval) == pytest.approx(MatchScore(5000, 0, 5000).ratio_interval, abs=1e-5)


@pytest.mark.parametrize(
    "pairs", [(1, 0, 0, 0), (0, 0, 2, 0, 0), (1, 0, 0, 0, 0), (-1, 0, 0, 0, 0), (0.5, 0, 0, 0, 0), (0, 0, True, 0, 0)]
)
def test_invalid_pairs(pairs: tuple[int, ...]) -> None:
    with pytest.raises(ArgumentError) as caught:
        MatchScore(1, 1, 1, pairs)
    assert (caught.value.name, caught.value.value) == ("pairs", pairs)


def test_invalid_half_pairs() -> None:
    with pytest.raises(ArgumentError) as caught:
        MatchScore(1, 1, 1, half_pairs=(1, 1))
    assert caught.value.name == "half_pairs"


def test_few_games_have_a_wide_interval() -> None:
    assert MatchScore().elo_interval == MatchScore(0, 1, 0).elo_interval == (-math.inf, math.inf)
    assert MatchScore(1, 0, 0).elo_interval == MatchScore(4, 0, 0).elo_interval == (-math.inf, math.inf)
    assert MatchScore(10, 0, 0).elo == math.inf
    assert 200 < MatchScore(10, 0, 0).elo_interval[0] < MatchScore(100, 0, 0).elo_interval[0] < math.inf
    assert MatchScore(0, 100, 0).elo_interval[1] > 1


@given(score=PAIRED)
def test_an_interval_contains_its_value(score: MatchScore) -> None:
    low, high = score.elo_interval
    assert low <= score.elo <= high
    assert 0 <= score.ratio_interval[0] <= score.ratio <= score.ratio_interval[1] <= 1
    assert 0 <= score.superiority <= 1


@given(score=PAIRED)
def test_the_other_player_has_the_opposite_score(score: MatchScore) -> None:
    other = MatchScore(score.losses, score.draws, score.wins, score.pairs[::-1], score.half_pairs[::-1])
    assert other.ratio == pytest.approx(1 - score.ratio)
    assert other.superiority == pytest.approx(1 - score.superiority)
    assert other.elo == pytest.approx(-score.elo, abs=1e-6)
    low, high = score.ratio_interval
    assert list(other.ratio_interval) == pytest.approx([1 - high, 1 - low])


@given(results=RESULTS)
def test_scores_of_games_add_up(results: list[float]) -> None:
    score = MatchScore.of(results)
    assert (score.games, score.points) == (len(results), sum(results))
    assert sum((MatchScore.of([each]) for each in results), MatchScore()) == score


def test_format() -> None:
    assert str(MatchScore()) == "+0 =0 -0"
    assert str(MatchScore(3, 0, 0)) == "+3 =0 -0, 100.0 %, Elo +∞ [-∞, +∞], LOS 93.3 %"
    assert str(MatchScore(1, 2, 1)).startswith("+1 =2 -1, 50.0 %, Elo +0 [-")


@pytest.mark.parametrize(("name", "count"), [("wins", -1), ("draws", 0.5), ("losses", True)])
def test_counts_are_whole_numbers(name: str, count: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        MatchScore(**{name: count})
    assert (caught.value.name, caught.value.value) == (name, count)
