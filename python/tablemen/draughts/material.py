"""Who has how much: what the draw rules of draughts look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tablemen.draughts.piece import Kind
from tablemen.number import is_whole
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen._core import Position

Range: TypeAlias = tuple[int, int]  # from the first to the second, both included

MANY = 1024  # no board has more squares
ANY: Range = (0, MANY)


class Count(NamedTuple):
    """How many pieces a side has."""

    men: int
    kings: int


@dataclass(frozen=True)
class Force:
    """What a side has: how many pieces, kings and men, and whether one of its kings stands on the long diagonal.

    >>> print(Force(pieces=(3, 3), kings=(1, 3)))
    3 pieces, 1-3 of them kings
    """

    pieces: Range = ANY
    kings: Range = ANY
    men: Range = ANY
    on_long_diagonal: bool = False

    def fits(self, count: Count) -> bool:
        """Whether so many pieces are such a force."""
        held = ((count.kings, self.kings), (count.men, self.men), (count.men + count.kings, self.pieces))
        return all(least <= number <= most for number, (least, most) in held)

    def __str__(self) -> str:
        told = [each for each in ((self.kings, "king", "kings"), (self.men, "man", "men")) if each[0] != ANY]
        if self.pieces == self.kings and _is_one_number(self.kings):
            text = _amount(self.kings, "king", "kings")
        elif self.pieces == ANY:
            text = " and ".join(_amount(*each) for each in told) or "any pieces"
        else:
            text = _amount(self.pieces, "piece", "pieces")
            text += "".join(f", {_numbers(numbers)} of them {many}" for numbers, _, many in told)
        if not self.on_long_diagonal:
            return text
        return f"{text} on the long diagonal" if self.pieces == (1, 1) else f"{text}, one on the long diagonal"


@dataclass(frozen=True)
class Material:
    """What both sides have: one side the one force and its opponent the other, whichever is White."""

    one: Force
    other: Force
    total: Range = ANY  # of pieces on the board

    @property
    def has_place(self) -> bool:
        """Whether it matters where kings stand."""
        return self.one.on_long_diagonal or self.other.on_long_diagonal

    def fits(self, position: Position) -> bool:
        """Whether the numbers of pieces are such; where they stand is not looked at."""
        white, black = _counts(position)
        least, most = self.total
        return least <= sum(white) + sum(black) <= most and (
            (self.one.fits(white) and self.other.fits(black)) or (self.one.fits(black) and self.other.fits(white))
        )

    def is_placed(self, position: Position) -> bool:
        """Whether a side that must hold the long diagonal does, in a position whose numbers fit."""
        if not self.has_place:
            return True
        counts = dict(zip((Side.WHITE, Side.BLACK), _counts(position), strict=True))
        return any(
            self.one.fits(counts[side])
            and self.other.fits(counts[side.opponent])
            and (not self.one.on_long_diagonal or _holds_long_diagonal(position, side))
            and (not self.other.on_long_diagonal or _holds_long_diagonal(position, side.opponent))
            for side in Side
        )

    def __str__(self) -> str:
        if self.one == self.other == Force(kings=(1, MANY)):
            return f"{_numbers(self.total)} pieces on the board and kings on both sides"
        board = "" if self.total == ANY else f", {_numbers(self.total)} pieces on the board"
        return f"{self.one} against {self.other}{board}"


def is_material(value: object) -> bool:
    """Whether the value is material whose parts are what they should be."""
    return (
        isinstance(value, Material)
        and _is_range(value.total)
        and all(_is_force(getattr(value, name)) for name in ("one", "other"))
    )


def _is_force(value: object) -> bool:
    return (
        isinstance(value, Force)
        and all(map(_is_range, (value.pieces, value.kings, value.men)))
        and isinstance(value.on_long_diagonal, bool)
    )


def _is_range(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_whole, value)) and value[0] <= value[1]


def _counts(position: Position) -> tuple[Count, Count]:
    """What White and Black have."""
    count = position.letters().count
    return Count(count("w"), count("W")), Count(count("b"), count("B"))


def _holds_long_diagonal(position: Position, side: Side) -> bool:
    """Whether a king of the side stands on a diagonal that ends in a corner: on a square board, the longest."""
    last_row, last_column = position.variant.rows - 1, position.variant.columns - 1
    return any(
        abs(square.row - row) == abs(square.column - column)
        for square in position.squares(side, Kind.KING)
        for row in (0, last_row)
        for column in (0, last_column)
    )


def _numbers(numbers: Range) -> str:
    least, most = numbers
    if most >= MANY:
        return f"{least} or more"
    return str(least) if _is_one_number(numbers) else f"{least}-{most}"


def _is_one_number(numbers: Range) -> bool:
    return numbers[0] == numbers[1]


def _amount(numbers: Range, one: str, many: str) -> str:
    return {(0, 0): f"no {many}", (1, 1): f"a {one}"}.get(numbers, f"{_numbers(numbers)} {many}")
