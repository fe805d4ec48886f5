"""`is_legal_move`: whether a white man of English checkers may move from one square to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tablemen.exercises import is_legal_move
from tests.exercises.boards import SQUARES, ManMoves, parse_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Case(NamedTuple):
    """A case of the exercise: its title, numbers, drawing and answer."""

    title: str
    numbers: ManMoves
    drawing: str
    is_legal: bool


CASES = [
    Case(
        "Single move no jump",
        ManMoves([], [5], 5, [1]),
        """
        X _ _ _
        O _ _ _
        """,
        is_legal=True,
    ),
    Case(
        "Single jump",
        ManMoves([6], [9], 9, [2]),
        """
        _ X _ _
        _ B _ _
        O _ _ _
        """,
        is_legal=True,
    ),
    Case(
        "Double jump",
        ManMoves([7, 14], [17], 17, [3]),
        """
        _ _ X _
        _ _ B _
        _ _ _ _
        _ B _ _
        O _ _ _
        """,
        is_legal=True,
    ),
    Case(
        "Illegal jump, must take the next jump as well",
        ManMoves([7, 14], [17], 17, [10]),
        """
        _ _ _ _
        _ _ B _
        _ X _ _
        _ B _ _
        O _ _ _
        """,
        is_legal=False,
    ),
    Case(
        "Illegal jump across the board",
        ManMoves([5], [9], 9, [4]),
        """
        _ _ _ X
        B _ _ _
        O _ _ _
        """,
        is_legal=False,
    ),
    Case(
        "Split decision p1",
        ManMoves([6, 7], [10], 10, [1]),
        """
        X _ _ _
        _ B B _
        _ O _ _
        """,
        is_legal=True,
    ),
    Case(
        "Split decision p2",
        ManMoves([6, 7], [10], 10, [3]),
        """
        _ _ X _
        _ B B _
        _ O _ _
        """,
        is_legal=True,
    ),
    Case(
        "Sideways Jump",
        ManMoves([2], [1], 1, [3]),
        """
        O B X _
        """,
        is_legal=False,
    ),
    Case(
        "Backwards Jump",
        ManMoves([6], [1], 1, [10]),
        """
        O _ _ _
        _ B _ _
        _ X _ _
        """,
        is_legal=False,
    ),
    Case(
        "Illegal jump over white piece",
        ManMoves([], [6, 9], 9, [2]),
        """
        _ X _ _
        _ W _ _
        O _ _ _
        """,
        is_legal=False,
    ),
    Case(
        "Split decision long path",
        ManMoves([8, 15, 23, 24], [27], 27, [4]),
        """
        _ _ _ X
        _ _ _ B
        _ _ _ _
        _ _ B _
        _ _ _ _
        _ _ B B
        _ _ W _
        """,
        is_legal=True,
    ),
    Case(
        "Split decision short path",
        ManMoves([8, 15, 23, 24], [27], 27, [20]),
        """
        _ _ _ _
        _ _ _ B
        _ _ _ _
        _ _ B _
        _ _ _ X
        _ _ B B
        _ _ W _
        """,
        is_legal=True,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_cases_of_the_exercise(case: Case) -> None:
    assert parse_moves(case.drawing) == case.numbers
    black, white, start, (end,) = case.numbers
    assert is_legal_move(black, white, start, end) is case.is_legal


def test_a_jump_must_not_end_on_a_black_piece() -> None:
    # A drawing has only one letter per square: X is another black piece.
    _, white, start, (end,) = parse_moves("""
        _ X _ _
        _ B _ _
        O _ _ _
    """)
    assert (white, start, end) == ([9], 9, 2)
    assert is_legal_move([2, 6], white, start, end) is False


def test_a_jump_must_not_end_on_a_white_piece() -> None:
    black, _, start, (end,) = parse_moves("""
        _ X _ _
        _ B _ _
        O _ _ _
    """)
    assert (black, start, end) == ([6], 9, 2)
    assert is_legal_move(black, [9, 2], start, end) is False


def test_the_mistake_in_split_decision_p1() -> None:
    # The list of white men has 6, which is black, instead of the start: 6 counts as black, and the start as white.
    assert is_legal_move([6, 7], [6], 10, 1) is True
    assert is_legal_move([6, 7], [6], 10, 3) is True
    assert is_legal_move([6, 7], [6], 10, 6) is False


def test_the_mistake_in_the_jump_across_the_board() -> None:
    # The numbers of the exercise are one too low, so that the move is an ordinary step.
    assert is_legal_move([4], [8], 8, 3) is True
    check("""
          _   _   X   B
        _   _   _   O
    """)


def test_a_start_in_both_lists_is_white() -> None:
    assert is_legal_move([6, 9], [9], 9, 2) is True
    assert is_legal_move([6, 9], [], 9, 2) is True
    # If 9 were black, the man on 14 would have to jump it.
    assert is_legal_move([9], [9, 14], 9, 6) is True


def test_another_square_in_both_lists_is_black() -> None:
    # If 14 were white, it would have to jump 9.
    assert is_legal_move([9, 14], [14, 32], 32, 28) is True
    # Since 14 is black, the man on 18 has to jump it.
    assert is_legal_move([14], [14, 18, 32], 32, 28) is False


def test_a_start_in_neither_list_is_white() -> None:
    assert is_legal_move([6], [], 9, 2) is True


def find_ends(black: Iterable[int], white: Iterable[int], start: int) -> list[int]:
    """Return the squares that the man may move to."""
    black, white = list(black), list(white)
    return [end for end in SQUARES if is_legal_move(black, white, start, end)]


def check(drawing: str) -> None:
    """Check that O may move to every X and to no other square."""
    drawn = parse_moves(drawing)
    assert find_ends(drawn.black, drawn.white, drawn.start) == drawn.ends


def test_a_man_steps_diagonally_forward() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   _   _   _
        _   X   X   _
          _   O   _   _
        _   _   _   _
          _   _   _   _
        _   _   _   _
    """)


