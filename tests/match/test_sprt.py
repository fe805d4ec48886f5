"""The sequential test, compared with independent formulas and with random games."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError
from tablemen.match import MatchScore, Sprt, Verdict, parse_sprt

COUNTS = st.integers(0, 500)


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def paired(*counts: int) -> MatchScore:
    """Return the score of pairs with 0, ½, 1, 1½ and 2 points; even pairs are two draws."""
    both_lost, one_lost, even, one_won, both_won = counts
    return MatchScore(2 * both_won + one_won, one_won + one_lost + 2 * even, 2 * both_lost + one_lost, pairs=counts)


def test_the_bounds_follow_wald() -> None:
    assert list(Sprt(0, 5).bounds) == pytest.approx([-math.log(19), math.log(19)])
    assert list(Sprt(0, 5, 0.01, 0.1).bounds) == pytest.approx([math.log(0.1 / 0.99), math.log(0.9 / 0.01)])


@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (40, 60), (1, 0), (0, 1), (7, 7)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-10, 0), (100, 300)])
def test_the_llr_without_draws_has_a_closed_form(wins: int, losses: int, elo0: float, elo1: float) -> None:
    low, high = expected(elo0), expected(elo1)
    binomial = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert Sprt(elo0, elo1).llr(MatchScore(wins, 0, losses)) == pytest.approx(binomial, abs=0.02)
    assert Sprt(elo0, elo1).llr(paired(losses, 0, 0, 0, wins)) == pytest.approx(binomial, abs=0.05)


def max_likelihood(wins: int, draws: int, losses: int, ratio: float) -> float:
    """Return the best log-likelihood with this mean, by ternary search over the draw rate."""

    def likelihood(draw_rate: float) -> float:
        won = ratio - draw_rate / 2
        return wins * math.log(won) + draws * math.log(draw_rate) + losses * math.log(1 - won - draw_rate)

    low, high = 1e-12, 2 * min(ratio, 1 - ratio) - 1e-12
    for _ in range(200):
        third = (high - low) / 3
        low, high = (low + third, high) if likelihood(low + third) < likelihood(high - third) else (low, high - third)
    return likelihood((low + high) / 2)


@given(wins=st.integers(1, 500), draws=st.integers(1, 500), losses=st.integers(1, 500))
def test_the_draw_rate_is_the_most_likely_one(wins: int, draws: int, losses: int) -> None:
    sprt = Sprt(-20, 40)
    high, low = (max_likelihood(wins, draws, losses, expected(elo)) for elo in (40, -20))
    assert sprt.llr(MatchScore(wins, draws, losses)) == pytest.approx(high - low, rel=1e-6, abs=1e-6)


def test_close_hypotheses_agree_with_the_normal_approximation() -> None:
    counts, values = (300, 1300, 3800, 1360, 320), (0, 0.25, 0.5, 0.75, 1)
    score = paired(*counts)
    low, high = expected(0), expected(2)
    total = sum(counts)
    mean = sum(count * value for count, value in zip(counts, values, strict=True)) / total
    variance = sum(count * (value - mean) ** 2 for count, value in zip(counts, values, strict=True)) / total
    normal = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 2).llr(score) == pytest.approx(normal, rel=0.02)


@given(counts=st.tuples(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS))
def test_the_other_player_has_the_opposite_score(counts: tuple[int, int, int, int, int]) -> None:
    score, other = paired(*counts), paired(*counts[::-1])
    assert Sprt(-30, 10).llr(score) == pytest.approx(-Sprt(-10, 30).llr(other), abs=1e-6)


def test_even_pairs_are_stronger_evidence_than_single_games() -> None:
    wins = losses = 500
    singles, pairs = MatchScore(wins, 0, losses), MatchScore(wins, 0, losses, pairs=(10, 0, 480, 0, 10))
    assert Sprt(0, 10).llr(pairs) < Sprt(0, 10).llr(singles) < 0


def test_without_games_the_test_is_undecided() -> None:
    assert Sprt(0, 5).llr(MatchScore()) == 0
    assert Sprt(0, 5).judge(MatchScore()) is Verdict.UNDECIDED


def test_verdicts() -> None:
    sprt = Sprt(0, 50)
    assert sprt.judge(MatchScore(100, 0, 50)) is Verdict.H1
    assert sprt.judge(MatchScore(50, 0, 100)) is Verdict.H0
    assert sprt.judge(MatchScore(3, 0, 2)) is Verdict.UNDECIDED
    assert [str(verdict) for verdict in Verdict] == ["undecided", "H0 accepted", "H1 accepted"]


@given(
    low=st.floats(-1000, 999),
    more=st.floats(0.5, 100),
    rates=st.just((0.05, 0.05)) | st.tuples(st.floats(1e-8, 0.49), st.floats(1e-8, 0.49)),
)
def test_tests_round_trip(low: float, more: float, rates: tuple[float, float]) -> None:
    sprt = Sprt(low, min(1000.0, low + more), *rates)
    assert parse_sprt(str(sprt)) == sprt


def test_format() -> None:
    assert str(Sprt(0, 5)) == "0,5"
    assert str(Sprt(-2.5, 5, 0.1, 0.05)) == "-2.5,5,0.1,0.05"


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("sprt", ["", "5", "0,5,0.1", "0,5,0.1,0.1,0", "a,b"]),
        ("elo0", ["nan,5"]),
        ("elo1", ["5,0", "5,5", "0,inf"]),
        ("alpha", ["0,5,0,0.1"]),
        ("beta", ["0,5,0.1,0.5"]),
    ],
)
def test_invalid_tests(name: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(ArgumentError) as caught:
            parse_sprt(text)
        assert caught.value.name == name


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "truth"), [(0.0, Verdict.H0), (60.0, Verdict.H1)])
def test_the_error_rates_are_kept(elo: float, truth: Verdict) -> None:
    # 400 tests with an error rate of 10 %, on random pairs with half of the games drawn.
    random = Random(1)
    sprt = Sprt(0, 60, 0.1, 0.1)
    won = expected(elo) - 0.25
    verdicts: list[Verdict] = []
    for _ in range(400):
        score = MatchScore()
        while (verdict := sprt.judge(score)) is Verdict.UNDECIDED:
            score += MatchScore.of(random.choices((1, 0.5, 0), (won, 0.5, 0.5 - won), k=2), paired=True)
        verdicts.append(verdict)
    assert 350 < verdicts.count(truth) < 392
