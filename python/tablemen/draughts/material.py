"""Material: how many men and kings each side has, as draw rules describe it. The core compares it with positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablemen.number import is_whole

Range: TypeAlias = tuple[int, int]  # from the first to the second, both included

MANY = 1024  # no board has more squares
ANY: Range = (0, MANY)


@dataclass(frozen=True)
class Force:
    """The material of a side: numbers of pieces, kings and men, and whether a king must stand on the long diagonal.

    The long diagonals are those that end in a corner.

    >>> print(Force(pieces=(3, 3), kings=(1, 3)))
    3 pieces, 1-3 of them kings
    """

    pieces: Range = ANY
    kings: Range = ANY
    men: Range = ANY
    on_long_diagonal: bool = False

    @property
    def is_lone_king(self) -> bool:
        """Whether it is one king and nothing else."""
        return self.pieces == self.kings == (1, 1)

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
    """The material of both sides: one side has the one force and its opponent the other, whichever is White."""

    one: Force
    other: Force
    total: Range = ANY  # of pieces on the board

    @property
    def has_place(self) -> bool:
        """Whether it depends on where kings stand."""
        return self.one.on_long_diagonal or self.other.on_long_diagonal

    def __str__(self) -> str:
        if self.one == self.other == Force(kings=(1, MANY)):
            return f"{_numbers(self.total)} pieces on the board and kings on both sides"
        board = "" if self.total == ANY else f", {_numbers(self.total)} pieces on the board"
        return f"{self.one} against {self.other}{board}"


def is_material(value: object) -> bool:
    """Return whether the value is a Material whose fields have the right types."""
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


def _numbers(numbers: Range) -> str:
    least, most = numbers
    if most >= MANY:
        return f"{least} or more"
    return str(least) if _is_one_number(numbers) else f"{least}-{most}"


def _is_one_number(numbers: Range) -> bool:
    return numbers[0] == numbers[1]


def _amount(numbers: Range, one: str, many: str) -> str:
    return {(0, 0): f"no {many}", (1, 1): f"a {one}"}.get(numbers, f"{_numbers(numbers)} {many}")
