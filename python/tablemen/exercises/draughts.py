"""The exercises about draughts boards: functions with the signatures that their documents prescribe."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from tablemen.draughts import ENGLISH, INTERNATIONAL, VARIANTS, DraughtsRules, Position
from tablemen.draughts.notation import format_turn, list_places, parse_grid, parse_rows
from tablemen.draughts.rules import MAX_BOARD_SIZE, MIN_BOARD_SIZE
from tablemen.errors import ArgumentError, NotationError
from tablemen.outcome import Side

COLORS: Mapping[str, Side] = {"b": Side.BLACK, "w": Side.WHITE}
EMPTY, PIECES = "_", "bBwW"
SQUARES = range(1, 33)


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


def is_legal_move(black: Iterable[int], white: Iterable[int], start: int, end: int) -> bool:
    """Return whether White, whose pieces all count as men, may move from `start` to `end`.

    Jumps are compulsory for the whole side and must be completed; the choice between jumps is free. There is always a
    white man on `start`; any other square in both lists is Black's.

    >>> is_legal_move(black=[], white=[5], start=5, end=1)
    True
    >>> is_legal_move([6], [9], 9, 2)
    True
    >>> is_legal_move([2, 6], [9], 9, 2)  # ends on a black piece
    False
    >>> is_legal_move([7, 14], [17], 17, 3)
    True
    >>> is_legal_move([7, 14], [17], 17, 10)  # the jump is not complete
    False
    >>> is_legal_move([5], [9], 9, 4)  # leaves the board
    False
    >>> is_legal_move([6, 7], [6], 10, 1), is_legal_move([6, 7], [6], 10, 3)
    (True, True)
    >>> is_legal_move([2], [1], 1, 3)  # sideways
    False
    >>> is_legal_move([6], [1], 1, 10)  # backwards
    False
    >>> is_legal_move([6], [9, 2], 9, 2)  # ends on a white piece
    False
    >>> is_legal_move([], [9, 6], 9, 2)  # jumps over a white piece
    False
    >>> is_legal_move([8, 15, 23, 24], [27], 27, 4), is_legal_move([8, 15, 23, 24], [27], 27, 20)
    (True, True)

    Raises `ArgumentError`, with the argument and index, for anything that is not a square from 1 to 32.
    """
    origin = _check_square("start", start)
    black_men = _check_squares("black", black) - {origin}
    white_men = (_check_squares("white", white) - black_men) | {origin}
    position = Position(ENGLISH, Side.WHITE, white_men=white_men, black_men=black_men)
    return bool(position.find_moves([origin, _check_square("end", end)]))


def _check_squares(name: str, squares: object) -> set[int]:
    if isinstance(squares, str) or not isinstance(squares, Iterable):
        raise ArgumentError(name, squares, "a list of squares")
    return {_check_square(f"{name}[{index}]", square) for index, square in enumerate(squares)}


def _check_square(name: str, square: Any) -> int:
    try:
        number = operator.index(square)  # accepts NumPy integers too
    except TypeError:
        number = 0
    if number not in SQUARES or isinstance(square, bool):
        raise ArgumentError(name, square, "a square from 1 to 32")
    return number


def valid_turns(board: str, player: Side) -> list[str]:
    r"""Return the legal turns of the player, in ascending order; an empty list if the game is over.

    The board is ten lines of ten characters, White at the bottom: a blank is a light square, a dot an empty dark one,
    `w` and `b` are men, `K` a white king and `B` a black one. Squares are a digit for the column and one for the row,
    from 0 at the bottom left.

    >>> board = '''
    ...  K . . . .
    ... . b . . .
    ...  . . b . .
    ... . . . . b
    ...  . . . b .
    ... . . . w .
    ...  . . . . b
    ... . . w b w
    ...  . . . . .
    ... . B w . .
    ... '''
    >>> valid_turns(board, Side.WHITE)
    ['19x46x68x95x51']
    >>> valid_turns(board, Side.BLACK)
    ['75x53x31']

    A king that can land on several squares between two captures has one turn per path.

    Raises `NotationError`, with line and column, if the text is not such a board, and `ArgumentError` if an argument
    has the wrong type.
    """
    if not isinstance(board, str):
        raise ArgumentError("board", board, "a text of ten lines")
    if not isinstance(player, Side):
        raise ArgumentError("player", player, "Side.WHITE or Side.BLACK")
    position = parse_grid(board, INTERNATIONAL, player)
    return sorted({format_turn(move) for move in position.legal_moves(paths=True)})
