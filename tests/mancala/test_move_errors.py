"""Explanations why a house cannot be played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from tablemen import IllegalMoveError
from tablemen.mancala import KALAH, OWARE, GrandSlam, Move, Position, Swap
from tablemen.mancala.moves import explain_illegal
from tests.golden import check_golden
from tests.mancala import strategies

PIE = replace(KALAH, name="pie", swap=Swap.PIE)
FORBIDDEN = replace(OWARE, name="forbidden", grand_slam=GrandSlam.FORBIDDEN)
START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south"
HUNGRY = Position.from_text("<6,20,20,1,0,0,0,1,6,0,0,0,0,0,0> south", OWARE)
GRAND_SLAM = Position.from_text("<6,20,20,2,0,0,0,0,2,1,1,0,0,0,0> south", FORBIDDEN)


@pytest.mark.parametrize(
    ("text", "house", "is_legal"),
    [
        (START, 1, True),
        ("<6,3,3,0,4,4,4,4,4,4,4,4,4,4,2> south", 1, False),
        (START, 7, False),
        (START, 0, False),
        ("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", 1, False),
    ],
)
def test_illegal_moves_are_explained(text: str, house: int, *, is_legal: bool) -> None:
    assert (explain_illegal(Position.from_text(text, KALAH), house) is None) == is_legal


def test_a_swap_is_legal_only_for_the_second_player() -> None:
    first = Position.start(PIE)
    assert explain_illegal(first, 0) is not None
    assert explain_illegal(first.play(first.parse_move("1")), 0) is None


def test_an_opponent_without_seeds_must_be_fed() -> None:
    assert explain_illegal(HUNGRY, 1) is not None
    assert explain_illegal(HUNGRY, 6) is None


def test_a_grand_slam_may_be_forbidden() -> None:
    assert explain_illegal(GRAND_SLAM, 6) is not None
    assert explain_illegal(GRAND_SLAM, 1) is None


@settings(max_examples=40)
@given(strategies.positions())
def test_exactly_the_illegal_moves_have_a_reason(position: Position) -> None:
    legal = {move.house for move in position.legal_moves()}
    for house in range(position.variant.houses + 1):
        text = str(house) if house else "swap"
        explanation = explain_illegal(position, house)
        assert (explanation is None) == (house in legal)
        assert position.explain_illegal(text) == explanation
        if house:
            assert position.explain_illegal(Move(position.variant, house)) == explanation
        if explanation is not None:
            with pytest.raises(IllegalMoveError) as caught:
                position.parse_move(text)
            assert caught.value.reason == explanation


def test_a_move_of_other_rules_has_a_reason() -> None:
    assert Position.start("kalah").explain_illegal(Move("oware", 1)) == "it is a move of Oware Abapa, not of Kalah"


@pytest.mark.golden
def test_explanations() -> None:
    start = Position.from_text(START, KALAH)
    cases = {
        "empty house": (Position.from_text("<6,3,3,0,4,4,4,4,4,4,4,4,4,4,2> south", KALAH), 1),
        "unknown house": (start, 7),
        "swap": (start, 0),
        "swap of the first player": (Position.start(PIE), 0),
        "finished game": (Position.from_text("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", KALAH), 1),
        "hungry opponent": (HUNGRY, 1),
        "grand slam": (GRAND_SLAM, 6),
    }
    texts = {name: str(explain_illegal(position, house)) for name, (position, house) in cases.items()}
    check_golden(Path(__file__).with_name("illegal_moves.txt"), texts)
