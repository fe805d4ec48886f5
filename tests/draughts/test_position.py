"""Positions as values: equality, squares, moves, errors and random games."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings

from tablemen import ArgumentError, IllegalMoveError, InvalidPositionError, Side, TablemenError
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
def test_other_positions_and_other_types_are_not_equal(other: object) -> None:
    assert other != START


def test_equality_compares_quiet_king_moves() -> None:
    texts = [f"W:WK28,31:B1,K6{runs}" for runs in ("", ":+0+228", ":+0+328", ":+16+328")]
    assert len({Position.from_fen(text, "frisian") for text in texts}) == len(texts)


def test_position_can_be_a_dict_key() -> None:
    first, second = START.legal_moves()[:2]
    counted = {START.play(first): 1, START.play(second): 2}
    assert counted[Position.from_fen(START.play(second).fen(), 20)] == 2


@given(positions())
def test_squares_agree_with_piece_at(position: Position) -> None:
    found = {square: position.piece_at(square) for square in position.variant.mover.squares}
    for side in Side:
        for kind in Kind:
            squares = position.squares(side, kind)
            assert all(type(square) is Square for square in squares)
            assert list(squares) == sorted(squares)
            assert set(squares) == {square for square, piece in found.items() if piece == Piece(side, kind)}


@pytest.mark.parametrize("square", [22, "22", "c3", "C3", " c3 "])
def test_square_can_be_given_by_number_or_name(square: int | str) -> None:
    assert Position.from_fen("W:Wc3:B", "russian").piece_at(square) == Piece(Side.WHITE, Kind.MAN)


@pytest.mark.parametrize("square", [0, 51, -1, 10**30, "a1", "", "x"])
def test_unknown_square_is_rejected(square: int | str) -> None:
    shown = str(square) or '""'
    with pytest.raises(TablemenError, match=f"square {shown} "):
        START.piece_at(square)
    with pytest.raises(InvalidPositionError, match=f"square {shown} ") as caught:
        Position("international", Side.WHITE, white_men=[square])
    assert len(caught.value.problems) == 1


def test_error_lists_all_problems_of_a_position() -> None:
    with pytest.raises(InvalidPositionError) as caught:
        Position("international", Side.WHITE, white_men=[1, 1, 99], black_kings=[1])
    assert len(caught.value.problems) == 3
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("squares", ["12", 12])
def test_squares_must_be_an_iterable_other_than_str(squares: Any) -> None:
    with pytest.raises(TypeError):
        Position("international", Side.WHITE, white_men=squares)


@pytest.mark.parametrize(
    ("side", "square", "moves"),
    [(Side.WHITE, 28, 4), (Side.WHITE, 28, 0), (Side.WHITE, 31, 1), (Side.BLACK, 28, 1), (Side.WHITE, 99, 1)],
)
def test_invalid_quiet_king_moves_are_rejected(side: Side, square: int, moves: int) -> None:
    runs = {side: (square, moves)}
    with pytest.raises(InvalidPositionError, match=rf"\b{square}\b") as caught:
        Position("frisian", Side.WHITE, white_men=[31], white_kings=[28], black_men=[1], king_runs=runs)
    assert len(caught.value.problems) == 1


def test_quiet_king_moves_need_a_variant_that_limits_them() -> None:
    with pytest.raises(InvalidPositionError):
        Position("international", Side.WHITE, white_kings=[28], king_runs={Side.WHITE: (28, 1)})
    with pytest.raises(TypeError, match="28"):
        Position("frisian", Side.WHITE, white_kings=[28], king_runs={Side.WHITE: 28})  # type: ignore[dict-item]


@given(positions())
def test_play_returns_a_new_position(position: Position) -> None:
    before = position.fen()
    for move in position.legal_moves()[:3]:
        assert position.is_legal(move)
        after = position.play(move)
        assert after == position.play_unchecked(move)
        assert (after.turn, position.fen()) == (position.turn.opponent, before)


def test_illegal_move_is_an_error_with_move_and_position() -> None:
    move = Move("international", [31, 22])
    assert not START.is_legal(move)
    with pytest.raises(IllegalMoveError, match=r"\(31, 22\)") as caught:
        START.play(move)
    assert (caught.value.move, caught.value.position) == (move, START)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.move, again.position) == (move, START)


def test_move_of_another_variant_is_rejected() -> None:
    move = Position.start("killer").legal_moves()[0]
    assert not START.is_legal(move)
    for play in (START.play, START.play_unchecked):
        with pytest.raises(IllegalMoveError):
            play(move)


def test_every_path_of_a_legal_capture_is_legal() -> None:
    position = Position.from_fen("W:W14:B8,9,18,19", "international")
    first, second = position.legal_moves(paths=True)
    assert first.path != second.path
    assert first == second
    assert hash(first) == hash(second)
    assert position.play(first) == position.play(second)


@pytest.mark.parametrize(
    ("path", "captured"), [([], []), ([31], []), ([31, 27, 22], []), ([31, 22], [27, 18]), ([31, 22, 13], [27])]
)
def test_path_needs_one_square_more_than_captures(path: list[int], captured: list[int]) -> None:
    with pytest.raises(TablemenError):
        Move("international", path, captured)


@pytest.mark.parametrize(("path", "captured"), [("32", ()), ([31, 22], "27")])
def test_squares_of_a_move_cannot_be_a_str(path: Any, captured: Any) -> None:
    with pytest.raises(TypeError, match=repr(path if isinstance(path, str) else captured)):
        Move("international", path, captured)


@pytest.mark.parametrize("name", VARIANTS)
def test_seed_determines_random_games(name: str) -> None:
    start = Position.start(name)
    games = start.random_playouts(20, seed=3)
    assert games == start.random_playouts(20, seed=3, threads=2)
    assert games != start.random_playouts(20, seed=4)
    assert len(games.results) == len(games.lengths) == 20
    assert all(
        result is not None or length == 1000 for result, length in zip(games.results, games.lengths, strict=True)
    )


@pytest.mark.parametrize("threads", [0, 1025, 2**70])
def test_number_of_threads_is_limited(threads: int) -> None:
    for work in (START.perft, START.divide, partial(START.random_playouts, seed=1)):
        with pytest.raises(ArgumentError) as caught:
            work(1, threads=threads)
        assert caught.value.name == "threads"


def test_length_of_random_games() -> None:
    assert START.random_playouts(3, seed=1, max_plies=5) == ((None,) * 3, (5,) * 3)
    over = Position.from_fen("B:W28:B", "international")
    assert over.random_playouts(2, seed=1) == ((Side.WHITE,) * 2, (0, 0))
    assert START.random_playouts(0, seed=1) == ((), ())


def test_random_games_without_a_seed_differ() -> None:
    assert START.random_playouts(50) != START.random_playouts(50)


# Editing


@settings(max_examples=40)
@given(positions())
def test_piece_map_and_replace_are_inverse(position: Position) -> None:
    pieces, squares = position.piece_map(), position.variant.mover.squares
    assert pieces == {square: piece for square in squares if (piece := position.piece_at(square))}
    assert list(pieces) == sorted(pieces)
    empty = Position(position.variant, position.turn)
    assert empty.replace(pieces=pieces, king_runs=position.king_runs) == position
    assert position.replace(pieces=dict.fromkeys(squares)) == empty
    assert position.replace() == position
    other = position.replace(turn=position.turn.opponent)
    assert (other.turn, other.piece_map()) == (position.turn.opponent, pieces)
    assert other.replace(turn=position.turn) == position


def test_replace_changes_the_given_squares_only() -> None:
    king, man = Piece(Side.WHITE, Kind.KING), Piece(Side.BLACK, Kind.MAN)
    position = Position.from_fen("W:WK28,31:BK1,6:+0+328", "frisian")
    assert position.replace(pieces={31: None, "7": man, 6: king}).fen() == "W:WK6,K28:BK1,7"
    assert position.replace(pieces={7: man}).king_runs == {Side.WHITE: (28, 3)}
    assert position.replace(pieces={28: None, 22: king}).king_runs == {}
    assert position.replace(king_runs={Side.BLACK: (1, 2)}).fen() == "W:WK28,31:BK1,6:+21+0"


def test_replace_reports_all_problems() -> None:
    pieces = {"a1": None, 99: None, 31: None, "31": None}
    with pytest.raises(InvalidPositionError) as caught:
        START.replace(pieces=pieces, king_runs={Side.WHITE: (31, 1)})
    assert [problem.split(" on the board")[0] for problem in caught.value.problems] == [
        "no square a1",
        "no square 99",
        "square 31 is named twice",
        "this variant does not limit the quiet moves of kings",
    ]


@pytest.mark.parametrize("changes", [{"pieces": [31]}, {"pieces": {31: "w"}}, {"pieces": {None: None}}, {"turn": "w"}])
def test_replace_checks_types(changes: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        START.replace(**changes)
