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

MOST_LEAVES = 600  # of a tree that Python walks through
MANY_DO_NOT_FIT = (HealthCheck.filter_too_much,)


def value_of(score: Score) -> Value:
    """Return the score as a minimax value, rounded to hundredths."""
    if score.plies is None:
        assert math.isfinite(score.value)
        return Value(0, round(score.value, 2))
    assert math.isinf(score.value)
    assert score.exact
    return Value(1, -score.plies) if score.value > 0 else Value(-1, score.plies)


def depth_for(position: Any, deepest: int = 3) -> int:
    """Return the depth that Python can search in reasonable time, or 0."""
    depth = 0
    while depth < deepest and position.perft(depth + 1) <= MOST_LEAVES:
        depth += 1
    return depth


def rounded(searcher: Searcher) -> Callable[[Any], float]:
    return lambda position: round(searcher.evaluate(position), 2)


def check_agreement(searcher: Searcher, game: AnyGame, depth: int) -> None:
    """Check that the value is that of minimax, and the move one of the best."""
    values = move_values(game, depth, rounded(searcher))
    best = max(values.values())
    result = searcher.choose(game, Limit(depth=depth))
    assert value_of(result.score) == best, f"{game!r} to depth {depth}"
    assert values[result.move] == best, f"{game!r} to depth {depth}: {result.move}"


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=6, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_draughts_without_pruning_is_minimax(name: str, data: st.DataObject) -> None:
    position = data.draw(strategies.positions(strategies.by_name([VARIANTS[name]])))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = data.draw(st.integers(0, depth_for(position)))
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=30, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_custom_rules_without_pruning_are_minimax(data: st.DataObject) -> None:
    position = data.draw(strategies.positions(strategies.custom_rules()))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = depth_for(position)
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=30, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_a_few_pieces_are_searched_deeper(data: st.DataObject) -> None:
    """Deep enough for aspiration windows, which are widened after a wrong guess."""
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.few_pieces]))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = depth_for(position, 7)
    assume(depth >= 4)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@pytest.mark.parametrize("name", mancala.VARIANTS)
@settings(max_examples=6, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_mancala_without_pruning_is_minimax(name: str, data: st.DataObject) -> None:
    position = data.draw(mancala_strategies.positions(st.just(mancala.VARIANTS[name])))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    check_agreement(Searcher(pruning=False, table_mb=1), game, data.draw(st.integers(1, depth_for(position, 4))))


@settings(max_examples=30, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_a_filled_table_does_not_change_values(data: st.DataObject) -> None:
    """Entries of other positions or deeper searches change nothing."""
    searcher = Searcher(pruning=False, table_mb=1)
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.few_pieces]))
    game: AnyGame = Game(position)
    assume(game.outcome() is None and depth_for(position) > 1)
    for depth in (depth_for(position), 1, 2):
        check_agreement(searcher, game, depth)
    game.push(data.draw(st.sampled_from(game.legal_moves())))
    if game.outcome() is None:
        check_agreement(searcher, game, 1)


@settings(max_examples=30, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_the_history_counts_as_in_minimax(data: st.DataObject) -> None:
    """Kings move around, and some moves repeat positions."""
    position = data.draw(strategies.edited_positions(strategies.variants(), [strategies.kings_only]))
    game: AnyGame = Game(position)
    for _ in range(data.draw(st.integers(0, 12))):
        if moves := game.legal_moves():
            back = [move for move in moves if game.position.play(move) in game.positions]
            game.push(data.draw(st.sampled_from(back or moves)))
    assume(game.outcome() is None)
    depth = depth_for(game.position)
    assume(depth)
    check_agreement(Searcher(pruning=False, table_mb=1), game, depth)


@settings(max_examples=80, suppress_health_check=MANY_DO_NOT_FIT)
@given(data=st.data())
def test_a_short_forced_result_is_found_with_pruning_too(data: st.DataObject) -> None:
    position = data.draw(strategies.edited_positions(strategies.variants()))
    game: AnyGame = Game(position)
    assume(game.outcome() is None)
    depth = depth_for(position)
    assume(depth)
    searcher = Searcher(table_mb=1)
    best = minimax(game, depth, rounded(searcher))
    assume(best.result)
    result = searcher.choose(game, Limit(depth=depth + 2, nodes=100_000))
    assert value_of(result.score) == best, repr(game)


# The judge itself


def test_minimax_visits_every_leaf_once() -> None:
    position = Position.start("english")
    seen: list[Position] = []

    def count(leaf: Position) -> float:
        seen.append(leaf)
        return 0.0

    assert minimax(Game(position), 3, count) == Value(0, 0)
    assert len(seen) == position.perft(3)


def nothing(_position: object) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("variant", "fen", "value"),
    [
        ("english", "B:W32:BK23", Value(0, 0)),
        ("english", "B:W18:BK14", Value(1, -1)),  # it takes the last man
        ("english", "W:W29:BK30", Value(-1, 2)),  # its one move is to where it is captured
        ("antidraughts", "W:W33:B28", Value(-1, 1)),  # it has to take the last man, and that loses
    ],
)
def test_minimax_counts_plies_to_the_end(variant: str, fen: str, value: Value) -> None:
    assert minimax(Game(Position.from_fen(fen, variant)), 3, nothing) == value


def seven(_position: object) -> float:
    return 7.0


def test_minimax_takes_a_repetition_for_a_draw() -> None:
    game: AnyGame = Game(Position.from_fen("W:WK1:BK46,K47", "killer"), ["1-7", "46-41", "7-1"])
    # As part of the line once more is enough; what stood there before it, must have done so twice.
    values = move_values(game, 1, seven, root=0)
    assert {str(move) for move, value in values.items() if value == Value(0, 0)} == {"41-46"}
    assert set(values.values()) == {Value(0, 0), Value(0, -7)}
    assert set(move_values(game, 1, seven).values()) == {Value(0, -7)}


def test_minimax_knows_drawn_material() -> None:
    position = Position.from_fen("W:WK46:BK6,28", "international")
    assert set(move_values(Game(position), 1, seven).values()) == {Value(0, 0)}


def test_minimax_claims_what_can_be_claimed() -> None:
    game: AnyGame = Game(Position.from_fen("B:WK29,K32:BK1,K4", "english"), ["1-6", "32-27", "6-1", "27-32"] * 2)
    assert game.outcome() is None
    assert game.claims()
    game.pop()
    assert move_values(game, 1, seven)[game.position.parse_move("27-32")] == Value(0, 0)


def test_minimax_lets_a_side_move_again() -> None:
    position = mancala.Position.start("kalah")
    values = move_values(Game(position), 1, lambda leaf: leaf.stores[leaf.turn] - leaf.stores[leaf.turn.opponent])
    assert values == {move: Value(0, 1 if move.house >= 3 else 0) for move in position.legal_moves()}
