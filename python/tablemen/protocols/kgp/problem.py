"""Problems of the mode `verify`: what becomes of a board when South plays a house.

The specification counts houses from 1 and wants 0 or another number for whether South moves again; a known server
counts from 0 and wants `true` or `false`. Both are understood.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tablemen.mancala import KALAH, NORTH, SOUTH
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.message import Argument, Word

_YES, _NO = {"true", "t", "yes"}, {"false", "f", "no"}


@dataclass(frozen=True, slots=True)
class Solution:
    """The board after a move, and whether the same player moves again."""

    board: Board
    repeats: bool


def solve_problem(board: Board, house: int) -> Solution | None:
    """What becomes of a board when South plays a house, counted from 1; None where that cannot be done.

    >>> print(solve_problem(Board(0, 0, (3, 3, 3), (3, 3, 3)), 1).board)
    <3,1,0,0,4,4,3,3,3>

    Where the game is over then, the seeds that are left are in the stores.
    """
    if not 1 <= house <= board.houses or not board.south[house - 1]:
        return None
    sown, repeats = _sow(board, house)
    return Solution(sown.swept() if _is_over(sown) else sown, repeats)


def _sow(board: Board, house: int) -> tuple[Board, bool]:
    """The board after the move, South still being South, and whether the last seed fell into the store."""
    # By rules that let South play whenever it has a seed, also where others see the end of a game.
    before = board.position(KALAH)
    move = next(each for each in before.legal_moves() if each.house == house)
    after = before.play(move)
    stores = after.stores
    return Board(stores[SOUTH], stores[NORTH], after.houses(SOUTH), after.houses(NORTH)), move.extra_turn


def _is_over(board: Board) -> bool:
    """Whether the rules of the protocol see the end of a game."""
    return not any(board.south) or not any(board.north) or 2 * max(board.south_store, board.north_store) > board.seeds


def accepted_solutions(board: Board, house: int) -> tuple[Solution, ...]:
    """Every right answer; at the end of a game seeds may be left where they lie, and nobody need move again."""
    solution = solve_problem(board, house)
    if solution is None:
        return ()
    sown, _ = _sow(board, house)
    if not _is_over(sown):
        return (solution,)
    boards = (solution.board, sown)
    return tuple(Solution(each, flag) for each in boards for flag in sorted({solution.repeats, False}, reverse=True))


def read_flag(argument: Argument | None) -> bool | None:
    """What is said about another move, in either spelling; None where it is neither."""
    if isinstance(argument, int):
        return bool(argument)
    if isinstance(argument, str | Word):
        word = str(argument).casefold()
        return True if word in _YES else False if word in _NO else None
    return None


def make_problem(random: Random) -> tuple[Board, int]:
    """A board by chance, and a house that South can play; so can the next one, for those who count from 0."""
    size = random.randint(3, 10)
    south = [random.randrange(2 * size) for _ in range(size)]
    north = [random.randrange(2 * size) for _ in range(size)]
    house = random.randrange(1, size)
    for at in (house - 1, house):
        south[at] = south[at] or 1
    stores = random.randrange(4 * size), random.randrange(4 * size)
    return Board(*stores, tuple(south), tuple(north)), house
