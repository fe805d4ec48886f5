"""Boards of the Kalah Game Protocol."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.draughts import Position as Draughts
from tablemen.mancala import OWARE, SOUTH, VARIANTS, KalahRules, Position, Swap
from tablemen.protocols.kgp.board import Board, find_obstacle, parse_board
from tests.protocols.kgp.strategies import boards

KGP = VARIANTS["kgp"]


@given(boards())
def test_reading_undoes_writing(board: Board) -> None:
    assert parse_board(str(board)) == (board, len(str(board)))


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_the_mover_is_south(seed: int, plies: int) -> None:
    chance, position = Random(seed), Position.start(KGP)
    for _ in range(plies):
        if position.outcome() is None:
            position = position.play(chance.choice(position.legal_moves()))
    board = Board.of(position)
    assert (board.south_store, board.north_store) == (
        position.stores[position.turn],
        position.stores[position.turn.opponent],
    )
    assert (board.south, board.north) == (position.houses(position.turn), position.houses(position.turn.opponent))
    assert board.seeds == 48
    assert isinstance(KGP, KalahRules)
    turned = board.position(KGP)
    assert turned.turn is SOUTH
    assert [move.house for move in turned.legal_moves()] == [move.house for move in position.legal_moves()]


@pytest.mark.parametrize(
    ("text", "rules", "houses"),
    [
        ("<2,0,0,1,1,1,1>", "kgp", [1, 2]),
        ("<2,9,0,1,1,1,1>", "open_spiel", [1, 2]),  # more than half of the seeds
        ("<2,0,0,1,1,0,0>", "kalah", [1, 2]),  # North has none
    ],
)
def test_a_state_that_other_rules_take_as_the_end_is_played_on(text: str, rules: str, houses: list[int]) -> None:
    position = parse_board(text)[0].playable()
    assert position is not None
    assert position.variant.name == rules
    assert [move.house for move in position.legal_moves()] == houses


def test_a_state_without_seeds_for_south_cannot_be_played() -> None:
    assert parse_board("<2,0,0,0,0,1,1>")[0].playable() is None


def test_what_the_protocol_cannot_ask_about() -> None:
    assert find_obstacle(Position.start("kalah")) is None
    assert "swap" in str(find_obstacle(Position.start(KalahRules(name="pie", swap=Swap.PIE))))
    assert "Kalah family" in str(find_obstacle(Position.start(OWARE)))
    assert "Kalah family" in str(find_obstacle(Draughts.start("english")))
