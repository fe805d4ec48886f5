"""The core and the reference agree: on every legal move, every way, every position after it and every result."""

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

FEW, MANY = 1_000, 4_000  # flights and ways of captures that the reference is asked to list


def kings_first(rules: DraughtsRules) -> DraughtsRules:
    """The rules with nothing but the order of captured kings to prefer one capture to another."""
    return replace(rules, precedence=(Criterion.KINGS_FIRST,), king_captures=Direction.ALL)


def short_kings(rules: DraughtsRules) -> DraughtsRules:
    """The rules with kings that jump as men do, only in more directions."""
    changed = replace(rules, reverse_captures=False, king_landing=KingLanding.ANY, king_captures=Direction.ALL)
    return replace(changed, flying_kings=False, breakthrough=False)


def lone_pieces_lose(rules: DraughtsRules) -> DraughtsRules:
    """The rules with an end to games that have hardly any pieces left."""
    return replace(rules, lone_piece_loses=True, breakthrough=False)


def check(position: Position, most: int = FEW) -> None:
    """Compare everything; positions with more captures than the patient reference is to list are left out."""
    assume(has_few_captures(position, most))
    check_agreement(position)


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=25)
@given(st.data())
def test_variant(name: str, data: st.DataObject) -> None:
    check(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=250)
@given(strategies.edited_positions(strategies.custom_rules()))
def test_edited_boards_under_rules_of_ones_own(position: Position) -> None:
    check(position)


@settings(max_examples=125)
@given(strategies.edited_positions(strategies.custom_rules().map(kings_first), (strategies.long_captures,)))
def test_order_of_captured_kings(position: Position) -> None:
    check(position)


@settings(max_examples=200)
@given(strategies.edited_positions(strategies.custom_rules().map(short_kings), (strategies.short_captures,)))
def test_short_captures(position: Position) -> None:
    check(position)


def test_a_short_king_that_goes_round_either_way() -> None:
    # It comes back from two sides to where it was: that is one move, whenever the captured pieces leave the board.
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
def test_lone_pieces(position: Position) -> None:
    check(position)


@given(strategies.custom_rules())
def test_start_under_rules_of_ones_own(rules: DraughtsRules) -> None:
    assert reference.from_core(Position.start(rules)) == reference.start_position(rules)


@settings(max_examples=60)
@given(strategies.played_positions(strategies.custom_rules()))
def test_play_under_rules_of_ones_own(position: Position) -> None:
    check(position)


@pytest.mark.parametrize(
    ("fen", "changes", "expected"),
    [
        ("W:W28:B3", {}, None),
        ("W:W:B3", {}, Outcome(Side.BLACK, Termination.NO_PIECES)),
        ("W:W:B3", {"losing": True}, Outcome(Side.WHITE, Termination.NO_PIECES)),
        ("W:W28,33:B3", {"lone_piece_loses": True}, Outcome(Side.WHITE, Termination.LONE_PIECE)),
        ("W:W28:B3,4", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        # One against one: the side to move has lost. One against none: nothing is less than one.
        ("W:W28:B3", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:W:B3", {"lone_piece_loses": True}, Outcome(Side.BLACK, Termination.NO_PIECES)),
        # Losing is the aim, but not by these two rules.
        ("W:W28:B3", {"lone_piece_loses": True, "losing": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:W28:BK3", {"lone_man_loses_to_king": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("B:W28:BK3", {"lone_man_loses_to_king": True}, Outcome(Side.BLACK, Termination.LONE_PIECE)),
        ("W:WK28:BK3", {"lone_man_loses_to_king": True}, None),
        ("W:W28:B3", {"lone_man_loses_to_king": True}, None),
        # The side that has just moved is looked at first.
        ("W:WK28:BK3", {"breakthrough": True}, Outcome(Side.BLACK, Termination.BREAKTHROUGH)),
        ("W:WK28:B3", {"breakthrough": True}, Outcome(Side.WHITE, Termination.BREAKTHROUGH)),
        ("W:WK28:B3", {"breakthrough": True, "lone_piece_loses": True}, Outcome(Side.WHITE, Termination.BREAKTHROUGH)),
    ],
)
def test_ending(fen: str, changes: dict[str, Any], expected: Outcome | None) -> None:
    position = Position.from_fen(fen, replace(VARIANTS["international"], name="custom", **changes))
    judged = reference.from_core(position)
    assert reference.outcome(judged) == expected
    assert position.outcome() == expected
    assert bool(position.legal_moves()) == bool(reference.legal_moves(judged)) == (expected is None)


@pytest.mark.slow
@settings(max_examples=2000)
@given(strategies.positions())
def test_many_positions(position: Position) -> None:
    check(position, MANY)
