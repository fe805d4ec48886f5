"""Disputed rules, and rules that programs often get wrong, each on its own board."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from tablemen import Outcome, Side, Termination
from tablemen.mancala import KALAH, NORTH, OWARE, SOUTH, Capture, End, GrandSlam, MancalaRules, Position, Rest, Swap

THREE = replace(KALAH, name="three", houses=3, seeds=2)
EVEN_IF_EMPTY = replace(THREE, capture=Capture.EVEN_IF_OPPOSITE_EMPTY)
EITHER = replace(THREE, end=End.EITHER_EMPTY)
MAJORITY = replace(THREE, end=End.EITHER_EMPTY_OR_MAJORITY)
PIE = replace(THREE, swap=Swap.PIE)
OWARE_THREE = replace(OWARE, name="oware of three", houses=3)


class Case(NamedTuple):
    """A move and its result, with boards as in `Position.text`."""

    rules: MancalaRules
    before: str
    house: int
    after: str
    captured: int = 0
    extra_turn: bool = False


CASES = {
    "seeds are sown one by one": Case(
        KALAH, "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", 1, "<6,0,0,0,5,5,5,5,4,4,4,4,4,4,4> north"
    ),
    "the own store is sown": Case(
        KALAH, "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> north", 5, "<6,0,1,5,5,4,4,4,4,4,4,4,4,0,5> south"
    ),
    "a last seed in the store gives an extra turn": Case(
        KALAH, "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", 3, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> south", extra_turn=True
    ),
    "South skips the store of North": Case(THREE, "<3,0,7,1,1,5,1,1,1> south", 3, "<3,1,7,2,1,0,2,2,2> north"),
    "North skips the store of South": Case(THREE, "<3,7,0,1,1,1,1,1,6> north", 3, "<3,7,1,2,2,2,2,2,0> south"),
    "a lap that ends in the emptied house captures": Case(
        THREE, "<3,0,0,1,7,1,1,1,1> south", 2, "<3,4,0,2,0,2,2,0,2> north", captured=3
    ),
    "more than a lap sows the emptied house": Case(THREE, "<3,0,0,1,8,1,1,1,1> south", 2, "<3,1,0,2,1,3,2,2,2> north"),
    "two laps": Case(THREE, "<3,0,0,14,0,0,0,0,0> south", 1, "<3,2,0,2,2,2,2,2,2> north"),
    "a last seed in an empty own house captures": Case(
        THREE, "<3,0,0,1,0,2,1,5,1> south", 1, "<3,6,0,0,0,2,1,0,1> north", captured=6
    ),
    "North captures too": Case(THREE, "<3,0,0,1,2,3,1,0,1> north", 1, "<3,0,3,1,0,3,0,0,1> south", captured=3),
    "seeds opposite are captured after sowing": Case(
        THREE, "<3,0,0,0,2,5,1,1,0> south", 3, "<3,3,0,0,2,0,2,2,0> north", captured=2
    ),
    "no capture opposite an empty house": Case(THREE, "<3,0,0,1,0,2,1,0,1> south", 1, "<3,0,0,0,1,2,1,0,1> north"),
    "capture of the last seed alone": Case(
        EVEN_IF_EMPTY, "<3,0,0,1,0,2,1,0,1> south", 1, "<3,1,0,0,0,2,1,0,1> north", captured=1
    ),
    "no capture in the opponent's empty house": Case(
        THREE, "<3,0,0,1,3,2,0,0,1> south", 3, "<3,1,0,1,3,0,1,0,1> north"
    ),
    "no capture in an own house with seeds": Case(THREE, "<3,0,0,1,1,2,1,4,1> south", 1, "<3,0,0,0,2,2,1,4,1> north"),
    # Oware
    "Oware does not sow stores": Case(OWARE_THREE, "<3,5,5,1,1,3,4,4,4> south", 3, "<3,5,5,1,1,0,5,5,5> north"),
    "Oware does not sow the emptied house": Case(
        OWARE_THREE, "<3,5,5,1,1,7,4,4,4> south", 3, "<3,5,5,2,2,0,6,6,5> north"
    ),
    "Oware skips the emptied house in a second lap": Case(
        OWARE_THREE, "<3,9,9,0,0,10,0,0,0> south", 3, "<3,9,9,2,2,0,2,2,2> north"
    ),
    "two seeds are captured": Case(
        OWARE_THREE, "<3,0,0,1,1,1,1,4,4> south", 3, "<3,2,0,1,1,0,0,4,4> north", captured=2
    ),
    "three seeds are captured": Case(
        OWARE_THREE, "<3,0,0,1,1,1,2,4,4> south", 3, "<3,3,0,1,1,0,0,4,4> north", captured=3
    ),
    "four seeds are not captured": Case(OWARE_THREE, "<3,0,0,1,1,1,3,4,4> south", 3, "<3,0,0,1,1,0,4,4,4> north"),
    "twos and threes before it are captured": Case(
        OWARE_THREE, "<3,0,0,1,1,2,1,2,4> south", 3, "<3,5,0,1,1,0,0,0,4> north", captured=5
    ),
    "another number ends the capture": Case(
        OWARE_THREE, "<3,0,0,1,1,3,1,4,2> south", 3, "<3,3,0,1,1,0,2,5,0> north", captured=3
    ),
    "no capture in own houses": Case(OWARE_THREE, "<3,0,0,1,1,0,9,9,9> south", 1, "<3,0,0,0,2,0,9,9,9> north"),
    "North captures in Oware": Case(
        OWARE_THREE, "<3,0,0,2,9,9,0,0,1> north", 3, "<3,0,3,0,9,9,0,0,0> south", captured=3
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_moves(name: str) -> None:
    case = CASES[name]
    position = Position.from_text(case.before, case.rules)
    move = position.parse_move(str(case.house))
    after = position.play(move)
    assert after.text() == case.after
    assert (move.house, move.captured, move.extra_turn) == (case.house, case.captured, case.extra_turn)
    assert move.sown == position.houses(position.turn)[case.house - 1]


@pytest.mark.parametrize(
    ("rules", "text", "outcome"),
    [
        # The player to move has no seeds; the remaining seeds belong to the owner of the houses.
        (THREE, "<3,5,1,0,0,0,2,2,2> south", Outcome(NORTH, Termination.NO_SEEDS)),
        (THREE, "<3,6,0,0,0,0,2,2,2> south", Outcome(None, Termination.NO_SEEDS)),
        (THREE, "<3,5,1,0,0,0,2,2,2> north", None),
        (replace(THREE, rest=Rest.NOT_COUNTED), "<3,5,1,0,0,0,2,2,2> south", Outcome(SOUTH, Termination.NO_SEEDS)),
        (THREE, "<3,12,0,0,0,0,0,0,0> north", Outcome(SOUTH, Termination.NO_SEEDS)),
        # Either side has no seeds.
        (EITHER, "<3,5,1,0,0,0,2,2,2> north", Outcome(NORTH, Termination.NO_SEEDS)),
        (EITHER, "<3,5,1,0,0,1,2,2,1> north", None),
        (EITHER, "<3,7,4,0,0,1,0,0,0> south", Outcome(SOUTH, Termination.NO_SEEDS)),
        # More than half of the seeds, and exactly half
        (MAJORITY, "<3,7,2,1,0,0,2,0,0> south", Outcome(SOUTH, Termination.MAJORITY)),
        (MAJORITY, "<3,2,7,1,0,0,2,0,0> south", Outcome(NORTH, Termination.MAJORITY)),
        (MAJORITY, "<3,6,3,1,0,0,2,0,0> south", None),
        (EITHER, "<3,7,2,1,0,0,2,0,0> south", None),
        # Oware: no seeds, no legal move, more than half of the seeds
        (OWARE_THREE, "<3,9,9,0,0,0,4,1,1> south", Outcome(NORTH, Termination.NO_SEEDS)),
        (OWARE_THREE, "<3,11,10,1,2,0,0,0,0> south", None),
        (OWARE_THREE, "<3,10,12,1,1,0,0,0,0> south", Outcome(None, Termination.NO_MOVE)),
        (OWARE_THREE, "<3,13,9,1,1,0,0,0,0> south", Outcome(SOUTH, Termination.MAJORITY)),
        (replace(OWARE_THREE, majority_ends=False), "<3,13,9,1,0,0,1,0,0> south", None),
        (OWARE_THREE, "<3,12,12,0,0,0,0,0,0> south", Outcome(None, Termination.NO_SEEDS)),
    ],
)
def test_outcomes(rules: MancalaRules, text: str, outcome: Outcome | None) -> None:
    position = Position.from_text(text, rules)
    assert position.outcome() == outcome
    assert bool(position.legal_moves()) == (outcome is None)


def test_a_game_can_end_after_an_extra_turn() -> None:
    position = Position.from_text("<3,5,0,0,0,1,2,2,2> south", THREE)
    (move,) = position.legal_moves()
    assert move.extra_turn
    after = position.play(move)
    assert (after.turn, after.legal_moves()) == (SOUTH, ())
    assert after.outcome() == Outcome(None, Termination.NO_SEEDS)
    assert after.score() == {SOUTH: 6, NORTH: 6}


def test_remaining_seeds_count_or_not() -> None:
    text = "<3,5,1,0,0,0,2,2,2> south"
    assert Position.from_text(text, THREE).score() == {SOUTH: 5, NORTH: 7}
    assert Position.from_text(text, replace(THREE, rest=Rest.NOT_COUNTED)).score() == {SOUTH: 5, NORTH: 1}


def test_an_opponent_without_seeds_must_be_fed() -> None:
    text = "<3,10,10,2,1,1,0,0,0> south"
    assert [move.house for move in Position.from_text(text, OWARE_THREE).legal_moves()] == [3]
    free = replace(OWARE_THREE, must_feed=False)
    assert [move.house for move in Position.from_text(text, free).legal_moves()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("grand_slam", "after"),
    [
        (GrandSlam.NO_CAPTURE, "<3,5,5,2,1,0,2,3,0> north"),
        (GrandSlam.CAPTURES, "<3,10,5,2,1,0,0,0,0> north"),
        (GrandSlam.REST_TO_OPPONENT, "<3,10,8,0,0,0,0,0,0> north"),
        (GrandSlam.FORBIDDEN, None),
    ],
)
def test_grand_slam_rules(grand_slam: GrandSlam, after: str | None) -> None:
    rules = replace(OWARE_THREE, grand_slam=grand_slam)
    position = Position.from_text("<3,5,5,2,1,2,1,2,0> south", rules)
    moves = {move.house: move for move in position.legal_moves()}
    if after is None:
        assert list(moves) == [1, 2]
    else:
        assert position.play(moves[3]).text() == after
        assert moves[3].captured == (0 if grand_slam is GrandSlam.NO_CAPTURE else 5)


def test_a_capture_that_leaves_a_seed_is_not_a_grand_slam() -> None:
    rules = replace(OWARE_THREE, grand_slam=GrandSlam.FORBIDDEN)
    position = Position.from_text("<3,5,5,2,1,2,1,2,1> south", rules)
    assert position.parse_move("3").captured == 5


def test_the_second_player_may_swap_at_its_first_turn_only() -> None:
    start = Position.start(PIE)
    assert start.swap_open
    assert not any(move.is_swap for move in start.legal_moves())
    second = start.play(start.parse_move("1"))
    assert [str(move) for move in second.legal_moves()] == ["1", "2", "3", "swap"]
    without_swap = second.play(second.parse_move("1"))
    assert not without_swap.swap_open
    swapped = second.play(second.parse_move("swap"))
    assert swapped.text() == "<3,0,0,2,2,2,0,3,3> south"
    assert second.text() == "<3,0,0,0,3,3,2,2,2> north swap"


def test_a_swap_is_possible_after_an_extra_turn_of_the_first_player() -> None:
    start = Position.start(PIE)
    extra_turn = start.play(start.parse_move("2"))
    assert (extra_turn.turn, extra_turn.swap_open) == (Side.WHITE, True)
    second = extra_turn.play(extra_turn.parse_move("1"))
    assert second.legal_moves()[-1].is_swap


def test_a_finished_game_has_no_swap() -> None:
    over = Position(PIE, NORTH, houses={SOUTH: [1, 1, 1], NORTH: [0, 0, 0]}, swap_open=True)
    assert over.legal_moves() == ()
