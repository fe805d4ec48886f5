"""The way of the seeds, judged by the board that the mover leaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tablemen.mancala import KALAH, Position, Swap
from tablemen.mancala.moves import Pit, trace
from tablemen.outcome import Side
from tests.mancala.strategies import positions


def lie(position: Position) -> Counter[Pit]:
    """The seeds of every pit."""
    pits = {Pit(side, house): seeds for side in Side for house, seeds in enumerate(position.houses(side), 1)}
    return Counter(pits | {Pit(side, 0): seeds for side, seeds in position.stores.items()})


@given(positions(), st.data())
def test_a_move_without_a_capture_changes_the_board_by_its_seeds_alone(position: Position, data: st.DataObject) -> None:
    moves = [move for move in position.legal_moves() if not move.captured and not move.is_swap]
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    sown = lie(position)
    sown[Pit(position.turn, move.house)] = 0
    sown.update(trace(position, move))
    after = position.play(move)
    if after.outcome() is None:  # else what is left may have been brought home
        assert sown == lie(after)


@given(positions())
def test_all_seeds_are_sown(position: Position) -> None:
    for move in position.legal_moves():
        assert len(trace(position, move)) == move.sown


def test_swapped_sides_sow_nothing() -> None:
    start = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    after = start.play(start.parse_move("1"))
    assert trace(after, after.parse_move("swap")) == ()
