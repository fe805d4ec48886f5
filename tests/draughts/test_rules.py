"""Rules as values, and problems of invalid rules."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from tablemen import InvalidRulesError, Side
from tablemen.draughts import ENGLISH, INTERNATIONAL, DraughtsRules, Position
from tablemen.draughts.board import Corner, Notation
from tablemen.draughts.rules import Criterion, Direction, KingLanding, MostValue, Promotion, Removal

INVALID_RULES: list[dict[str, Any]] = [
    {"name": " "},
    {"columns": 3},
    {"rows": 33},
    {"start_rows": -1},
    {"start_rows": 5, "start_gap": 1},
    {"capture_separator": "y"},
    {"notation": Notation.ALGEBRAIC, "columns": 27},
    {"notation": Notation.ALGEBRAIC_VERTICAL, "rows": 27},
    {"man_moves": Direction.SIDEWAYS},
    {"man_captures": Direction(0)},
    {"king_moves": Direction(0)},
    {"king_captures": Direction(0)},
    {"flying_kings": False, "king_landing": KingLanding.BEHIND_EACH},
    {"reverse_captures": True},
    {"reverse_captures": True, "flying_kings": False, "removal": Removal.AT_ONCE},
    {"king_move_limit": 256},
    {"precedence": (Criterion.MOST_KINGS, Criterion.MOST_KINGS)},
    {"precedence": (Criterion.KINGS_FIRST, Criterion.MOST_PIECES)},
    {"precedence": (MostValue(man=0, king=1),)},
    {"precedence": (MostValue(man=1, king=65_536),)},
    {"precedence": (MostValue(man=1.5, king=2),)},  # type: ignore[arg-type]
    {"precedence": (MostValue(man=1, king="2"),)},  # type: ignore[arg-type]
    {"breakthrough": True, "losing": True},
    {"name": 3},
    {"columns": True},
    {"losing": 1},
    {"game_type": "20"},
    {"promotion": "stops"},
    {"playable": "all"},
    {"first_square": 1},
    {"man_moves": 130},
    {"precedence": [Criterion.MOST_PIECES]},
    {"precedence": ("most pieces",)},
    {"aliases": ("mine", 3)},
]


@pytest.mark.parametrize("changes", INVALID_RULES)
def test_invalid_field_is_one_problem(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidRulesError) as caught:
        replace(INTERNATIONAL, **{"name": "mine"} | changes)
    assert len(caught.value.problems) == 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.name, again.problems) == (caught.value.name, caught.value.problems)


def test_error_lists_all_problems() -> None:
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


def test_rules_are_immutable_values() -> None:
    same = replace(INTERNATIONAL)
    assert same == INTERNATIONAL
    assert hash(same) == hash(INTERNATIONAL)
    assert replace(same, losing=True) != INTERNATIONAL
    with pytest.raises(FrozenInstanceError):
        same.losing = True  # type: ignore[misc]


def test_rules_are_pickled_without_their_mover() -> None:
    rules = replace(ENGLISH, name="mine", promotion=Promotion.IN_FLIGHT)
    assert rules.mover is rules.mover
    again: DraughtsRules = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert Position.start(again) == Position.start(rules)


def test_full_game_type_tag() -> None:
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
