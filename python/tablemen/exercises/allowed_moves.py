"""The interview exercise "Checkers": list the allowed moves on a board of any size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tablemen.draughts.notation import list_places, parse_rows
from tablemen.draughts.rules import MAX_BOARD_SIZE, MIN_BOARD_SIZE
from tablemen.errors import ArgumentError, NotationError
from tablemen.outcome import Side

COLORS: Mapping[str, Side] = {"b": Side.BLACK, "w": Side.WHITE}
EMPTY, PIECES = "_", "bBwW"


def allowed_moves(board: Sequence[str], color: str) -> list[list[tuple[int, int]]]:
    """Return the allowed moves of `"b"` or `"w"`, in ascending order, each as the squares that it visits.

    A square is a pair of row and column, counted from the top left; squares with an odd sum of the two are dark. The
    board is a list of N rows of N letters, N from 4 to 32, Black at the top: `_` is an empty square, `b` and `w` are
    discs, `B` and `W` kings.

    >>> board = [
    ...     "________",
    ...     "__b_____",
    ...     "_w_w____",
    ...     "________",
    ...     "_w______",
    ...     "_____b__",
    ...     "____w___",
    ...     "___w____",
    ... ]
    >>> allowed_moves(board, "b")
    [[(1, 2), (3, 0), (5, 2)], [(1, 2), (3, 4)]]

    A disc that reaches the far row during a capture continues as a king.

    >>> board = [
    ...     "________",
    ...     "__b_b___",
    ...     "_w______",
    ...     "______b_",
    ...     "_______b",
    ...     "________",
    ...     "________",
    ...     "________",
    ... ]
    >>> allowed_moves(board, "w")
    [[(2, 1), (0, 3), (2, 5)]]

    A piece on a light square is an error, unless the side can capture on dark squares but not on light ones: then the
    pieces on light squares cannot move in any case, as in the first board above.

    Raises `NotationError`, with line and column, if the rows are not such a board, and `ArgumentError` if an argument
    has the wrong type.
    """
    _check_arguments(board, color)
    position = _parse_board(board, COLORS[color])
    return sorted(list_places(move) for move in position.legal_moves(paths=True))


def _check_arguments(board: object, color: object) -> None:
    if not isinstance(color, str) or color not in COLORS:
        raise ArgumentError("color", color, "'b' or 'w'")
    if isinstance(board, str) or not isinstance(board, Sequence):
        raise ArgumentError("board", board, "a list of rows")
    for index, row in enumerate(board):
        if not isinstance(row, str):
            raise ArgumentError(f"board[{index}]", row, "a row of letters")
    if not MIN_BOARD_SIZE <= len(board) <= MAX_BOARD_SIZE:
        raise ArgumentError("board", board, f"a list of {MIN_BOARD_SIZE} to {MAX_BOARD_SIZE} rows")


def _parse_board(board: Sequence[str], side: Side) -> Position:
    """Return the position on the dark squares."""
    rules = _get_rules(len(board))
    try:
        return parse_rows(board, rules, side)
    except NotationError:
        # The exercise's own first board has discs on light squares.
        with suppress(NotationError):
            dark = parse_rows(_keep_colour(board, 1), rules, side)
            light = parse_rows(_keep_colour(board, 0), _get_rules(len(board), dark=0), side)
            if _has_capture(dark) and not _has_capture(light):
                return dark
        raise


def _keep_colour(board: Sequence[str], parity: int) -> list[str]:
    """Return the board without the pieces on squares of the other colour."""
    return [
        "".join(
            letter if (row + column) % 2 == parity or letter not in PIECES else EMPTY
            for column, letter in enumerate(letters)
        )
        for row, letters in enumerate(board)
    ]


def _has_capture(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())


@cache
def _get_rules(size: int, *, dark: int = 1) -> DraughtsRules:
    """Return the rules for a board of this size; `dark` is the parity of row + column of the playable squares."""
    return replace(
        VARIANTS["interview"],
        name=f"interview {size}x{size}",
        columns=size,
        rows=size,
        start_rows=(size - 1) // 2,
        corner_playable=(size - 1) % 2 == dark,
    )
