"""Tuned weights are stronger than material alone, in searches with the same number of nodes."""

from __future__ import annotations

import pytest

from tools.tune.compare import Comparison, compare


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["international", "english", "frisian"])
def test_tuned_weights_beat_material(variant: str) -> None:
    comparison = Comparison(variant=variant, first="own", second="material", nodes=300)
    score = compare(comparison, 60, workers=1)
    assert score.ratio > 0.6, str(score)
    assert score.superiority > 0.99, str(score)


@pytest.mark.slow
def test_equal_evaluations_are_equally_strong() -> None:
    # Each opening is played with both colours, so wins and losses cancel out.
    comparison = Comparison(variant="english", first="material", second="material", nodes=100)
    score = compare(comparison, 20, workers=1)
    assert score.wins == score.losses, str(score)
