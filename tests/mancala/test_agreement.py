"""The core and the references agree: on every move, what it comes to, the position after it and every result."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.mancala import VARIANTS, MancalaRules, Position
from tests.mancala import strategies
from tests.mancala.oracle import check_agreement, seeds, to_reference
from tests.reference import kalah, oware


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=30)
@given(st.data())
def test_variant(name: str, data: st.DataObject) -> None:
    check_agreement(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=200)
@given(strategies.positions(strategies.kalah_rules()))
def test_kalah_by_rules_of_ones_own(position: Position) -> None:
    check_agreement(position)


@settings(max_examples=200)
@given(strategies.positions(strategies.oware_rules()))
def test_oware_by_rules_of_ones_own(position: Position) -> None:
    check_agreement(position)


@pytest.mark.slow
@settings(max_examples=2_500)
@given(strategies.positions())
def test_many_positions(position: Position) -> None:
    check_agreement(position)


@settings(max_examples=15)
@given(st.data(), strategies.rule_sets())
def test_games_from_the_start(data: st.DataObject, rules: MancalaRules) -> None:
    position = Position.start(rules)
    for _ in range(30):
        check_agreement(position)
        assert seeds(position) == 2 * rules.houses * rules.seeds
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(data.draw(st.sampled_from(moves)))


@pytest.mark.parametrize("houses", [1, 2, 7, 8])
@pytest.mark.parametrize("name", VARIANTS)
def test_counts_on_other_boards(name: str, houses: int) -> None:
    position = Position.start(replace(VARIANTS[name], name="custom", houses=houses, seeds=3))
    judge = to_reference(position)
    for depth in range(5):
        count = kalah.perft(judge, depth) if isinstance(judge, kalah.KalahPosition) else oware.perft(judge, depth)
        assert position.perft(depth) == count
