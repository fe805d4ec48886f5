"""The error messages of the exercises, in a golden file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Side
from tablemen.exercises import Kalah, allowed_moves, is_legal_move, valid_turns
from tests.exercises.boards import START_GRID, START_ROWS
from tests.golden import check_errors


@pytest.mark.golden
def test_error_messages() -> None:
    wrong: Any = 5
    arguments = {
        "square": lambda: is_legal_move([6, 33], [9], 9, 2),
        "squares": lambda: is_legal_move("67", [9], 9, 2),  # type: ignore[arg-type]
        "board of valid_turns": lambda: valid_turns(wrong, Side.WHITE),
        "player": lambda: valid_turns(START_GRID, wrong),
        "board of allowed_moves": lambda: allowed_moves(wrong, "b"),
        "size of allowed_moves": lambda: allowed_moves(["___"] * 3, "b"),
        "row": lambda: allowed_moves([wrong, *START_ROWS[1:]], "b"),
        "color": lambda: allowed_moves(START_ROWS, "black"),
        "start of Kalah": lambda: Kalah("oware"),
        "robots": lambda: Kalah(robots=wrong),
        "robot": lambda: Kalah(robots=[wrong]),
    }
    check_errors(
        Path(__file__).with_name("error_messages.txt"),
        {name: (ArgumentError, call) for name, call in arguments.items()},
    )
