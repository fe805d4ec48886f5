"""Test the levels of play: their errors, the variants that they are calibrated for, and the published ratings."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from tablemen import draughts, mancala
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.match import Match, MatchScore, Openings
from tablemen.search import Level, Limit, Searcher, Strength, read_level_skills
from tools import levels

VARIANTS: dict[str, Any] = {**draughts.VARIANTS, **mancala.VARIANTS}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_every_level(name: str) -> None:
    strengths = [Level(number).strength(name) for number in range(1, levels.LEVELS + 1)]
    skills = [each.skill for each in strengths]
    assert all(isinstance(skill, float | int) for skill in skills[: levels.RANDOM_LEVELS])
    assert skills[levels.RANDOM_LEVELS :] == [None] * (levels.LEVELS - levels.RANDOM_LEVELS)
    known = [skill for skill in skills if skill is not None]
    assert known == sorted(known)


def test_variants_have_the_levels_of_a_similar_one() -> None:
    calibrated = tuple(read_level_skills())
    assert set(calibrated) == {*levels.MAIN, "kalah"}
    similar = {name: get_family(rules).level_variant(rules, calibrated) for name, rules in VARIANTS.items()}
    assert {name: similar[name] for name in calibrated} == {name: name for name in calibrated}
    assert similar["killer"] == "international"
    assert similar["frysk"] == "frisian"
    assert similar["spanish"] in {"italian", "russian", "brazilian"}
    assert {similar[name] for name in mancala.VARIANTS} == {"kalah"}


def test_skill_moves_the_choice_from_the_worst_move_to_the_best() -> None:
    position = draughts.Position.from_fen("W:W28,33,38,43:B14,18,19,23", "international")
    lines = Searcher(table_mb=1).analyse(position, Limit(depth=1), multipv=100).result().lines
    assert lines[0].score.value - lines[-1].score.value > 1
    chosen = {
        skill: Counter(
            Searcher(table_mb=1, seed=seed).choose(position, Strength(Limit(depth=1), skill)).score.value
            for seed in range(40)
        )
        for skill in (-1000.0, 0.0, 1.0, 1000.0)
    }
    assert set(chosen[1000.0]) == {lines[0].score.value}
    assert set(chosen[-1000.0]) == {lines[-1].score.value}
    means = [sum(value * count for value, count in each.items()) / 40 for each in chosen.values()]
    assert means == sorted(means)
    assert len(chosen[0.0]) > 2


@pytest.mark.parametrize("skill", [-1001, 1001, float("nan"), "1"])
def test_a_skill_outside_its_range_is_an_error(skill: Any) -> None:
    with pytest.raises(ArgumentError, match="skill"):
        Strength(Limit(depth=1), skill)


def score(variant: str, first: int, second: int | None) -> MatchScore:
    """Return the score of 40 games between two levels, or against the weak player of the ratings."""
    strength = partial(levels.StrengthPlayer, Level(first).strength(variant))
    opponent = levels.Capturer if second is None else partial(levels.StrengthPlayer, Level(second).strength(variant))
    match = Match(variant, strength, opponent, games=40, openings=Openings(plies=4), seed=5)
    return MatchScore.of(each.points for each in match.play())


@pytest.mark.parametrize("variant", ["russian", "turkish"])
def test_a_weak_player_beats_level_1_and_loses_to_level_4(variant: str) -> None:
    assert score(variant, 1, None).ratio < 0.5
    assert score(variant, 4, None).ratio > 0.6
    assert score(variant, 4, 2).ratio > 0.5


def test_recorded_differences_are_in_range() -> None:
    measured = levels.read_measured()
    assert set(levels.MAIN) <= set(measured)
    problems = [problem for name, each in measured.items() for problem in levels.find_problems(name, each)]
    assert problems == []


def test_table_of_ratings_is_up_to_date() -> None:
    text = levels.PAGE.read_text(encoding="utf-8")
    assert levels.update_page(text, levels.read_measured()) == text


def test_differences_out_of_range_are_reported() -> None:
    def row(wins: int, losses: int) -> dict[str, Any]:
        return {"score": [wins, 0, losses], "pairs": [0, 0, 0, 0, 0]}

    scores = [row(300, 700), row(750, 250), row(500, 500), row(900, 100), *[row(700, 300)] * 3, row(400, 600)]
    rows = {str(number): each for number, each in enumerate(scores, 1)}
    found = list(levels.find_problems("english", rows))
    assert [each.partition(":")[0] for each in found] == [f"english, level {number}" for number in (3, 4, 8)]
    assert list(levels.find_problems("english", {"1": row(450, 550)}))
    ratings = levels.rate(rows)
    assert len(levels.rate({number: each for number, each in rows.items() if number != "4"})) == 3
    assert ratings[:4] == ["350", "540", "540", "930"]
    assert levels.rate({"1": row(0, 9), "2": row(9, 0), "3": row(5, 5)}) == ["-100", "500+", "500+"]
