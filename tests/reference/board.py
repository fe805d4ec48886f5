"""The board: playable places, and the steps of a side."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from tablemen import Side
from tablemen.draughts.board import Playable
from tablemen.draughts.rules import Direction

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablemen.draughts import DraughtsRules

Place: TypeAlias = tuple[int, int]  # row, column
Step: TypeAlias = tuple[int, int]  # rows down, columns to the right

# From White's point of view: forward is up the board.
STEPS: dict[Direction, Step] = {
    Direction.FORWARD: (-1, 0),
    Direction.FORWARD_RIGHT: (-1, 1),
    Direction.RIGHT: (0, 1),
    Direction.BACKWARD_RIGHT: (1, 1),
    Direction.BACKWARD: (1, 0),
    Direction.BACKWARD_LEFT: (1, -1),
    Direction.LEFT: (0, -1),
    Direction.FORWARD_LEFT: (-1, -1),
}


def is_playable(rules: DraughtsRules, place: Place) -> bool:
    """Return whether the place is on the board and has the playable colour."""
    row, column = place
    if not (0 <= row < rules.rows and 0 <= column < rules.columns):
        return False
    if rules.playable is Playable.ALL:
        return True
    rows_from_corner, columns_from_corner = rules.rows - 1 - row, column
    is_corner_colour = (rows_from_corner + columns_from_corner) % 2 == 0
    return is_corner_colour == rules.corner_playable


def playable_places(rules: DraughtsRules) -> list[Place]:
    """Return the playable places, row by row from the top left."""
    board = ((row, column) for row in range(rules.rows) for column in range(rules.columns))
    return [place for place in board if is_playable(rules, place)]


def steps(rules: DraughtsRules, side: Side, directions: Direction) -> tuple[Step, ...]:
    """Return a step to the next playable place for each of the directions."""
    return _steps(side, directions, one_colour=rules.playable is Playable.ONE_COLOUR)


@cache
def _steps(side: Side, directions: Direction, *, one_colour: bool) -> tuple[Step, ...]:
    sign = 1 if side is Side.WHITE else -1  # directions of Black are turned around
    found = []
    for direction in directions:
        down, right = STEPS[direction]
        # On a board of one colour, only every second place of a row or column is playable.
        length = 2 if one_colour and 0 in (down, right) else 1
        found.append((sign * length * down, sign * length * right))
    return tuple(found)


@lru_cache(maxsize=64)
def lines(rules: DraughtsRules) -> Callable[[Place, Step], tuple[Place, ...]]:
    """Return a cached function that lists the places from a place to the edge, step by step."""

    @cache
    def line(place: Place, step: Step) -> tuple[Place, ...]:
        (row, column), (down, right) = place, step
        found = []
        while is_playable(rules, (row := row + down, column := column + right)):
            found.append((row, column))
        return tuple(found)

    return line


def is_far_row(rules: DraughtsRules, side: Side, place: Place) -> bool:
    """Return whether the place is on the row where men of the side are crowned."""
    return place[0] == (0 if side is Side.WHITE else rules.rows - 1)