def test_a_man_at_the_left_edge_has_one_step() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          X   _   _   _
        O   _   _   _
    """)


def test_a_man_at_the_right_edge_has_one_step() -> None:
    check("""
          _   _   _   _
        _   _   _   X
          _   _   _   O
    """)


def test_a_man_on_the_top_row_has_no_moves() -> None:
    check("""
          _   O   _   _
        _   _   B   _
          _   _   _   _
    """)


def test_a_man_on_the_bottom_row_steps_forward() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   _   _   _
        _   _   _   _
          _   _   _   _
        _   _   _   _
          _   _   X   X
        _   _   _   O
    """)


def test_a_man_does_not_step_onto_a_piece() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   W   X   _
        _   _   O   _
    """)


def test_two_pieces_in_a_row_cannot_be_jumped() -> None:
    check("""
          _   _   _   _
        _   B   _   _
          _   B   X   _
        _   _   O   _
    """)


def test_a_piece_at_the_edge_cannot_be_jumped() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   _   X   B
        _   _   _   O
    """)


def test_a_jump_is_compulsory() -> None:
    check("""
          _   _   _   _
        _   X   _   _
          _   B   _   _
        _   _   O   _
    """)


def test_a_jump_of_another_man_is_compulsory() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   B   _   _
        _   W   _   _
          _   _   _   _
        _   _   _   O
    """)


def test_either_of_two_men_may_jump_a_piece() -> None:
    check("""
          _   _   _   _
        _   X   _   _
          _   B   _   _
        _   W   O   _
    """)


def test_jumps_may_change_direction() -> None:
    check("""
          _   _   _   _
        X   _   _   _
          B   _   _   _
        _   _   _   _
          _   B   _   _
        _   _   O   _
    """)


def test_a_shorter_sequence_of_jumps_may_be_chosen() -> None:
    check("""
          _   _   _   X
        _   _   _   B
          _   _   _   _
        _   _   B   _
          _   _   _   X
        _   _   B   B
          _   _   O   _
        _   _   _   _
    """)


def test_two_sequences_of_jumps_may_end_on_one_square() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   X   _   _
        _   B   B   _
          _   _   _   _
        _   B   B   _
          _   O   _   _
        _   _   _   _
    """)


def test_a_man_does_not_jump_backward() -> None:
    check("""
          _   _   _   _
        _   X   B   _
          _   B   _   _
        _   _   O   _
    """)


def test_a_man_that_reaches_the_top_by_a_jump_stops_there() -> None:
    check("""
          _   X   _   _
        _   B   B   _
          O   _   _   _
    """)


def test_staying_is_not_a_move() -> None:
    assert all(not is_legal_move([], [square], square, square) for square in SQUARES)


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, iter], ids=lambda kind: kind.__name__)
def test_lists_may_be_any_iterable(kind: Callable[[list[int]], Iterable[int]]) -> None:
    assert is_legal_move(kind([6, 7]), kind([10]), 10, 3) is True
    assert is_legal_move(kind([6, 7]), kind([10, 24]), 24, 20) is False


def test_a_square_may_occur_twice_in_a_list() -> None:
    assert is_legal_move([6, 6], [9, 9], 9, 2) is True
