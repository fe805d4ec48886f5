"""`allowed_moves`: all moves of checkers on boards of any size."""

from __future__ import annotations

import signal

import pytest

from tablemen.exercises import allowed_moves
from tests.exercises.boards import START_ROWS, rows


def test_the_example_with_a_choice_of_captures() -> None:
    board = rows("""
        ________
        __b_____
        _w_w____
        ________
        _w______
        _____b__
        ____w___
        ___w____
    """)
    assert allowed_moves(board, "b") == [[(1, 2), (3, 0), (5, 2)], [(1, 2), (3, 4)]]


def test_the_example_of_a_disc_crowned_during_a_capture() -> None:
    board = rows("""
        ________
        __b_b___
        _w______
        ______b_
        _______b
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [[(2, 1), (0, 3), (2, 5)]]


def test_the_start_for_black() -> None:
    assert allowed_moves(START_ROWS, "b") == [
        [(2, 1), (3, 0)],
        [(2, 1), (3, 2)],
        [(2, 3), (3, 2)],
        [(2, 3), (3, 4)],
        [(2, 5), (3, 4)],
        [(2, 5), (3, 6)],
        [(2, 7), (3, 6)],
    ]


def test_the_start_for_white() -> None:
    assert allowed_moves(START_ROWS, "w") == [
        [(5, 0), (4, 1)],
        [(5, 2), (4, 1)],
        [(5, 2), (4, 3)],
        [(5, 4), (4, 3)],
        [(5, 4), (4, 5)],
        [(5, 6), (4, 5)],
        [(5, 6), (4, 7)],
    ]


def test_discs_move_forward_one_square() -> None:
    board = rows("""
        ________
        ________
        ___b____
        ________
        ________
        ________
        ___w____
        ________
    """)
    assert allowed_moves(board, "b") == [[(2, 3), (3, 2)], [(2, 3), (3, 4)]]
    assert allowed_moves(board, "w") == [[(6, 3), (5, 2)], [(6, 3), (5, 4)]]


def test_kings_move_one_square_in_any_direction() -> None:
    board = rows("""
        ________
        ________
        ___B____
        ________
        ________
        ________
        ___W____
        ________
    """)
    assert allowed_moves(board, "b") == [[(2, 3), (row, column)] for row in (1, 3) for column in (2, 4)]
    assert allowed_moves(board, "w") == [[(6, 3), (row, column)] for row in (5, 7) for column in (2, 4)]


def test_a_step_ends_on_an_empty_square() -> None:
    board = rows("""
        ______
        __b___
        _b_b__
        __b___
        ______
        ______
    """)
    assert allowed_moves(board, "b") == [
        [(2, 1), (3, 0)],
        [(2, 3), (3, 4)],
        [(3, 2), (4, 1)],
        [(3, 2), (4, 3)],
    ]


def test_discs_capture_forward_only() -> None:
    board = rows("""
        ______
        __w_w_
        ___b__
        ______
        ______
        ______
    """)
    assert allowed_moves(board, "b") == [[(2, 3), (3, 2)], [(2, 3), (3, 4)]]
    assert allowed_moves([row.replace("b", "B") for row in board], "b") == [[(2, 3), (0, 1)], [(2, 3), (0, 5)]]


def test_a_disc_does_not_capture_backward() -> None:
    board = rows("""
        ________
        __b_____
        ___w_w__
        ________
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "b") == [[(1, 2), (3, 4)]]
    assert allowed_moves([row.replace("b", "B") for row in board], "b") == [[(1, 2), (3, 4), (1, 6)]]


def test_capture_is_compulsory() -> None:
    board = rows("""
        ________
        b_______
        ________
        ____b___
        ___w____
        ________
        _____w__
        ________
    """)
    assert allowed_moves(board, "b") == [[(3, 4), (5, 2)]]
    assert allowed_moves(board, "w") == [[(4, 3), (2, 5)]]


