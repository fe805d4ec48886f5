"""The robot rule, beside the transcripts that show its reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablemen import GameOverError
from tablemen.mancala import KALAH, Position, Swap
from tablemen.mancala.moves import choose_robot_move


def test_it_never_swaps() -> None:
    first = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    second = first.play(first.parse_move("1"))
    assert any(move.is_swap for move in second.legal_moves())
    assert not choose_robot_move(second).move.is_swap


def test_it_has_nothing_to_choose_when_the_game_is_over() -> None:
    with pytest.raises(GameOverError):
        choose_robot_move(Position.from_text("<6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south", KALAH))
