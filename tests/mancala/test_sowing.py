"""The pits that a move sows, compared with the board after the move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tablemen.mancala import KALAH, Position, Swap
from tablemen.mancala.moves import Pit, trace
from tablemen.outcome import Side
from tests.mancala.strategies import positions


def count_seeds(position: Position) -> Counter[Pit]:
    """Return the number of seeds in each pit."""
    pits = {Pit(side, house): seeds for side in Side for house, seeds in enumerate(position.houses(side), 1)}
    return Counter(pits | {Pit(side, 0): seeds for side, seeds in position.stores.items()})


@given(positions(), st.data())
def test_a_move_without_a_capture_only_sows_seeds(position: Position, data: st.DataObject) -> None:
    moves = [move for move in position.legal_moves() if not move.captured and not move.is_swap]
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    sown = count_seeds(position)
    sown[Pit(position.turn, move.house)] = 0
    sown.update(trace(position, move))
    after = position.play(move)
    if after.outcome() is None:  # at the end, remaining seeds may move to a store
        assert sown == count_seeds(after)


@given(positions())
def test_every_seed_is_sown(position: Position) -> None:
    for move in position.legal_moves():
        assert len(trace(position, move)) == move.sown


def test_a_swap_sows_no_seeds() -> None:
    start = Position.start(replace(KALAH, name="pie", swap=Swap.PIE))
    after = start.play(start.parse_move("1"))
    assert trace(after, after.parse_move("swap")) == ()
