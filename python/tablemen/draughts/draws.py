"""The kinds of draw rules that draughts has besides repetition.

All of them look at what is on the board. That changes by captures and crowning alone, so after any other move a rule
that did not apply before does not apply now, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tablemen.draughts.material import Material, is_material
from tablemen.draughts.piece import Kind
from tablemen.draws import DrawRule, Ply, type_problems
from tablemen.named import Named, NamedFlag
from tablemen.number import is_whole

if TYPE_CHECKING:
    from tablemen._core import Move, Position

DraughtsPly: TypeAlias = "Ply[Position, Move]"


class Progress(NamedFlag):
    """What makes a count of moves begin anew; combine with `|`."""

    CAPTURE = 1
    MAN_MOVE = 2
    CROWNING = 4


class Threat(Named):
    """What keeps drawn material in play for now."""

    NONE = "none"  # it is drawn whatever comes
    CAPTURE = "capture"  # the side to move can capture
    LOSS = "loss"  # that, or it can be captured next whatever it moves


@dataclass(frozen=True)
class MoveCount(DrawRule):
    """So many moves, of both sides together, without progress or without the material changing.

    They are counted from the move that brought the material about, or from the last progress.

    >>> from tablemen import Termination
    >>> resets = Progress.CAPTURE | Progress.MAN_MOVE
    >>> print(MoveCount(50, termination=Termination.KING_MOVES, resets=resets))
    25 moves each without a capture or a man's move
    """

    plies: int
    resets: Progress = field(default=Progress(0), kw_only=True)
    within: Material | None = field(default=None, kw_only=True)  # counted with this material only
    outside: Material | None = field(default=None, kw_only=True)  # not counted with this

    @property
    def limit(self) -> int:
        """The count at which the game is drawn."""
        return self.plies

    def begin(self, position: Position) -> int | None:
        """Nothing counted yet; None with other material."""
        return 0 if self._applies(position) else None

    def advance(self, count: int | None, ply: DraughtsPly) -> int | None:
        """One more, nothing after progress; None with other material."""
        if ply.move.is_capture or ply.move.crowns:
            if not self._applies(ply.after):
                return None
        elif count is None:
            return None
        if count is None or self._is_progress(ply) or not self._is_placed(ply):
            return 0
        return count + 1

    def _applies(self, position: Position) -> bool:
        inside = self.within is None or self.within.fits(position)
        return inside and not (self.outside is not None and self.outside.fits(position))

    def _is_progress(self, ply: DraughtsPly) -> bool:
        if Progress.CAPTURE in self.resets and ply.move.is_capture:
            return True
        if Progress.CROWNING in self.resets and ply.move.crowns:
            return True
        if Progress.MAN_MOVE not in self.resets:
            return False
        piece = ply.before.piece_at(ply.move.start)
        return piece is not None and piece.kind is Kind.MAN

    def _is_placed(self, ply: DraughtsPly) -> bool:
        """Whether the long diagonal was held before and after the move, where that is asked for."""
        if self.within is None or not self.within.has_place:
            return True
        return self.within.is_placed(ply.before) and self.within.is_placed(ply.after)

    def problems(self) -> Iterator[str]:
        """What makes the rule meaningless, in words."""
        yield from super().problems()
        if not is_whole(self.plies, least=1):
            yield f"plies is {self.plies!r}, not a whole number from 1 up"
        yield from type_problems(self, resets=Progress)
        for name in ("within", "outside"):
            material = getattr(self, name)
            if material is not None and not is_material(material):
                yield f"{name} is {material!r}, not a Material of ranges"
            elif material is not None and name == "outside" and material.has_place:
                yield "outside cannot ask for the long diagonal"

    def __str__(self) -> str:
        words = {
            Progress.CAPTURE: "a capture",
            Progress.MAN_MOVE: "a man's move",
            Progress.CROWNING: "a crowning",
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
class DrawnMaterial(DrawRule):
    """Material that is a draw at once. The count is 1 when it is, and 0 while a threat keeps the game going."""

    material: Material
    unless: Threat = field(default=Threat.NONE, kw_only=True)

    @property
    def limit(self) -> int:
        """The count at which the game is drawn."""
        return 1

    def begin(self, position: Position) -> int | None:
        """1 where it is drawn, 0 where a threat hangs; None with other material."""
        return self._count(position) if self.material.fits(position) else None

    def advance(self, count: int | None, ply: DraughtsPly) -> int | None:
        """The same after a move."""
        if ply.move.is_capture or ply.move.crowns:
            return self.begin(ply.after)
        return None if count is None else self._count(ply.after)

    def _count(self, position: Position) -> int:
        return int(self.material.is_placed(position) and not self._is_threatened(position))

    def _is_threatened(self, position: Position) -> bool:
        if self.unless is Threat.NONE:
            return False
        if _can_capture(position):
            return True
        return self.unless is Threat.LOSS and all(_can_capture(position.play(move)) for move in position.legal_moves())

    def problems(self) -> Iterator[str]:
        """What makes the rule meaningless, in words."""
        yield from super().problems()
        if not is_material(self.material):
            yield f"material is {self.material!r}, not a Material of ranges"
        yield from type_problems(self, unless=Threat)

    def __str__(self) -> str:
        exceptions = {
            Threat.NONE: "",
            Threat.CAPTURE: ", unless the side to move can capture",
            Threat.LOSS: ", unless the side to move can capture or is captured whatever it moves",
        }
        return f"{self.material}, at once{exceptions[self.unless]}"


def _can_capture(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())
