"""What scores are worth, and which moves are marked."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.analysis.chances import BLUNDER, INACCURACY, MISTAKE, SCALES, Mark, judge, winning_chances
from tablemen.draughts.pdn.game import NAG_MEANINGS
from tablemen.family import families
from tablemen.search import Score

VALUES = st.floats(-1e9, 1e9)


@given(VALUES, VALUES, st.sampled_from(sorted(SCALES)))
def test_more_is_never_worth_less_and_both_sides_share_the_points(low: float, high: float, family: str) -> None:
    low, high = sorted((low, high))
    worth = [winning_chances(Score(value), family) for value in (low, high)]
    assert 0 <= worth[0] <= worth[1] <= 1
    assert winning_chances(Score(-low), family) == pytest.approx(1 - worth[0])


def test_one_scale_more_is_worth_odds_of_e_to_one() -> None:
    assert set(SCALES) == {family.name for family in families()}
    for family, scale in SCALES.items():
        chances = winning_chances(Score(scale), family)
        assert chances / (1 - chances) == pytest.approx(math.e)


@pytest.mark.parametrize(
    ("score", "chances"),
    [
        (Score(math.inf, exact=True, plies=9), 1.0),
        (Score(-math.inf, exact=True, plies=8), 0.0),
        (Score(0.0, exact=True), 0.5),
        (Score(1.0, exact=True), 1.0),
        (Score(-1.0, exact=True), 0.0),
    ],
)
def test_what_is_proven_is_certain(score: Score, chances: float) -> None:
    assert winning_chances(score, "mancala") == chances


def test_marks_begin_at_their_thresholds() -> None:
    def mark(lost: float, *, was_won: bool = False, is_lost: bool = False) -> Mark | None:
        return judge(lost, was_won=was_won, is_lost=is_lost)

    below = [math.nextafter(each, 0) for each in (INACCURACY, MISTAKE, BLUNDER)]
    assert [mark(each) for each in below] == [None, Mark.INACCURACY, Mark.MISTAKE]
    assert [mark(each) for each in (INACCURACY, MISTAKE, BLUNDER)] == list(Mark)
    for proven in ({"was_won": True}, {"is_lost": True}):
        assert (mark(below[0], **proven), mark(INACCURACY, **proven)) == (None, Mark.BLUNDER)


def test_marks_have_the_glyphs_of_game_files() -> None:
    assert [NAG_MEANINGS[mark.nag] for mark in Mark] == ["doubtful move", "mistake", "blunder"]
