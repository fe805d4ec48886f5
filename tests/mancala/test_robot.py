"""The robot rule; transcripts check its moves and reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablemen import GameOverError
from tablemen.mancala import KALAH, Position, Swap
from tablemen.mancala.moves import choose_robot_move


def test_the_robot_never_swaps_sides() -> None:
    first = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    second = first.play(first.parse_move("1"))
    assert any(move.is_swap for move in second.legal_moves())
    assert not choose_robot_move(second).move.is_swap


def test_a_finished_game_is_an_error() -> None:
    with pytest.raises(GameOverError):
        choose_robot_move(Position.from_text("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", KALAH))
