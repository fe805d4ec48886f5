"""The game tree: lines of nodes with annotations and variations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Self, TypeAlias, TypeVar

from tablemen._core import Move, Position
from tablemen.draughts.pdn.clock import read_clocks
from tablemen.errors import ArgumentError

UNKNOWN_MOVE = "..."

NAG_MEANINGS: Mapping[int, str] = MappingProxyType(
    {
        1: "good move",
        2: "mistake",
        3: "very good move",
        4: "blunder",
        5: "interesting move",
        6: "doubtful move",
        7: "forced move",
        8: "the only reasonable move",
        9: "worst move",
        10: "drawish",
        11: "equal and quiet",
        12: "equal and active",
        13: "unclear",
        14: "White is slightly better",
        15: "Black is slightly better",
        16: "White is better",
        17: "Black is better",
        18: "White is winning",
        19: "Black is winning",
        22: "White is in zugzwang",
        23: "Black is in zugzwang",
        146: "novelty",
    }
)
MAX_NAG = 65_535


class Nag(int):
    """A numeric annotation glyph (NAG) like `$7`: an `int` with a meaning.

    >>> Nag(7), Nag(7).meaning
    (Nag(7), 'forced move')
    """

    def __new__(cls, number: int) -> Self:
        """Make the glyph with a number. Raises `ArgumentError` unless it is from 0 to 65535."""
        if number not in range(MAX_NAG + 1):
            raise ArgumentError("number", number, f"a number from 0 to {MAX_NAG}")
        return super().__new__(cls, number)

    @property
    def meaning(self) -> str:
        """The meaning in words; empty if it is not a common glyph."""
        return NAG_MEANINGS.get(self, "")

    def __repr__(self) -> str:
        return f"Nag({int(self)})"


Note: TypeAlias = "str | Nag | PdnLine | Position"  # a comment, a glyph, a variation, a set-up
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PdnNode:
    """A node of the game tree: a move and the annotations after it.

    `move` is a text if the move is unknown: `...` if it is not written, or its squares if the position before it is
    unknown. `notes` has, in order, comments (`str`), glyphs (`Nag`), variations (`PdnLine`: alternatives to this move)
    and set-ups (`Position`: the line continues from there).
    """

    move: Move | str
    strength: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments after the move."""
        return _only(self.notes, str)

    @property
    def nags(self) -> tuple[Nag, ...]:
        """The glyphs after the move."""
        return _only(self.notes, Nag)

    @property
    def variations(self) -> tuple[PdnLine, ...]:
        """The variations: alternatives to this move."""
        return _only(self.notes, PdnLine)

    @property
    def clocks(self) -> dict[str, timedelta]:
        """The clock times in the comments after the move, like `[%clk 0:01:05]`, by command."""
        found: dict[str, timedelta] = {}
        for comment in self.comments:
            found |= read_clocks(comment)
        return found

    @property
    def clock(self) -> timedelta | None:
        """The time left to the side that has moved, or None."""
        return self.clocks.get("clk")


@dataclass(frozen=True, slots=True)
class PdnLine:
    """A line of moves from a start position, which is None if it is unknown. `notes` come before the first move."""

    start: Position | None
    nodes: tuple[PdnNode, ...] = ()
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_moves(cls, start: Position, moves: Iterable[Move]) -> Self:
        """Make a line without annotations. Raises `ArgumentError` if one of the moves is not a `Move`."""
        moves = tuple(moves)
        for index, move in enumerate(moves):
            if not isinstance(move, Move):
                raise ArgumentError(f"moves[{index}]", move, "a Move")
        return cls(start, tuple(map(PdnNode, moves)))

    @property
    def moves(self) -> tuple[Move | str, ...]:
        """The moves without annotations."""
        return tuple(node.move for node in self.nodes)

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments before the first move."""
        return _only(self.notes, str)

    def positions(self) -> list[Position | None]:
        """Return the position at the start and after every node, set-ups included; None if it is unknown.

        Raises `IllegalMoveError` if a move cannot be played.
        """
        positions = [last_setup(self.notes, self.start)]
        for node in self.nodes:
            before = positions[-1]
            after = None if before is None or isinstance(node.move, str) else before.play(node.move)
            positions.append(last_setup(node.notes, after))
        return positions


def last_setup(notes: Iterable[Note], position: Position | None) -> Position | None:
    """Return the position of the last set-up in the notes, or the given position."""
    for note in notes:
        if isinstance(note, Position):
            position = note
    return position


def _only(notes: Iterable[Note], kind: type[T]) -> tuple[T, ...]:
    return tuple(note for note in notes if isinstance(note, kind))
