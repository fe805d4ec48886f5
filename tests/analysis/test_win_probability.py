"""Winning chances and marks."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.analysis.win_probability import BLUNDER, INACCURACY, MISTAKE, Mark, mark_move, win_probability
from tablemen.draughts.pdn.game import NAG_MEANINGS
from tablemen.family import families
from tablemen.search import Score

VALUES = st.floats(-1e9, 1e9)


@given(VALUES, VALUES, st.sampled_from([family.score_scale for family in families()]))
def test_chances_grow_with_the_score_and_add_up_to_one(low: float, high: float, scale: float) -> None:
    low, high = sorted((low, high))
    worth = [win_probability(Score(value), scale) for value in (low, high)]
    assert 0 <= worth[0] <= worth[1] <= 1
    assert win_probability(Score(-low), scale) == pytest.approx(1 - worth[0])


def test_the_score_scale_means_odds_of_e_to_one() -> None:
    for family in families():
        chances = win_probability(Score(family.score_scale), family.score_scale)
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
def test_proven_scores_are_certain(score: Score, chances: float) -> None:
    assert win_probability(score, 3.0) == chances


def test_marks_begin_at_their_thresholds() -> None:
    def mark(lost: float, *, was_won: bool = False, is_lost: bool = False) -> Mark | None:
        return mark_move(lost, was_won=was_won, is_lost=is_lost)

    below = [math.nextafter(each, 0) for each in (INACCURACY, MISTAKE, BLUNDER)]
    assert [mark(each) for each in below] == [None, Mark.INACCURACY, Mark.MISTAKE]
    assert [mark(each) for each in (INACCURACY, MISTAKE, BLUNDER)] == list(Mark)
    for proven in ({"was_won": True}, {"is_lost": True}):
        assert (mark(below[0], **proven), mark(INACCURACY, **proven)) == (None, Mark.BLUNDER)


def test_marks_have_the_glyphs_of_game_files() -> None:
    assert [NAG_MEANINGS[mark.nag] for mark in Mark] == ["doubtful move", "mistake", "blunder"]
