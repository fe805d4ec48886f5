"""Exact scores of the search in Kalah agree with the solver."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tablemen.mancala import KALAH, NORTH, SOUTH, VARIANTS, KalahRules, Position, Rest, solve
from tablemen.search import Limit, Searcher

RULES = [rules for rules in VARIANTS.values() if isinstance(rules, KalahRules)]
RULES.append(replace(KALAH, name="not counted", rest=Rest.NOT_COUNTED))


def scattered(rules: KalahRules, seeds: int, chance: random.Random) -> Position:
    """Return a position with this many seeds in the houses, and some in the stores."""
    houses = {side: [0] * rules.houses for side in (SOUTH, NORTH)}
    for _ in range(seeds):
        houses[chance.choice((SOUTH, NORTH))][chance.randrange(rules.houses)] += 1
    stores = {side: chance.randrange(10) for side in (SOUTH, NORTH)}
    return Position(rules, chance.choice((SOUTH, NORTH)), houses=houses, stores=stores)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize("seeds", [6, 9, 12])
def test_exact_scores_are_those_of_the_solver(rules: KalahRules, seeds: int) -> None:
    chance = random.Random(f"{rules.name} {seeds}")
    proven = 0
    for _ in range(10):
        position = scattered(rules, seeds, chance)
        if not position.legal_moves():
            continue
        result = Searcher(table_mb=1).choose(position, Limit(depth=12))
        if result.score.exact:
            proven += 1
            solution = solve(position, cache=False)
            assert result.score.value == solution.value
            assert result.move in solution.best
    assert proven


@pytest.mark.parametrize("name", ["kalah", "irving", "open_spiel"])
def test_few_seeds_are_solved_without_a_search(name: str) -> None:
    rules = VARIANTS[name]
    assert isinstance(rules, KalahRules)
    position = scattered(rules, 8, random.Random(1))
    result = Searcher(table_mb=1).choose(position, Limit(depth=1))
    assert result.score.exact
    assert result.score.value == solve(position, cache=False).value
