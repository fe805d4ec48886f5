"""Squares with their numbers and names, and pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Self

from tablemen.enums import Named
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.draughts.rules import DraughtsRules


class Playable(Named):
    """Which squares of the board are used."""

    ONE_COLOUR = "one colour"
    ALL = "all"


class Notation(Named):
    """The names of squares."""

    NUMERIC = "numeric"  # 1, 2, 3 … along the rows
    ALGEBRAIC = "algebraic"  # a letter for the column, a number for the row
    ALGEBRAIC_VERTICAL = "algebraic, vertical"  # a letter for the row, a number for the column


class Corner(Named):
    """A corner of the board; the values are the codes of PDN's GameType."""

    BOTTOM_LEFT = 0
    BOTTOM_RIGHT = 1
    TOP_LEFT = 2
    TOP_RIGHT = 3

    def seen_by(self, side: Side) -> Corner:
        """Return the corner from a side's point of view, given the corner from White's."""
        return self if side is Side.WHITE else Corner(3 - self.value)


class Square(int):
    """A square: an `int`, its number on the board, with a name, a row and a column.

    An algebraic board is numbered from the top left, and its squares have algebraic names.

    >>> from tablemen.draughts import Position
    >>> square = Position.start("russian").legal_moves()[0].start
    >>> square.name, int(square), square.row, square.column
    ('a3', 21, 5, 0)
    """

    name: str
    row: int
    column: int

    def __new__(cls, number: int, name: str, row: int, column: int) -> Self:
        """Make the square with this number, name, row and column."""
        square = super().__new__(cls, number)
        vars(square).update(name=name, row=row, column=column)
        return square

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a square is immutable: {name} cannot be changed")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name if self.name.isdigit() else repr(self.name)

    def __reduce__(self) -> tuple[object, ...]:
        return (Square, (int(self), self.name, self.row, self.column))


def used_columns(rules: DraughtsRules) -> Iterator[slice]:
    """Return a slice of the playable columns for each row, from the top."""
    if rules.playable is Playable.ALL:
        return (slice(0, None, 1) for _ in range(rules.rows))
    parity = (rules.rows - 1 + (not rules.corner_playable)) % 2
    return (slice((row + parity) % 2, None, 2) for row in range(rules.rows))


def places(rules: DraughtsRules) -> Iterator[tuple[int, int]]:
    """Yield the row and column of every playable square, row by row from the top left."""
    for row, used in enumerate(used_columns(rules)):
        yield from ((row, column) for column in range(rules.columns)[used])


def number_squares(rules: DraughtsRules) -> tuple[Square, ...]:
    """Return the playable squares, row by row from the top left, with their names in the variant."""
    bottom = rules.first_square in (Corner.BOTTOM_LEFT, Corner.BOTTOM_RIGHT)
    right = rules.first_square in (Corner.BOTTOM_RIGHT, Corner.TOP_RIGHT)

    def from_corner(place: tuple[int, int]) -> tuple[int, int]:
        row, column = place
        return rules.rows - 1 - row if bottom else row, rules.columns - 1 - column if right else column

    board = list(places(rules))
    if rules.notation is Notation.NUMERIC:
        numbers = {place: number for number, place in enumerate(sorted(board, key=from_corner), start=1)}
        return tuple(Square(numbers[place], str(numbers[place]), *place) for place in board)
    squares = []
    for number, place in enumerate(board, start=1):
        row, column = from_corner(place)
        letter, digit = (column, row) if rules.notation is Notation.ALGEBRAIC else (row, column)
        squares.append(Square(number, f"{ascii_lowercase[letter]}{digit + 1}", *place))
    return tuple(squares)


def squares_by_text(squares: Iterable[Square]) -> dict[str, Square]:
    """Return the squares by name, and by number without leading zeros."""
    squares = tuple(squares)
    return {str(int(square)): square for square in squares} | {square.name: square for square in squares}


class Kind(Named):
    """A man or a king."""

    MAN = "man"
    KING = "king"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Piece:
    """A man or a king of a side.

    >>> str(Piece(Side.WHITE, Kind.KING))
    'W'
    """

    side: Side
    kind: Kind

    def __str__(self) -> str:
        letter = "w" if self.side is Side.WHITE else "b"
        return letter.upper() if self.kind is Kind.KING else letter
