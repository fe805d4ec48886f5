"""`is_legal_move`: whether a white man of English checkers may go from one square to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tablemen.exercises import is_legal_move
from tests.exercises.boards import SQUARES, Ways, ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Case(NamedTuple):
    """A case of the exercise: its title, numbers, drawing and answer."""

    title: str
    numbers: Ways
    drawing: str
    is_legal: bool


CASES = [
    Case(
        "Single move no jump",
        Ways([], [5], 5, [1]),
        """
        X _ _ _
        O _ _ _
        """,
        is_legal=True,
    ),
    Case(
        "Single jump",
        Ways([6], [9], 9, [2]),
        """
        _ X _ _
        _ B _ _
        O _ _ _
        """,
        is_legal=True,
    ),
    Case(
        "Double jump",
        Ways([7, 14], [17], 17, [3]),
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
        Ways([7, 14], [17], 17, [10]),
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
        Ways([5], [9], 9, [4]),
        """
        _ _ _ X
        B _ _ _
        O _ _ _
        """,
        is_legal=False,
    ),
    Case(
        "Split decision p1",
        Ways([6, 7], [10], 10, [1]),
        """
        X _ _ _
        _ B B _
        _ O _ _
        """,
        is_legal=True,
    ),
    Case(
        "Split decision p2",
        Ways([6, 7], [10], 10, [3]),
        """
        _ _ X _
        _ B B _
        _ O _ _
        """,
        is_legal=True,
    ),
    Case(
        "Sideways Jump",
        Ways([2], [1], 1, [3]),
        """
        O B X _
        """,
        is_legal=False,
    ),
    Case(
        "Backwards Jump",
        Ways([6], [1], 1, [10]),
        """
        O _ _ _
        _ B _ _
        _ X _ _
        """,
        is_legal=False,
    ),
    Case(
        "Illegal jump over white piece",
        Ways([], [6, 9], 9, [2]),
        """
        _ X _ _
        _ W _ _
        O _ _ _
        """,
        is_legal=False,
    ),
    Case(
        "Split decision long path",
        Ways([8, 15, 23, 24], [27], 27, [4]),
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
        Ways([8, 15, 23, 24], [27], 27, [20]),
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
def test_a_case_as_drawn(case: Case) -> None:
    assert ways(case.drawing) == case.numbers
    black, white, start, (end,) = case.numbers
    assert is_legal_move(black, white, start, end) is case.is_legal


def test_the_case_of_an_end_on_top_of_a_black_piece() -> None:
    # A square of the drawing has room for one letter: on X stands another black piece.
    _, white, start, (end,) = ways("""
        _ X _ _
        _ B _ _
        O _ _ _
    """)
    assert (white, start, end) == ([9], 9, 2)
    assert is_legal_move([2, 6], white, start, end) is False


def test_the_case_of_an_end_on_top_of_a_white_piece() -> None:
    black, _, start, (end,) = ways("""
        _ X _ _
        _ B _ _
        O _ _ _
    """)
    assert (black, start, end) == ([6], 9, 2)
    assert is_legal_move(black, [9, 2], start, end) is False


def test_the_slip_in_split_decision_p1() -> None:
    # White's list names 6, which is black's, and not the start: 6 stays black's, and the man on the start is White's.
    assert is_legal_move([6, 7], [6], 10, 1) is True
    assert is_legal_move([6, 7], [6], 10, 3) is True
    assert is_legal_move([6, 7], [6], 10, 6) is False


def test_the_slip_in_the_jump_across_the_board() -> None:
    # Its numbers are one too low: they speak of an ordinary step.
    assert is_legal_move([4], [8], 8, 3) is True
    check("""
          _   _   X   B
        _   _   _   O
    """)


def test_a_start_in_both_lists_is_white() -> None:
    assert is_legal_move([6, 9], [9], 9, 2) is True
    assert is_legal_move([6, 9], [], 9, 2) is True
    # Were 9 black's, the man on 14 would have to jump it.
    assert is_legal_move([9], [9, 14], 9, 6) is True


def test_another_square_in_both_lists_is_black() -> None:
    # Were 14 White's, it would have to jump 9.
    assert is_legal_move([9, 14], [14, 32], 32, 28) is True
    # As it is black's, the man on 18 has to jump it.
    assert is_legal_move([14], [14, 18, 32], 32, 28) is False


def test_a_start_in_neither_list_is_white() -> None:
    assert is_legal_move([6], [], 9, 2) is True


def ends(black: Iterable[int], white: Iterable[int], start: int) -> list[int]:
    """Every square to which the man may go."""
    black, white = list(black), list(white)
    return [end for end in SQUARES if is_legal_move(black, white, start, end)]


def check(drawing: str) -> None:
    """O may go to every X, and nowhere else."""
    drawn = ways(drawing)
    assert ends(drawn.black, drawn.white, drawn.start) == drawn.ends


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


def test_a_man_at_the_left_edge_has_one_way() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          X   _   _   _
        O   _   _   _
    """)


def test_a_man_at_the_right_edge_has_one_way() -> None:
    check("""
          _   _   _   _
        _   _   _   X
          _   _   _   O
    """)


def test_a_man_on_the_top_row_has_no_way() -> None:
    check("""
          _   O   _   _
        _   _   B   _
          _   _   _   _
    """)


def test_the_bottom_row_is_on_the_board_too() -> None:
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


def test_a_piece_with_another_behind_it_cannot_be_jumped() -> None:
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


def test_no_step_where_there_is_a_jump() -> None:
    check("""
          _   _   _   _
        _   X   _   _
          _   B   _   _
        _   _   O   _
    """)


def test_no_step_while_another_man_can_jump() -> None:
    check("""
          _   _   _   _
        _   _   _   _
          _   B   _   _
        _   W   _   _
          _   _   _   _
        _   _   _   O
    """)


def test_the_other_man_may_jump_over_the_same_piece() -> None:
    check("""
          _   _   _   _
        _   X   _   _
          _   B   _   _
        _   W   O   _
    """)


def test_jumps_change_direction_and_end_where_no_other_follows() -> None:
    check("""
          _   _   _   _
        X   _   _   _
          B   _   _   _
        _   _   _   _
          _   B   _   _
        _   _   O   _
    """)


def test_of_two_ways_the_shorter_may_be_taken_but_each_to_its_end() -> None:
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


def test_two_ways_to_one_end() -> None:
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


def test_a_man_does_not_jump_backward_in_the_midst_of_jumps() -> None:
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


def test_a_square_may_be_named_twice_in_a_list() -> None:
    assert is_legal_move([6, 6], [9, 9], 9, 2) is True
