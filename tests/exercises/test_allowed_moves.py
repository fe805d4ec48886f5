"""`allowed_moves`: every move of checkers on a board of any size, as the squares visited."""

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


def test_the_example_of_a_disc_crowned_on_its_way() -> None:
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


def test_a_move_ends_on_a_vacant_square() -> None:
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


def test_a_capturing_disc_does_not_turn_back() -> None:
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


def test_a_capture_has_to_be_made() -> None:
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


def test_a_choice_can_be_made_among_captures() -> None:
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


def test_a_capture_is_carried_to_its_end() -> None:
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
    ids=["its own side", "two in a row", "at the edge"],
)
def test_pieces_that_cannot_be_jumped(drawing: str) -> None:
    assert all(len(move) == 2 and abs(move[0][0] - move[1][0]) == 1 for move in allowed_moves(rows(drawing), "w"))
    assert allowed_moves(rows(drawing), "w")


def test_a_jump_lands_on_the_board() -> None:
    board = rows("""
        _b__
        w___
        ____
        ____
    """)
    assert allowed_moves(board, "w") == []
    assert allowed_moves(board, "b") == [[(0, 1), (1, 2)]]


def test_a_disc_crowned_by_a_capture_goes_on_backward() -> None:
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


def test_a_disc_crowned_by_a_capture_may_have_no_further_capture() -> None:
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


def test_a_disc_crowned_by_a_step_does_not_go_on() -> None:
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


def test_a_king_ends_where_it_started_and_each_way_round_is_a_move() -> None:
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


def test_a_king_goes_through_the_square_where_it_started() -> None:
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


def test_a_disc_crowned_on_its_way_goes_through_the_square_where_it_started() -> None:
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


def test_distinct_paths_are_distinct_moves() -> None:
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


def test_pieces_that_are_shut_in_have_no_move() -> None:
    board = rows("""
        _w_w
        w_b_
        _b_b
        b_b_
    """)
    assert allowed_moves(board, "w") == []


def test_no_pieces_no_moves() -> None:
    assert allowed_moves([row.replace("b", "_") for row in START_ROWS], "b") == []
    assert allowed_moves(["_" * 8] * 8, "w") == []


def board_of(size: int, pieces: dict[tuple[int, int], str]) -> list[str]:
    """Return a board of this size with these pieces."""
    return ["".join(pieces.get((row, column), "_") for column in range(size)) for row in range(size)]


@pytest.mark.parametrize("size", range(4, 33))
def test_boards_of_every_size(size: int) -> None:
    # A black disc captures its way down the diagonal that begins at (0, 1), a white piece on every second square.
    landings = [(row, row + 1) for row in range(0, size - 1, 2)]
    victims = {(row - 1, column - 1): "w" for row, column in landings[1:]}
    assert allowed_moves(board_of(size, {(0, 1): "b"} | victims), "b") == [landings]
    # Every other corner of the board: a king beside the bottom right one steps up, and along the edges.
    last = size - 1
    king = {(last, last - 1): "W"}
    assert allowed_moves(board_of(size, king), "w") == [
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
    assert allowed_moves(board_of(size, men), "w") == expected


def test_rows_may_be_any_sequence() -> None:
    assert allowed_moves(tuple(START_ROWS), "b") == allowed_moves(START_ROWS, "b")


def test_an_endless_list_can_be_interrupted() -> None:
    """A king among 81 discs that can be captured in any order has too many moves to list."""

    class Alarm(Exception):  # noqa: N818 - nothing is wrong
        pass

    def ring(*_: object) -> None:
        raise Alarm

    board = ["__" + "b_" * 9 if row % 2 and row < 18 else "_" * 20 for row in range(20)]
    board[18] = "_W" + "_" * 18
    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Alarm):
            allowed_moves(board, "w")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
