"""Positions as values: equality, seeds, errors and random games."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import IllegalMoveError, InvalidPositionError, Outcome, Side, TablemenError, Termination, mancala
from tablemen.mancala import KALAH, NORTH, SOUTH, VARIANTS, Move, Position, Swap
from tablemen.mancala.rules import Cycle
from tablemen.testing import check_position
from tests.mancala import strategies

START = Position.start("kalah")
PIE = replace(KALAH, name="pie", swap=Swap.PIE)
NAMES = {**vars(mancala), "Cycle": Cycle, "Termination": Termination}


@settings(max_examples=60)
@given(strategies.positions())
def test_positions_pass_the_general_checks(position: Position) -> None:
    check_position(position, plies=0, names=NAMES)


@pytest.mark.parametrize("name", VARIANTS)
def test_start_positions_pass_the_general_checks(name: str) -> None:
    check_position(Position.start(name), plies=2)


def test_a_position_has_houses_stores_and_a_score() -> None:
    position = Position(
        "kalah", NORTH, houses={SOUTH: [1, 2, 3, 4, 5, 6], NORTH: (6, 5, 4, 3, 2, 1)}, stores={SOUTH: 7}
    )
    assert (position.houses(SOUTH), position.houses(NORTH)) == ((1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1))
    assert (position.stores, position.turn, position.swap_open) == ({SOUTH: 7, NORTH: 0}, NORTH, False)
    assert position.score() == {SOUTH: 28, NORTH: 21}
    assert position.variant is KALAH


@pytest.mark.parametrize(
    "other",
    [
        Position.start("kgp"),
        Position.from_text(START.text().replace("south", "north"), "kalah"),
        Position.from_text(START.text().replace("0,0", "1,0"), "kalah"),
        Position.from_text(START.text().replace("0,0", "0,1"), "kalah"),
        START.text(),
        None,
    ],
)
def test_different_positions_are_not_equal(other: object) -> None:
    assert other != START


def test_equality_includes_an_open_swap() -> None:
    closed = Position.from_text(START.text(), PIE)
    assert closed != Position.start(PIE)
    assert hash(closed) != hash(Position.start(PIE))


def test_moves_are_equal_by_variant_and_house() -> None:
    assert Move("kalah", 3) == START.parse_move("3") == Move("kalah", 3, sown=9, captured=2)
    assert hash(Move("kalah", 3)) == hash(START.parse_move("3"))
    assert Move("kalah", 3) != Move("kgp", 3)
    assert Move("kalah", 3) != Move("kalah", 2)
    assert Move("kalah", 3) != 3
    assert repr(Move(PIE, 0)).endswith(", 0)")
    assert Move(PIE, 0).is_swap


@pytest.mark.parametrize("house", [-1, 0, 7, 2**70])
def test_a_house_must_be_on_the_board(house: int) -> None:
    with pytest.raises(TablemenError, match="house"):
        Move("kalah", house)


def test_playing_an_illegal_move_is_an_error() -> None:
    position = START.play(START.parse_move("3"))
    for play in (position.play, position.play_unchecked):
        with pytest.raises(IllegalMoveError) as caught:
            play(Move("kalah", 3))
        assert (caught.value.move, caught.value.position) == (Move("kalah", 3), position)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert not position.is_legal(Move("kalah", 3))


def test_a_move_of_another_variant_is_not_legal() -> None:
    for move in (Move("kgp", 1), Move(replace(KALAH, name="wide", houses=9), 9)):
        assert not START.is_legal(move)
        for play in (START.play, START.play_unchecked):
            with pytest.raises(IllegalMoveError):
                play(move)


@given(strategies.positions())
def test_unchecked_moves_lead_to_the_same_positions(position: Position) -> None:
    for move in position.legal_moves():
        assert position.is_legal(move)
        assert position.play(move) == position.play_unchecked(move)


@pytest.mark.parametrize(
    ("houses", "stores", "fact"),
    [
        ({SOUTH: [4] * 5, NORTH: [4] * 6}, {}, "south has 5 houses"),
        ({SOUTH: [4] * 6, NORTH: [4] * 7}, {}, "north has 7 houses"),
        ({SOUTH: [4, 4, -1, 4, 4, 4], NORTH: [4] * 6}, {}, "house 3 of south has -1 seeds"),
        ({SOUTH: [4] * 6, NORTH: [4, 2**80, 4, 4, 4, 4]}, {}, "house 2 of north has"),
        ({SOUTH: [4] * 6, NORTH: [4] * 6}, {NORTH: -2}, "store of north has -2 seeds"),
        ({SOUTH: [4] * 6, NORTH: [4] * 6}, {NORTH: 65_500}, "65548 seeds"),
    ],
)
def test_invalid_numbers_of_houses_or_seeds(houses: dict[Side, list[int]], stores: dict[Side, int], fact: str) -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position("kalah", SOUTH, houses=houses, stores=stores)
    (problem,) = caught.value.problems
    assert fact in problem


def test_all_problems_of_a_board_are_reported() -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position("kalah", SOUTH, houses={SOUTH: [4], NORTH: [-1] * 6}, stores={SOUTH: -1}, swap_open=True)
    assert len(caught.value.problems) == 9


@pytest.mark.parametrize(
    "options",
    [
        {"houses": {SOUTH: "444444", NORTH: [4] * 6}},
        {"houses": {SOUTH: 4}},
        {"houses": {SOUTH: [4.5] * 6}},
        {"houses": {"south": [4] * 6}},
        {"houses": {}, "stores": {SOUTH: None}},
    ],
)
def test_houses_and_stores_must_have_the_right_types(options: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Position("kalah", SOUTH, **options)


def test_large_numbers_of_seeds_do_not_overflow() -> None:
    rules = replace(KALAH, name="full", houses=1, seeds=32_767)
    position = Position.start(rules)
    assert position.perft(3) > 0
    (move,) = position.legal_moves()
    assert sum((sum(position.play(move).score().values()), move.sown)) == 65_534 + 32_767
    packed = Position.from_text("<7,255,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0> south", replace(KALAH, name="seven", houses=7))
    assert (packed.score(), packed.legal_moves()) == ({SOUTH: 255, NORTH: 0}, ())
    wide = Position.from_text("<7,0,0,0,0,0,0,0,0,256,0,0,0,0,0,0,0> south", packed.variant)
    assert sum(wide.play(wide.parse_move("7")).score().values()) == 256


@settings(max_examples=25)
@given(strategies.rule_sets(), st.integers(-(2**70), 2**70))
def test_random_games_depend_only_on_the_seed(rules: Any, seed: int) -> None:
    start = Position.start(rules)
    games = start.random_playouts(40, seed=seed, max_plies=300)
    assert games == start.random_playouts(40, seed=seed, threads=2, max_plies=300)
    assert games.results[:7] == start.random_playouts(7, seed=seed, max_plies=300).results
    assert len(games.results) == len(games.lengths) == 40
    shortest = 0 if start.outcome() else 1  # some custom rules have no legal first move
    assert all(shortest <= length <= 300 for length in games.lengths)


@pytest.mark.parametrize("threads", [0, 1025, 2**70])
def test_an_invalid_number_of_threads_is_an_error(threads: int) -> None:
    for work in (START.perft, START.divide, partial(START.random_playouts, seed=1)):
        with pytest.raises(TablemenError, match=r"threads.*1024"):
            work(1, threads=threads)


def test_results_of_random_games() -> None:
    games = START.random_playouts(500, seed=1)
    assert len(set(games.lengths)) > 20
    assert set(games.results) == {SOUTH, NORTH, None}
    assert START.random_playouts(500, seed=2) != games
    assert START.random_playouts(3, seed=1, max_plies=5) == ((None,) * 3, (5,) * 3)
    assert START.random_playouts(0, seed=1) == ((), ())
    over = Position.from_text("<6,24,0,0,0,0,0,0,0,4,4,4,4,4,3> south", "kalah")
    assert over.random_playouts(2, seed=1) == ((SOUTH,) * 2, (0, 0))
    last = Position.from_text("<6,24,23,0,0,0,0,0,1,0,0,0,0,0,0> south", "kalah")
    assert last.random_playouts(2, seed=1, max_plies=1) == ((SOUTH,) * 2, (1, 1))


def test_hash_keys_depend_on_seeds_and_not_on_rules() -> None:
    assert {START.hash_key, Position.start("kgp").hash_key} == {START.hash_key}
    keys = {position.hash_key for position in (START, *(START.play(move) for move in START.legal_moves()))}
    assert len(keys) == 7


def test_random_games_without_a_seed_differ() -> None:
    assert START.random_playouts(50) != START.random_playouts(50)


@settings(max_examples=40)
@given(strategies.positions())
def test_replace_with_the_same_seeds_is_the_same_position(position: Position) -> None:
    houses = {side: position.houses(side) for side in Side}
    empty = Position(position.variant, position.turn, houses={})
    assert empty.replace(houses=houses, stores=position.stores, swap_open=position.swap_open) == position
    assert position.replace() == position
    assert position.replace(turn=position.turn.opponent).replace(turn=position.turn) == position


def test_replace_changes_the_given_side_only() -> None:
    changed = START.replace(turn=NORTH, houses={NORTH: [1, 2, 3, 4, 5, 6]}, stores={SOUTH: 7})
    assert changed.text() == "<6,7,0,4,4,4,4,4,4,1,2,3,4,5,6> north"
    with pytest.raises(InvalidPositionError) as caught:
        START.replace(houses={SOUTH: [1, 2]}, stores={NORTH: -1}, swap_open=True)
    assert len(caught.value.problems) == 3


@settings(max_examples=40)
@given(strategies.positions())
def test_mirrored_positions_have_the_same_moves(position: Position) -> None:
    if position.swap_open:
        with pytest.raises(TablemenError, match="swapped"):
            position.mirror()
        position = position.replace(swap_open=False)
    image = position.mirror()
    assert image.mirror() == position
    assert image.turn is position.turn.opponent
    assert [move.house for move in image.legal_moves()] == [move.house for move in position.legal_moves()]
    assert image.score() == {side.opponent: score for side, score in position.score().items()}
    for move, mirrored in zip(position.legal_moves(), image.legal_moves(), strict=True):
        assert image.play(mirrored) == position.play(move).mirror()
    ending, mirrored_ending = position.outcome(), image.outcome()
    assert (ending is None) == (mirrored_ending is None)
    if ending is not None and mirrored_ending is not None:
        winner = None if ending.winner is None else ending.winner.opponent
        assert mirrored_ending == Outcome(winner, ending.termination)
