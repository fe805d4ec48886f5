"""What a position promises as a value: equality, squares, errors with their facts, random games."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest
from hypothesis import given

from tablemen import IllegalMoveError, InvalidPositionError, Side, TablemenError
from tablemen.draughts import VARIANTS, Kind, Move, Piece, Position, Square
from tests.strategies import positions

START = Position.start("international")


@pytest.mark.parametrize(
    "other",
    [
        Position.start("killer"),
        Position.from_fen(START.fen().replace("W:W31", "B:W31"), "international"),
        Position.from_fen("W:W31:B1", "international"),
        START.fen(),
        None,
    ],
)
def test_other_positions_and_other_things_are_not_equal(other: object) -> None:
    assert other != START


def test_equality_looks_at_quiet_king_moves() -> None:
    texts = [f"W:WK28,31:B1,K6{runs}" for runs in ("", ":+0+228", ":+0+328", ":+16+328")]
    assert len({Position.from_fen(text, "frisian") for text in texts}) == len(texts)


def test_a_position_is_a_key() -> None:
    first, second = START.legal_moves()[:2]
    counted = {START.play(first): 1, START.play(second): 2}
    assert counted[Position.from_fen(START.play(second).fen(), 20)] == 2


@given(positions())
def test_pieces_stand_on_their_squares(position: Position) -> None:
    found = {square: position.piece_at(square) for square in position.variant.mover.squares}
    for side in Side:
        for kind in Kind:
            squares = position.squares(side, kind)
            assert all(type(square) is Square for square in squares)
            assert list(squares) == sorted(squares)
            assert set(squares) == {square for square, piece in found.items() if piece == Piece(side, kind)}


@pytest.mark.parametrize("square", [22, "22", "c3", "C3", " c3 "])
def test_a_square_goes_by_number_and_name(square: int | str) -> None:
    assert Position.from_fen("W:Wc3:B", "russian").piece_at(square) == Piece(Side.WHITE, Kind.MAN)


@pytest.mark.parametrize("square", [0, 51, -1, 10**30, "a1", "", "x"])
def test_no_such_square(square: int | str) -> None:
    with pytest.raises(TablemenError, match="no square"):
        START.piece_at(square)
    with pytest.raises(InvalidPositionError, match="no square"):
        Position("international", Side.WHITE, white_men=[square])


def test_all_that_is_wrong_with_a_board_is_said_at_once() -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position("international", Side.WHITE, white_men=[1, 1, 99], black_kings=[1])
    assert len(caught.value.problems) == 3
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("squares", ["12", 12])
def test_squares_are_given_one_by_one(squares: Any) -> None:
    with pytest.raises(TypeError):
        Position("international", Side.WHITE, white_men=squares)


@pytest.mark.parametrize(
    ("runs", "problem"),
    [
        ({Side.WHITE: (28, 4)}, "28 has 4 quiet moves, not 1 to 3"),
        ({Side.WHITE: (28, 0)}, "28 has 0 quiet moves, not 1 to 3"),
        ({Side.WHITE: (31, 1)}, "no king on 31"),
        ({Side.BLACK: (28, 1)}, "no king on 28"),
        ({Side.WHITE: (99, 1)}, "no square 99"),
    ],
)
def test_quiet_king_moves_need_their_king(runs: dict[Side, tuple[int, int]], problem: str) -> None:
    with pytest.raises(InvalidPositionError, match=problem):
        Position("frisian", Side.WHITE, white_men=[31], white_kings=[28], black_men=[1], king_runs=runs)


def test_quiet_king_moves_are_for_games_that_limit_them() -> None:
    with pytest.raises(InvalidPositionError, match="does not limit"):
        Position("international", Side.WHITE, white_kings=[28], king_runs={Side.WHITE: (28, 1)})
    with pytest.raises(TypeError, match="expected a square and a number"):
        Position("frisian", Side.WHITE, white_kings=[28], king_runs={Side.WHITE: 28})  # type: ignore[dict-item]


@given(positions())
def test_playing_gives_a_new_position_and_checks(position: Position) -> None:
    before = position.fen()
    for move in position.legal_moves()[:3]:
        assert position.is_legal(move)
        after = position.play(move)
        assert after == position.play_unchecked(move)
        assert (after.turn, position.fen()) == (position.turn.opponent, before)


def test_an_illegal_move_is_refused_with_the_facts() -> None:
    move = Move("international", [31, 22])
    assert not START.is_legal(move)
    with pytest.raises(IllegalMoveError, match=r"\(31, 22\)\) is not legal in") as caught:
        START.play(move)
    assert (caught.value.move, caught.value.position) == (move, START)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.move, again.position) == (move, START)


def test_a_move_of_another_variant_is_never_played() -> None:
    move = Position.start("killer").legal_moves()[0]
    assert not START.is_legal(move)
    for play in (START.play, START.play_unchecked):
        with pytest.raises(IllegalMoveError):
            play(move)


def test_any_way_of_a_legal_capture_is_legal() -> None:
    position = Position.from_fen("W:W14:B8,9,18,19", "international")
    first, second = position.legal_moves(paths=True)
    assert first.path != second.path
    assert first == second
    assert hash(first) == hash(second)
    assert position.play(first) == position.play(second)


@pytest.mark.parametrize(
    ("path", "captured"), [([], []), ([31], []), ([31, 27, 22], []), ([31, 22], [27, 18]), ([31, 22, 13], [27])]
)
def test_a_move_has_a_square_more_than_it_captures(path: list[int], captured: list[int]) -> None:
    with pytest.raises(TablemenError, match="square"):
        Move("international", path, captured)


@pytest.mark.parametrize(("path", "captured"), [("32", ()), ([31, 22], "27")])
def test_a_text_is_no_way_of_a_move(path: Any, captured: Any) -> None:
    with pytest.raises(TypeError, match="expected squares, not the text"):
        Move("international", path, captured)


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games_follow_the_seed(name: str) -> None:
    start = Position.start(name)
    games = start.random_playouts(20, seed=3)
    assert games == start.random_playouts(20, seed=3, threads=2)
    assert games != start.random_playouts(20, seed=4)
    assert len(games.results) == len(games.lengths) == 20
    assert all(
        result is not None or length == 1000 for result, length in zip(games.results, games.lengths, strict=True)
    )


@pytest.mark.parametrize("threads", [0, 1025, 2**70])
def test_threads_are_a_number_that_a_system_can_give(threads: int) -> None:
    for work in (START.perft, START.divide, partial(START.random_playouts, seed=1)):
        with pytest.raises(TablemenError, match=r"threads is .*, not 1 to 1024"):
            work(1, threads=threads)


def test_random_games_end() -> None:
    assert START.random_playouts(3, seed=1, longest=5) == ((None,) * 3, (5,) * 3)
    over = Position.from_fen("B:W28:B", "international")
    assert over.random_playouts(2, seed=1) == ((Side.WHITE,) * 2, (0, 0))
    assert START.random_playouts(0, seed=1) == ((), ())
