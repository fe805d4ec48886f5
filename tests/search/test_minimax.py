"""Without pruning the search equals minimax, and with pruning it misses no short win."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tablemen import Game, mancala
from tablemen.draughts import VARIANTS, Position
from tablemen.search import Limit, Score, Searcher
from tests import strategies
from tests.mancala import strategies as mancala_strategies
from tests.reference.minimax import AnyGame, Value, minimax, move_values

MAX_LEAVES = 600  # maximum number of leaves that the minimax search in Python visits
FILTERS_MUCH = (HealthCheck.filter_too_much,)


def to_value(score: Score) -> Value:
    """Return the score as a minimax value, rounded to hundredths."""
    if score.plies is None:
        assert math.isfinite(score.value)
        return Value(0, round(score.value, 2))
    assert math.isinf(score.value)
    assert score.exact
    return Value(1, -score.plies) if score.value > 0 else Value(-1, score.plies)


def feasible_depth(position: Any, maximum: int = 3) -> int:
    """Return the depth that the minimax search can reach in reasonable time, or 0."""
    depth = 0
    while depth < maximum and position.perft(depth + 1) <= MAX_LEAVES:
        depth += 1
    return depth


def rounded_evaluation(searcher: Searcher) -> Callable[[Any], float]:
    return lambda position: round(searcher.evaluate(position), 2)


def check_agreement(searcher: Searcher, game: AnyGame, depth: int) -> None:
    """Check that the score is the minimax value, and the move one of the best."""
    values = move_values(game, depth, rounded_evaluation(searcher))
    best = max(values.values())
    result = searcher.choose(game, Limit(depth=depth))
    assert to_value(result.score) == best, f"{game!r} to depth {depth}"
    assert values[result.move] == best, f"{game!r} to depth {depth}: {result.move}"


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=6, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_draughts_without_pruning_is_minimax(name: str, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(strategies.by_name([VARIANTS[name]])))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = data.draw(st.integers(0, feasible_depth(position)))
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=30, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_custom_rules_without_pruning_are_minimax(data: st.DataObject) -> None:
    position = data.draw(strategies.positions(strategies.custom_rules()))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = feasible_depth(position)
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=30, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_a_deeper_search_of_few_pieces_is_minimax(data: st.DataObject) -> None:
    """Search deep enough to use aspiration windows, which are widened if they fail."""
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.few_pieces]))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = feasible_depth(position, 7)
    assume(depth >= 4)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@pytest.mark.parametrize("name", mancala.VARIANTS)
@settings(max_examples=6, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_mancala_without_pruning_is_minimax(name: str, data: st.DataObject) -> None:
    position = data.draw(mancala_strategies.positions(st.just(mancala.VARIANTS[name])))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    check_agreement(Searcher(pruning=False, table_mb=1), game, data.draw(st.integers(1, feasible_depth(position, 4))))


@settings(max_examples=30, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_a_filled_table_does_not_change_values(data: st.DataObject) -> None:
    """Search to several depths with one table, so that it has entries of other positions and depths."""
    searcher = Searcher(pruning=False, table_mb=1)
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.few_pieces]))
    game: AnyGame = Game(position)
    assume(game.outcome() is None and feasible_depth(position) > 1)
    for depth in (feasible_depth(position), 1, 2):
        check_agreement(searcher, game, depth)
    game.push(data.draw(st.sampled_from(game.legal_moves())))
    if game.outcome() is None:
        check_agreement(searcher, game, 1)


@settings(max_examples=30, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_repetitions_are_scored_as_in_minimax(data: st.DataObject) -> None:
    """Move kings at random, and prefer moves that repeat a position."""
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.kings_only]))
    game: AnyGame = Game(position)
    for _ in range(data.draw(st.integers(0, 12))):
        if moves := game.legal_moves():
            back = [move for move in moves if game.position.play(move) in game.positions]
            game.push(data.draw(st.sampled_from(back or moves)))
    assume(game.outcome() is None)
    depth = feasible_depth(game.position)
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=80, suppress_health_check=FILTERS_MUCH)
@given(data=st.data())
def test_pruning_misses_no_short_win(data: st.DataObject) -> None:
    position = data.draw(strategies.edited_positions(strategies.variants()))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = feasible_depth(position)
    assume(depth)
    searcher = Searcher(table_mb=1)
    best = minimax(game, depth, rounded_evaluation(searcher))
    assume(best.result)
    result = searcher.choose(game, Limit(depth=depth + 2, nodes=100_000))
    assert to_value(result.score) == best, repr(game)


# The minimax search itself


def test_minimax_visits_every_leaf_once() -> None:
    position = Position.start("english")
    seen: list[Position] = []

    def count(leaf: Position) -> float:
        seen.append(leaf)
        return 0.0

    assert minimax(Game(position), 3, count) == Value(0, 0)
    assert len(seen) == position.perft(3)


def zero(_position: object) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("variant", "fen", "value"),
    [
        ("english", "B:W32:BK23", Value(0, 0)),
        ("english", "B:W18:BK14", Value(1, -1)),  # the king captures the last man
        ("english", "W:W29:BK30", Value(-1, 2)),  # the only move lets the man be captured
        ("antidraughts", "W:W33:B28", Value(-1, 1)),  # capturing the last man is compulsory, and loses
    ],
)
def test_minimax_counts_plies_to_the_end(variant: str, fen: str, value: Value) -> None:
    assert minimax(Game(Position.from_fen(fen, variant)), 3, zero) == value


def seven(_position: object) -> float:
    return 7.0


def test_minimax_scores_a_repetition_as_a_draw() -> None:
    game: AnyGame = Game(Position.from_fen("W:WK1:BK46,K47", "killer"), ["1-7", "46-41", "7-1"])
    # A position of the searched line needs one repetition, a position of the game before it needs two.
    values = move_values(game, 1, seven, root=0)
    assert {str(move) for move, value in values.items() if value == Value(0, 0)} == {"41-46"}
    assert set(values.values()) == {Value(0, 0), Value(0, -7)}
    assert set(move_values(game, 1, seven).values()) == {Value(0, -7)}


def test_minimax_scores_drawn_material_as_a_draw() -> None:
    position = Position.from_fen("W:WK46:BK6,28", "international")
    assert set(move_values(Game(position), 1, seven).values()) == {Value(0, 0)}


def test_minimax_claims_draws() -> None:
    game: AnyGame = Game(Position.from_fen("B:WK29,K32:BK1,K4", "english"), ["1-6", "32-27", "6-1", "27-32"] * 2)
    assert game.outcome() is None
    assert game.claims()
    game.pop()
    assert move_values(game, 1, seven)[game.position.parse_move("27-32")] == Value(0, 0)


def test_minimax_handles_extra_turns() -> None:
    position = mancala.Position.start("kalah")
    values = move_values(Game(position), 1, lambda leaf: leaf.stores[leaf.turn] - leaf.stores[leaf.turn.opponent])
    assert values == {move: Value(0, 1 if move.house >= 3 else 0) for move in position.legal_moves()}
