"""The core and the reference agree: on every legal move, every way, every position after it and every result."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablemen.draughts import VARIANTS, Position
from tests import reference, strategies
from tests.reference.captures import capture_ways

FEW_WAYS, MANY_WAYS = 400, 10_000  # captures that the reference is asked to list


def check(position: Position, most_ways: int = FEW_WAYS) -> None:
    """Compare everything; positions with too many captures for the patient reference are left out."""
    judged = reference.from_core(position)
    assume(len(list(islice(capture_ways(judged), most_ways + 1))) <= most_ways)
    assert reference.to_core(judged) == position
    assert position.outcome() == reference.outcome(judged)
    check_moves(position, judged)
    check_routes(position, judged)


def check_moves(position: Position, judged: reference.ReferencePosition) -> None:
    moves = {reference.move_from_core(move): move for move in position.legal_moves()}
    assert len(moves) == len(position.legal_moves()), "a move is listed twice"
    assert set(moves) == reference.legal_moves(judged)
    for expected, move in moves.items():
        assert position.is_legal(move)
        after, judged_after = position.play(move), reference.play(judged, expected)
        assert reference.from_core(after) == judged_after
        # Set up anew it is the same position, with the same key.
        again = reference.to_core(judged_after)
        assert (after, hash(after), after.hash_key) == (again, hash(again), again.hash_key)
        assert position.play_unchecked(move) == after


def check_routes(position: Position, judged: reference.ReferencePosition) -> None:
    expected = reference.legal_routes(judged)
    routes = [reference.route_from_core(move) for move in position.legal_moves(paths=True)]
    assert len(set(routes)) == len(routes), "a path is listed twice"
    assert set(routes) == expected
    chosen = {reference.route_from_core(move) for move in position.legal_moves()}
    assert chosen <= expected, "a move's path is not one of its paths"


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=40)
@given(st.data())
def test_variant(name: str, data: st.DataObject) -> None:
    check(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=400)
@given(strategies.edited_positions(strategies.custom_rules()))
def test_edited_boards_under_rules_of_ones_own(position: Position) -> None:
    check(position)


@settings(max_examples=100)
@given(strategies.played_positions(strategies.custom_rules()))
def test_play_under_rules_of_ones_own(position: Position) -> None:
    check(position)


@pytest.mark.slow
@settings(max_examples=4000)
@given(strategies.positions())
def test_many_positions(position: Position) -> None:
    check(position, MANY_WAYS)
