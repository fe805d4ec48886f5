"""Exact scores of the search in Kalah agree with a full search in Python."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.mancala import KALAH, NORTH, SOUTH, VARIANTS, End, KalahRules, Move, Position, Swap
from tablemen.search import Limit, Searcher
from tests.mancala.oracle import to_reference
from tests.mancala.strategies import kalah_rules
from tests.reference.kalah import KalahPosition, margin

TO_THE_END = Limit(depth=150)
MAX_SEEDS = 9  # maximum number of seeds in the houses, for the full search in Python


def best_margin(position: Position) -> int:
    """Return the final margin of the side to move."""
    reference = to_reference(position)
    assert isinstance(reference, KalahPosition)
    lead = margin(reference)
    return lead if position.turn is SOUTH else -lead


def move_margin(position: Position, move: Move) -> int:
    """Return the final margin of the side to move if it plays this move."""
    after = position.play(move)
    return best_margin(after) if after.turn is position.turn else -best_margin(after)


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Generate small boards by rules without an end by majority, since the oracle ignores the stores."""
    ends = st.sampled_from((End.MOVER_EMPTY, End.EITHER_EMPTY))
    rules = replace(draw(kalah_rules()), houses=draw(st.integers(1, 4)), end=draw(ends), swap=Swap.NONE)
    houses = {side: [0] * rules.houses for side in (SOUTH, NORTH)}
    house = st.integers(0, rules.houses - 1)
    for side in (SOUTH, NORTH):  # a side without seeds would end the game
        houses[side][draw(house)] += 1
    for side in draw(st.lists(st.sampled_from((SOUTH, NORTH)), max_size=MAX_SEEDS - 2)):
        houses[side][draw(house)] += 1
    stores = {side: draw(st.integers(0, 12)) for side in (SOUTH, NORTH)}
    return Position(rules, draw(st.sampled_from((SOUTH, NORTH))), houses=houses, stores=stores)


@settings(max_examples=40)
@given(position=small_positions())
def test_the_value_of_a_small_board_is_exact(position: Position) -> None:
    result = Searcher(table_mb=1).choose(position, TO_THE_END)
    best = best_margin(position)
    assert (result.score.value, result.score.exact) == (best, True), repr(position)
    assert move_margin(position, result.move) == best, repr(position)


@settings(max_examples=40)
@given(position=small_positions(), depth=st.integers(1, 6), pruning=st.booleans())
def test_exact_scores_are_exact(position: Position, depth: int, pruning: bool) -> None:  # noqa: FBT001
    score = Searcher(table_mb=1, pruning=pruning).choose(position, Limit(depth=depth)).score
    assert score.plies is None
    assert not score.exact or score.value == best_margin(position), f"{position!r}: {score}"


# South sows 6, 5, 6, 4 and so on: every last seed falls into the store and gives an extra turn.
CHAIN = "<6,0,0,0,0,0,0,2,1,1,0,0,0,0,0> south"


def test_extra_turns_are_played_in_the_best_order() -> None:
    position = Position.from_text(CHAIN, "kalah")
    # Without pruning no line is cut short by a table entry.
    plain = Searcher(table_mb=1, pruning=False).choose(position, TO_THE_END)
    assert [move.house for move in plain.lines[0].line[:3]] == [6, 5, 6]
    result = Searcher(table_mb=1).choose(position, TO_THE_END)
    for each in (plain, result):
        assert (each.move.house, each.score.value, each.score.exact) == (6, 2, True)


def small_rules() -> list[KalahRules]:
    kalah = [rules for rules in VARIANTS.values() if isinstance(rules, KalahRules)]
    return [replace(rules, houses=3, seeds=2) for rules in kalah if rules.end is not End.EITHER_EMPTY_OR_MAJORITY]


@pytest.mark.parametrize("rules", small_rules(), ids=lambda rules: rules.name)
def test_best_play_reaches_the_predicted_score(rules: KalahRules) -> None:
    position, searcher = Position.start(rules), Searcher(table_mb=1)
    value = searcher.choose(position, TO_THE_END).score.value
    assert value == best_margin(position)
    while position.outcome() is None:
        position = position.play(searcher.choose(position, TO_THE_END).move)
    score = position.score()
    assert score[SOUTH] - score[NORTH] == value


def test_the_search_swaps_if_the_first_move_is_good() -> None:
    rules = replace(KALAH, houses=3, seeds=2, swap=Swap.PIE)
    swapped = set()
    for first in Position.start(rules).legal_moves():
        position = Position.start(rules).play(first)
        if position.turn is SOUTH:
            continue
        values = {move: move_margin(position, move) for move in position.legal_moves()}
        assert any(move.is_swap for move in values)
        result = Searcher(table_mb=1).choose(position, TO_THE_END)
        assert (result.score.value, result.score.exact) == (max(values.values()), True), repr(position)
        assert values[result.move] == result.score.value, repr(position)
        swapped.add(result.move.is_swap)
    assert swapped
