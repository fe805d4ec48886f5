"""The core and the reference agree: on every legal move, every way, every position after it and every result."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tablemen import Outcome, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.numbering import Playable
from tablemen.draughts.rules import Criterion, Direction
from tests import reference, strategies
from tests.reference.captures import capture_ways

if TYPE_CHECKING:
    from tests.reference import Place, Step

FEW_WAYS, MANY_WAYS = 400, 10_000  # captures that the reference is asked to list


def kings_first(rules: DraughtsRules) -> DraughtsRules:
    """The rules with nothing but the order of captured kings to prefer one capture to another."""
    return replace(rules, precedence=(Criterion.KINGS_FIRST,), king_captures=Direction.ALL)


def lone_pieces_lose(rules: DraughtsRules) -> DraughtsRules:
    """The rules with an end to games that have hardly any pieces left."""
    return replace(rules, lone_piece_loses=True, breakthrough=False)


def check(position: Position, most_ways: int = FEW_WAYS) -> None:
    """Compare everything; positions with too many captures for the patient reference are left out."""
    judged = reference.from_core(position)
    assume(len(list(islice(capture_ways(judged), most_ways + 1))) <= most_ways)
    assert reference.to_core(judged) == position
    assert position.outcome() == reference.outcome(judged)
    check_moves(position, judged)
    check_routes(position, judged)


def stops_late(position: Position, route: reference.Route) -> bool:
    """Whether a piece that goes straight on has not stood directly behind the piece captured before."""
    for start, landing, onward, victim in zip(route.path, route.path[1:], route.path[2:], route.captured, strict=False):
        heading = toward(start, landing)
        step = 2 if position.variant.playable is Playable.ONE_COLOUR and 0 in heading else 1
        directly_behind = (victim[0] + step * heading[0], victim[1] + step * heading[1])
        if heading == toward(landing, onward) and landing != directly_behind:
            return True
    return False


def toward(start: Place, end: Place) -> Step:
    """The direction from one place to another: a row and a column at most."""
    return sign(end[0] - start[0]), sign(end[1] - start[1])


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


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
    for move in position.legal_moves():
        route = reference.route_from_core(move)
        assert route in expected, "a move's path is not one of its paths"
        assert not stops_late(position, route)


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=40)
@given(st.data())
def test_variant(name: str, data: st.DataObject) -> None:
    check(data.draw(strategies.positions(st.just(VARIANTS[name]))))


@settings(max_examples=400)
@given(strategies.edited_positions(strategies.custom_rules()))
def test_edited_boards_under_rules_of_ones_own(position: Position) -> None:
    check(position)


@settings(max_examples=200)
@given(strategies.edited_positions(strategies.custom_rules().map(kings_first), (strategies.long_captures,)))
def test_order_of_captured_kings(position: Position) -> None:
    check(position)


@settings(max_examples=200)
@given(strategies.edited_positions(strategies.custom_rules(), (strategies.crowning_captures,)))
def test_captures_at_the_far_row(position: Position) -> None:
    check(position)


@settings(max_examples=200)
@given(strategies.edited_positions(strategies.custom_rules().map(lone_pieces_lose), (strategies.few_pieces,)))
def test_lone_pieces(position: Position) -> None:
    check(position)


@settings(max_examples=100)
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
@settings(max_examples=4000)
@given(strategies.positions())
def test_many_positions(position: Position) -> None:
    check(position, MANY_WAYS)
