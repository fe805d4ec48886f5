"""Agreement of the core with the references, on moves, captures, successors and results."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.mancala import VARIANTS, MancalaRules, Position
from tests.mancala import strategies
from tests.mancala.oracle import check_agreement, count_seeds, to_reference
from tests.reference import kalah, oware


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=30)
@given(st.data())
def test_known_variants(name: str, data: st.DataObject) -> None:
    check_agreement(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=200)
@given(strategies.positions(strategies.kalah_rules()))
def test_custom_rules_of_kalah(position: Position) -> None:
    check_agreement(position)


@settings(max_examples=200)
@given(strategies.positions(strategies.oware_rules()))
def test_custom_rules_of_oware(position: Position) -> None:
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
        assert count_seeds(position) == 2 * rules.houses * rules.seeds
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(data.draw(st.sampled_from(moves)))


@pytest.mark.parametrize("houses", [1, 2, 7, 8])
@pytest.mark.parametrize("name", VARIANTS)
def test_perft_on_other_boards(name: str, houses: int) -> None:
    position = Position.start(replace(VARIANTS[name], name="custom", houses=houses, seeds=3))
    reference = to_reference(position)
    for depth in range(5):
        if isinstance(reference, kalah.KalahPosition):
            count = kalah.perft(reference, depth)
        else:
            count = oware.perft(reference, depth)
        assert position.perft(depth) == count