def test_the_choice_between_captures_is_free() -> None:
    board = rows("""
        _b______
        __w_____
        _______b
        ____w_w_
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "b") == [[(0, 1), (2, 3), (4, 5)], [(2, 7), (4, 5)]]


def test_a_capture_must_be_completed() -> None:
    board = rows("""
        _b______
        __w_____
        ________
        ____w___
        ________
        ______w_
        ________
        ________
    """)
    assert allowed_moves(board, "b") == [[(0, 1), (2, 3), (4, 5), (6, 7)]]


@pytest.mark.parametrize(
    "drawing",
    [
        """
        ______
        ______
        ___w__
        __w___
        _w____
        ______
        """,
        """
        ______
        ______
        ___b__
        __b___
        _w____
        ______
        """,
        """
        ______
        ______
        ______
        b_____
        _w____
        ______
        """,
    ],
    ids=["own pieces", "two in a row", "at the edge"],
)
def test_pieces_that_cannot_be_jumped(drawing: str) -> None:
    assert all(len(move) == 2 and abs(move[0][0] - move[1][0]) == 1 for move in allowed_moves(rows(drawing), "w"))
    assert allowed_moves(rows(drawing), "w")


def test_a_jump_cannot_leave_the_board() -> None:
    board = rows("""
        _b__
        w___
        ____
        ____
    """)
    assert allowed_moves(board, "w") == []
    assert allowed_moves(board, "b") == [[(0, 1), (1, 2)]]


def test_a_disc_crowned_by_a_capture_continues_backward() -> None:
    board = rows("""
        ________
        ________
        ________
        ________
        _____w__
        __b_____
        ___w_w__
        ________
    """)
    assert allowed_moves(board, "b") == [[(5, 2), (7, 4), (5, 6), (3, 4)]]


def test_a_capture_may_end_with_the_crowning() -> None:
    board = rows("""
        ________
        __b_____
        _w___b__
        ________
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [[(2, 1), (0, 3)]]


def test_a_step_ends_with_the_crowning() -> None:
    board = rows("""
        ________
        __w_b___
        ________
        ________
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [[(1, 2), (0, 1)], [(1, 2), (0, 3)]]


def test_a_circular_capture_is_a_move_in_each_direction() -> None:
    board = rows("""
        ________
        ____b_b_
        ___W____
        ____b_b_
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [
        [(2, 3), (0, 5), (2, 7), (4, 5), (2, 3)],
        [(2, 3), (4, 5), (2, 7), (0, 5), (2, 3)],
    ]


def test_a_king_may_cross_its_own_start_square() -> None:
    board = rows("""
        ________
        ____b_b_
        ___W____
        __b_b_b_
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [
        [(2, 3), (0, 5), (2, 7), (4, 5), (2, 3), (4, 1)],
        [(2, 3), (4, 1)],
        [(2, 3), (4, 5), (2, 7), (0, 5), (2, 3), (4, 1)],
    ]


def test_a_crowned_disc_may_cross_its_own_start_square() -> None:
    board = rows("""
        ________
        ____b_b_
        ___w____
        __b_b_b_
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "w") == [[(2, 3), (0, 5), (2, 7), (4, 5), (2, 3), (4, 1)]]


def test_no_piece_is_jumped_twice() -> None:
    board = rows("""
        ______
        ______
        ______
        ____b_
        ___W__
        ______
    """)
    assert allowed_moves(board, "w") == [[(4, 3), (2, 5)]]


def test_each_path_is_a_move() -> None:
    board = rows("""
        ___b____
        __w_w___
        ________
        __w_w___
        ________
        ________
        ________
        ________
    """)
    assert allowed_moves(board, "b") == [[(0, 3), (2, 1), (4, 3)], [(0, 3), (2, 5), (4, 3)]]


def test_blocked_pieces_have_no_moves() -> None:
    board = rows("""
        _w_w
        w_b_
        _b_b
        b_b_
    """)
    assert allowed_moves(board, "w") == []


def test_a_side_without_pieces_has_no_moves() -> None:
    assert allowed_moves([row.replace("b", "_") for row in START_ROWS], "b") == []
    assert allowed_moves(["_" * 8] * 8, "w") == []


def make_board(size: int, pieces: dict[tuple[int, int], str]) -> list[str]:
    return ["".join(pieces.get((row, column), "_") for column in range(size)) for row in range(size)]


@pytest.mark.parametrize("size", range(4, 33))
def test_boards_of_every_size(size: int) -> None:
    # A black disc captures the white discs on every second square of the diagonal from (0, 1).
    landings = [(row, row + 1) for row in range(0, size - 1, 2)]
    discs = {(row - 1, column - 1): "w" for row, column in landings[1:]}
    assert allowed_moves(make_board(size, {(0, 1): "b"} | discs), "b") == [landings]
    # A king beside the bottom right corner steps up in both directions.
    last = size - 1
    king = {(last, last - 1): "W"}
    assert allowed_moves(make_board(size, king), "w") == [
        [(last, last - 1), (last - 1, last - 2)],
        [(last, last - 1), (last - 1, last)],
    ]


@pytest.mark.parametrize("size", range(4, 33))
def test_a_row_of_men_on_boards_of_every_size(size: int) -> None:
    middle = size // 2
    men = {(middle, column): "w" for column in range((middle + 1) % 2, size, 2)}
    expected = [
        [place, (middle - 1, column)]
        for place in sorted(men)
        for column in (place[1] - 1, place[1] + 1)
        if 0 <= column < size
    ]
    assert allowed_moves(make_board(size, men), "w") == expected


def test_rows_may_be_any_sequence() -> None:
    assert allowed_moves(tuple(START_ROWS), "b") == allowed_moves(START_ROWS, "b")


def test_move_generation_can_be_interrupted() -> None:
    class AlarmError(Exception):
        pass

    def raise_alarm(*_: object) -> None:
        raise AlarmError

    # A king can capture 81 discs in too many orders to list.
    board = ["__" + "b_" * 9 if row % 2 and row < 18 else "_" * 20 for row in range(20)]
    board[18] = "_W" + "_" * 18
    previous = signal.signal(signal.SIGALRM, raise_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(AlarmError):
            allowed_moves(board, "w")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
