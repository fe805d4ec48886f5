"""Draw rules of draughts besides repetition. The core counts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tablemen import _core
from tablemen.draws import DrawRule, Ply, type_problems
from tablemen.enums import Named, NamedFlag
from tablemen.validation import is_int

if TYPE_CHECKING:
    from tablemen._core import Move, Position

Range: TypeAlias = tuple[int, int]  # minimum and maximum

NO_LIMIT = 1024  # the maximum number of squares on a board
ANY: Range = (0, NO_LIMIT)


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
        """Whether this is a king without other pieces."""
        return self.pieces == self.kings == (1, 1)

    def __str__(self) -> str:
        kinds = [each for each in ((self.kings, "king", "kings"), (self.men, "man", "men")) if each[0] != ANY]
        if self.pieces == self.kings and _is_single(self.kings):
            text = _format_amount(self.kings, "king", "kings")
        elif self.pieces == ANY:
            text = " and ".join(_format_amount(*each) for each in kinds) or "any pieces"
        else:
            text = _format_amount(self.pieces, "piece", "pieces")
            text += "".join(f", {_format_range(numbers)} of them {plural}" for numbers, _, plural in kinds)
        if not self.on_long_diagonal:
            return text
        return f"{text} on the long diagonal" if self.pieces == (1, 1) else f"{text}, one on the long diagonal"


@dataclass(frozen=True)
class Material:
    """The material of both sides: either side has the force `one`, and its opponent the `other`."""

    one: Force
    other: Force
    total: Range = ANY  # number of pieces on the board

    @property
    def has_place(self) -> bool:
        """Whether the squares of kings matter, not only the numbers of pieces."""
        return self.one.on_long_diagonal or self.other.on_long_diagonal

    def __str__(self) -> str:
        if self.one == self.other == Force(kings=(1, NO_LIMIT)):
            return f"{_format_range(self.total)} pieces on the board and kings on both sides"
        board = "" if self.total == ANY else f", {_format_range(self.total)} pieces on the board"
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
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_int, value)) and value[0] <= value[1]


def _format_range(numbers: Range) -> str:
    minimum, maximum = numbers
    if maximum >= NO_LIMIT:
        return f"{minimum} or more"
    return str(minimum) if _is_single(numbers) else f"{minimum}-{maximum}"


def _is_single(numbers: Range) -> bool:
    return numbers[0] == numbers[1]


def _format_amount(numbers: Range, singular: str, plural: str) -> str:
    return {(0, 0): f"no {plural}", (1, 1): f"a {singular}"}.get(numbers, f"{_format_range(numbers)} {plural}")


DraughtsPly: TypeAlias = "Ply[Position, Move]"


class ZeroingMove(NamedFlag):
    """Kinds of moves that reset a count of moves; combine them with `|`."""

    CAPTURE = 1
    MAN_MOVE = 2
    CROWNING = 4


class Threat(Named):
    """The exception under which a game with drawn material continues."""

    NONE = "none"  # no exception
    CAPTURE = "capture"  # the side to move can capture
    FORCED_WIN = "forced win"  # one side wins by force; for one king against one king only


class _CoreRule(DrawRule):
    """A draw rule that the core counts.

    `Game` counts the rules of a rule set with `_core.DrawCounters`, all at once. These methods count one rule: for
    subclasses, and for limits that are too large for the counters.
    """

    def begin(self, position: Position) -> int | None:
        """Return the count in a position that a game begins with; None if the rule does not apply to it."""
        return _core.begin_draw_count(self, position)

    def advance(self, count: int | None, ply: DraughtsPly) -> int | None:
        """Return the count after one more move, given the count before it."""
        return _core.advance_draw_count(self, count, ply.before, ply.move, ply.after)


@dataclass(frozen=True)
class MoveCount(_CoreRule):
    """A number of moves, of both sides together, without a zeroing move or without a change of the material.

    The count begins at the move that led to the material, or at the last zeroing move. With `within`, moves are counted
    only while that material is on the board, including a king on the long diagonal if the material requires it.

    >>> from tablemen import Termination
    >>> resets = ZeroingMove.CAPTURE | ZeroingMove.MAN_MOVE
    >>> print(MoveCount(50, termination=Termination.KING_MOVES, resets=resets))
    25 moves each without a capture or a man's move
    """

    plies: int
    resets: ZeroingMove = field(default=ZeroingMove(0), kw_only=True)
    within: Material | None = field(default=None, kw_only=True)  # count only with this material
    outside: Material | None = field(default=None, kw_only=True)  # do not count with this material

    @property
    def limit(self) -> int:
        """The count at which the game is drawn."""
        return self.plies

    def problems(self) -> Iterator[str]:
        """Yield the problems of the rule."""
        yield from super().problems()
        if not is_int(self.plies, minimum=1):
            yield f"plies must be a whole number of at least 1, not {self.plies!r}"
        yield from type_problems(self, resets=ZeroingMove)
        for name in ("within", "outside"):
            material = getattr(self, name)
            if material is not None and not is_material(material):
                yield f"{name} must be a Material of ranges, not {material!r}"
            elif material is not None and name == "outside" and material.has_place:
                yield "outside cannot require the long diagonal"

    def __str__(self) -> str:
        words = {
            ZeroingMove.CAPTURE: "a capture",
            ZeroingMove.MAN_MOVE: "a man's move",
            ZeroingMove.CROWNING: "a crowning",
        }
        moves, odd = divmod(self.plies, 2)
        each = f"{moves} move{'' if moves == 1 else 's'} each"
        text = f"{self.plies} moves of both sides together" if odd else each
        if self.resets:
            text += f" without {' or '.join(words[flag] for flag in self.resets)}"
        if self.within is not None:
            text += f" with {self.within}"
        if self.outside is not None:
            text += f", except with {self.outside}"
        return text


@dataclass(frozen=True)
class DrawnMaterial(_CoreRule):
    """Material that is an immediate draw. The count is 1 with this material, but 0 while the exception `unless` holds.

    >>> from tablemen import Termination
    >>> from tablemen.draughts.draws import Force
    >>> king = Force(pieces=(1, 1), kings=(1, 1))
    >>> kings = Material(king, king)
    >>> print(DrawnMaterial(kings, termination=Termination.KING_AGAINST_KING, unless=Threat.FORCED_WIN))
    a king against a king, at once, unless one side wins by force
    """

    material: Material
    unless: Threat = field(default=Threat.NONE, kw_only=True)

    @property
    def limit(self) -> int:
        """The count at which the game is drawn: 1."""
        return 1

    def problems(self) -> Iterator[str]:
        """Yield the problems of the rule."""
        yield from super().problems()
        if not is_material(self.material):
            yield f"material must be a Material of ranges, not {self.material!r}"
        elif self.unless is Threat.FORCED_WIN and not (
            self.material.one.is_lone_king and self.material.other.is_lone_king
        ):
            yield f"unless can be {self.unless!r} only for one king against one king"
        yield from type_problems(self, unless=Threat)

    def __str__(self) -> str:
        exceptions = {
            Threat.NONE: "",
            Threat.CAPTURE: ", unless the side to move can capture",
            Threat.FORCED_WIN: ", unless one side wins by force",
        }
        return f"{self.material}, at once{exceptions[self.unless]}"
