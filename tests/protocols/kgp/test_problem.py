"""Problems of the Kalah Game Protocol: what becomes of a board."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.mancala import NORTH, SOUTH
from tablemen.protocols.kgp.board import Board, parse_board
from tablemen.protocols.kgp.message import Word
from tablemen.protocols.kgp.problem import Solution, accepted_solutions, make_problem, read_flag, solve_problem
from tests.reference import kalah


@pytest.mark.parametrize(
    ("board", "house", "after", "repeats"),
    [
        ("<3,0,0,3,3,3,3,3,3>", 1, "<3,1,0,0,4,4,3,3,3>", True),
        ("<3,0,0,3,3,3,3,3,3>", 2, "<3,1,0,3,0,4,4,3,3>", False),
        ("<3,0,0,1,0,3,3,3,3>", 1, "<3,4,0,0,0,3,3,0,3>", False),  # captures
        ("<2,0,0,0,1,3,3>", 2, "<2,1,6,0,0,0,0>", True),  # and that is the end, but the last seed was in the store
        ("<2,9,0,1,1,1,1>", 1, "<2,11,2,0,0,0,0>", False),  # the end was there before
    ],
)
def test_problems(board: str, house: int, after: str, repeats: bool) -> None:  # noqa: FBT001 - drawn
    assert solve_problem(parse_board(board)[0], house) == Solution(parse_board(after)[0], repeats)


@pytest.mark.parametrize("house", [0, 2, 4])
def test_houses_that_cannot_be_played(house: int) -> None:
    assert solve_problem(parse_board("<3,0,0,1,0,1,1,1,1>")[0], house) is None
    assert accepted_solutions(parse_board("<3,0,0,1,0,1,1,1,1>")[0], house) == ()


@given(st.integers(0, 2**32))
def test_problems_have_the_solution_of_the_reference(seed: int) -> None:
    board, house = make_problem(Random(seed))
    assert board.south[house - 1]
    assert board.south[house]  # for those who count from 0
    board_of_reference = kalah.lay(list(board.south), list(board.north))
    board_of_reference |= {kalah.Pit(SOUTH, 0): board.south_store, kalah.Pit(NORTH, 0): board.north_store}
    before = kalah.KalahPosition(
        kalah.Rules(houses=board.houses, end="either empty or majority"), SOUTH, board_of_reference
    )
    move, pits = before.try_house(house)
    after = kalah.KalahPosition(before.rules, NORTH, pits)
    sown = Board(after.stores[SOUTH], after.stores[NORTH], after.houses(SOUTH), after.houses(NORTH))
    assert solve_problem(board, house) == Solution(sown.swept() if after.is_over() else sown, move.extra_turn)


def test_both_ways_to_leave_the_end_of_a_game_are_accepted() -> None:
    board = parse_board("<2,0,0,0,1,3,3>")[0]
    left = parse_board("<2,1,0,0,0,3,3>")[0]
    assert set(accepted_solutions(board, 2)) == {
        Solution(each, flag) for each in (left, left.swept()) for flag in (True, False)
    }


@pytest.mark.parametrize(
    ("argument", "flag"),
    [
        (0, False),
        (1, True),
        (-7, True),
        (Word("true"), True),
        (Word("False"), False),
        ("yes", True),
        ("no", False),
        (Word("perhaps"), None),
        (0.0, None),
        (None, None),
    ],
)
def test_spellings_of_the_flag(argument: float | str | Word | None, flag: bool | None) -> None:  # noqa: FBT001
    assert read_flag(argument) is flag
