"""The core and the reference implementation agree on legal moves, paths, positions and results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablemen import Outcome, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.rules import Criterion, Direction, KingLanding, Removal
from tests import reference, strategies
from tests.reference.agreement import check_agreement, has_few_captures

FEW, MANY = 1_000, 4_000  # maximum number of captures that the slow reference lists


def kings_first(rules: DraughtsRules) -> DraughtsRules:
    """Return the rules with KINGS_FIRST as the only criterion of precedence."""
    return replace(rules, precedence=(Criterion.KINGS_FIRST,), king_captures=Direction.ALL)


def short_kings(rules: DraughtsRules) -> DraughtsRules:
    """Return the rules with short kings that capture in all directions."""
    changed = replace(rules, reverse_captures=False, king_landing=KingLanding.ANY, king_captures=Direction.ALL)
    return replace(changed, flying_kings=False, breakthrough=False)


def lone_pieces_lose(rules: DraughtsRules) -> DraughtsRules:
    """Return the rules with a loss for a side that is left with one piece."""
    return replace(rules, lone_piece_loses=True, breakthrough=False)


def check(position: Position, maximum: int = FEW) -> None:
    """Compare core and reference, unless there are more captures than the maximum."""
    assume(has_few_captures(position, maximum))
    check_agreement(position)


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=25)
@given(st.data())
def test_variant(name: str, data: st.DataObject) -> None:
    check(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=250)
@given(strategies.edited_positions(strategies.custom_rules()))
def test_edited_positions_under_custom_rules(position: Position) -> None:
    check(position)


@settings(max_examples=125)
@given(strategies.edited_positions(strategies.custom_rules().map(kings_first), (strategies.long_captures,)))
def test_order_of_captured_kings(position: Position) -> None:
    check(position)


@settings(max_examples=200)
@given(strategies.edited_positions(strategies.custom_rules().map(short_kings), (strategies.short_captures,)))
def test_short_captures(position: Position) -> None:
    check(position)


def test_short_king_captures_in_a_circle_in_either_direction() -> None:
    # Both directions are the same move, no matter when the captured pieces are removed.
    for removal in Removal:
        rules = replace(VARIANTS["english"], name="custom", removal=removal)
        position = Position.from_fen("W:WK10:B7,8,15,16", rules)
        check_agreement(position)
        assert (position.perft(1), position.perft(1, paths=True)) == (1, 2)


@settings(max_examples=125)
@given(strategies.edited_positions(strategies.custom_rules(), (strategies.crowning_captures,)))
def test_captures_at_the_far_row(position: Position) -> None:
    check(position)


@settings(max_examples=125)
@given(strategies.edited_positions(strategies.custom_rules().map(lone_pieces_lose), (strategies.few_pieces,)))
def test_lone_piece_loses(position: Position) -> None:
    check(position)


@given(strategies.custom_rules())
def test_start_under_custom_rules(rules: DraughtsRules) -> None:
    assert reference.from_core(Position.start(rules)) == reference.start_position(rules)


@settings(max_examples=60)
@given(strategies.played_positions(strategies.custom_rules()))
def test_played_positions_under_custom_rules(position: Position) -> None:
    check(position)


@pytest.mark.parametrize(
    ("fen", "changes", "expected"),
    [
        ("W:W28:B3", {}, None),
        ("W:W:B3", {}, Outcome(Side.BLACK, Termination.NO_PIECES)),
        ("W:W:B3", {"losing": True}, Outcome(Side.WHITE, Termination.NO_PIECES)),
        ("W:W28,33:B3", {"lone_piece_loses": True}, Outcome(Side.WHITE, Termination.LONE_PIECE)),
        ("W:W28:B3,4", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        # One piece against one: the side to move loses. No piece against one: the side without pieces loses.
        ("W:W28:B3", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:W:B3", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.NO_PIECES)),
        # Under `losing`, these two rules stay as they are.
        ("W:W28:B3", {"lone_piece_loses": True, "losing": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:W28:BK3", {"lone_man_loses_to_king": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("B:W28:BK3", {"lone_man_loses_to_king": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:WK28:BK3", {"lone_man_loses_to_king": True}, None),
        ("W:W28:B3", {"lone_man_loses_to_king": True}, None),
        # The side that has just moved is checked first.
        ("W:WK28:BK3", {"breakthrough": True}, Outcome(Side.BLACK, Termination.BREAKTHROUGH)),
        ("W:WK28:B3", {"breakthrough": True}, Outcome(Side.WHITE, Termination.BREAKTHROUGH)),
        ("W:WK28:B3", {"breakthrough": True, "lone_piece_loses": True}, Outcome(Side.WHITE, Termination.BREAKTHROUGH)),
    ],
)
def test_outcome(fen: str, changes: dict[str, Any], expected: Outcome | None) -> None:
    position = Position.from_fen(fen, replace(VARIANTS["international"], name="custom", **changes))
    expected_position = reference.from_core(position)
    assert reference.outcome(expected_position) == expected
    assert position.outcome() == expected
    assert bool(position.legal_moves()) == bool(reference.legal_moves(expected_position)) == (expected is None)


@pytest.mark.slow
@settings(max_examples=2000)
@given(strategies.positions())
def test_many_positions(position: Position) -> None:
    check(position, MANY)
