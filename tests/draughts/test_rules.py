"""Rules as values, and what makes them nonsense."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from tablemen import InvalidRulesError, Side
from tablemen.draughts import ENGLISH, INTERNATIONAL, DraughtsRules, Position
from tablemen.draughts.board import Corner, Notation
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": " "}, "name is empty"),
        ({"columns": 3}, "columns is 3, not 4 to 32"),
        ({"rows": 33}, "rows is 33, not 4 to 32"),
        ({"start_rows": -1}, "cannot be negative"),
        ({"start_rows": 5, "start_gap": 1}, "do not fit on 10 rows"),
        ({"capture_separator": "y"}, "capture_separator is 'y'"),
        ({"notation": Notation.ALGEBRAIC, "columns": 27}, "letters for 26 columns"),
        ({"notation": Notation.ALGEBRAIC_VERTICAL, "rows": 27}, "letters for 26 rows"),
        ({"man_moves": Direction.SIDEWAYS}, "man_moves has no forward direction"),
        ({"man_captures": Direction(0)}, "man_captures is empty"),
        ({"king_moves": Direction(0)}, "king_moves is empty"),
        ({"king_captures": Direction(0)}, "king_captures is empty"),
        ({"flying_kings": False, "king_landing": KingLanding.BEHIND_EACH}, "'behind each' is for flying kings"),
        ({"reverse_captures": True}, "reverse_captures needs flying kings and removal at once"),
        ({"reverse_captures": True, "flying_kings": False, "removal": Removal.AT_ONCE}, "reverse_captures needs"),
        ({"king_move_limit": 256}, "king_move_limit is 256"),
        ({"precedence": (Criterion.MOST_KINGS, Criterion.MOST_KINGS)}, "contains a criterion twice"),
        ({"precedence": (Criterion.KINGS_FIRST, Criterion.MOST_PIECES)}, "must come last"),
        ({"precedence": (MostValue(man=0, king=1),)}, "needs whole values from 1"),
        ({"precedence": (MostValue(man=1, king=65_536),)}, "needs whole values from 1 to 65535"),
        ({"precedence": (MostValue(man=1.5, king=2),)}, "needs whole values"),  # type: ignore[arg-type]
        ({"precedence": (MostValue(man=1, king="2"),)}, "needs whole values"),  # type: ignore[arg-type]
        ({"breakthrough": True, "losing": True}, "breakthrough and losing contradict each other"),
        ({"name": 3}, "name is 3, not of type str"),
        ({"columns": True}, "columns is True, not of type int"),
        ({"losing": 1}, "losing is 1, not of type bool"),
        ({"game_type": "20"}, "game_type is '20', not of type int"),
        ({"promotion": "stops"}, "promotion is 'stops', not of type Promotion"),
        ({"playable": "all"}, "playable is 'all', not of type Playable"),
        ({"first_square": 1}, "first_square is 1, not of type Corner"),
        ({"man_moves": 130}, "man_moves is 130, not of type Direction"),
        ({"precedence": [Criterion.MOST_PIECES]}, "precedence is .*, not of type tuple"),
        ({"precedence": ("most pieces",)}, "precedence has 'most pieces', not a Criterion"),
        ({"aliases": ("mine", 3)}, "aliases has 3, not a str"),
    ],
)
def test_nonsense_is_refused_and_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidRulesError, match=problem) as caught:
        replace(INTERNATIONAL, **{"name": "mine"} | changes)
    assert len(caught.value.problems) == 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.name, again.problems) == (caught.value.name, caught.value.problems)


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(InvalidRulesError) as caught:
        replace(INTERNATIONAL, name="mine", columns=2, rows=50, capture_separator="")
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(
    ("columns", "rows", "start_rows"), [(4, 4, 1), (32, 32, 12), (4, 32, 3), (32, 4, 1), (10, 8, 3), (11, 7, 2)]
)
def test_any_board_can_be_played_on(columns: int, rows: int, start_rows: int) -> None:
    position = Position.start(replace(INTERNATIONAL, name="mine", columns=columns, rows=rows, start_rows=start_rows))
    assert position.perft(2) == sum(position.play(move).perft(1) for move in position.legal_moves())
    assert position.perft(1) > 0


def test_rules_are_frozen_values() -> None:
    same = replace(INTERNATIONAL)
    assert same == INTERNATIONAL
    assert hash(same) == hash(INTERNATIONAL)
    assert replace(same, losing=True) != INTERNATIONAL
    with pytest.raises(FrozenInstanceError):
        same.losing = True  # type: ignore[misc]


def test_rules_travel_without_their_mover() -> None:
    rules = replace(ENGLISH, name="mine", promotion=Promotion.IN_FLIGHT)
    assert rules.mover is rules.mover
    again: DraughtsRules = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert Position.start(again) == Position.start(rules)


def test_the_tag_in_full() -> None:
    tags = {
        rules.game_type_tag
        for rules in (
            INTERNATIONAL,
            ENGLISH,
            replace(ENGLISH, name="mine", first=Side.WHITE, first_square=Corner.TOP_RIGHT, corner_playable=False),
            replace(INTERNATIONAL, name="mine", game_type=None),
        )
    }
    assert tags == {"20,W,10,10,N2,0", "21,B,8,8,N1,0", "21,W,8,8,N3,1", None}
