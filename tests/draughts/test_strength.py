"""That weights are worth having: the same search with as many nodes plays better by them than by counting pieces."""

from __future__ import annotations

import pytest

from tools.tune.compare import Comparison, compare


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["international", "english", "frisian"])
def test_trained_weights_beat_counting_pieces(variant: str) -> None:
    comparison = Comparison(variant=variant, first="own", second="material", nodes=300)
    score = compare(comparison, 60, workers=1)
    assert score.ratio > 0.6, str(score)
    assert score.superiority > 0.99, str(score)


@pytest.mark.slow
def test_evaluations_that_are_the_same_are_equally_strong() -> None:
    """Each opening is played twice, so what one wins the other wins too."""
    comparison = Comparison(variant="english", first="material", second="material", nodes=100)
    score = compare(comparison, 20, workers=1)
    assert score.wins == score.losses, str(score)
