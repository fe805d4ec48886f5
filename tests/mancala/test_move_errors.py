"""Why a house cannot be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablemen.mancala import KALAH, OWARE, GrandSlam, Position, Swap
from tablemen.mancala.moves import explain_illegal

PIE = replace(KALAH, name="pie", swap=Swap.PIE)
FORBIDDEN = replace(OWARE, name="forbidden", grand_slam=GrandSlam.FORBIDDEN)


@pytest.mark.parametrize(
    ("text", "house", "objection"),
    [
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", 1, None),
        ("<6,3,3,0,4,4,4,4,4,4,4,4,4,4,2> south", 1, "house 1 is empty"),
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", 7, "there is no house 7: they are 1 to 6"),
        ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south", 0, "sides cannot be swapped now"),
        ("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", 1, "the game is over: "),
    ],
)
def test_kalah(text: str, house: int, objection: str | None) -> None:
    found = explain_illegal(Position.from_text(text, KALAH), house)
    assert found == objection if objection is None else found is not None and found.startswith(objection)


def test_the_swap() -> None:
    first = Position.start(PIE)
    assert explain_illegal(first, 0) == "sides cannot be swapped now"
    assert explain_illegal(first.play(first.parse_move("1")), 0) is None


def test_oware_feeds_an_opponent_without_seeds() -> None:
    position = Position.from_text("<6,20,20,1,0,0,0,1,6,0,0,0,0,0,0> south", OWARE)
    assert explain_illegal(position, 1) == "North has no seeds and must be given some: play 6"
    assert explain_illegal(position, 6) is None


def test_a_forbidden_grand_slam() -> None:
    position = Position.from_text("<6,20,20,2,0,0,0,0,2,1,1,0,0,0,0> south", FORBIDDEN)
    assert explain_illegal(position, 6) == "house 6 would capture all seeds of North, which is forbidden"
    assert explain_illegal(position, 1) is None
