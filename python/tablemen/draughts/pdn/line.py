"""The moves of a written game: lines of nodes, and what is written between them."""

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
LARGEST_NAG = 65_535


class Nag(int):
    """A numeric annotation glyph, `$7`: an `int` that knows what it means.

    >>> Nag(7), Nag(7).meaning
    (Nag(7), 'forced move')
    """

    def __new__(cls, number: int) -> Self:
        """The glyph with this number. Raises `ArgumentError` unless it is one from 0 to 65535."""
        if number not in range(LARGEST_NAG + 1):
            raise ArgumentError("number", number, f"a number from 0 to {LARGEST_NAG}")
        return super().__new__(cls, number)

    @property
    def meaning(self) -> str:
        """What it says, in words; empty where it is none of the common ones."""
        return NAG_MEANINGS.get(self, "")

    def __repr__(self) -> str:
        return f"Nag({int(self)})"


Note: TypeAlias = "str | Nag | PdnLine | Position"  # a comment, a glyph, a variation, a set-up
Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class PdnNode:
    """A move and what is written behind it.

    `move` is a text where it is not known: `...` for one that is not told, or the squares where the position before it
    is not known. `notes` has, in order, comments (`str`), glyphs (`Nag`), variations (`PdnLine`: other ways to go on
    instead of this move) and set-ups (`Position`: it goes on from there).
    """

    move: Move | str
    strength: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments behind the move."""
        return _only(self.notes, str)

    @property
    def nags(self) -> tuple[Nag, ...]:
        """The glyphs behind the move."""
        return _only(self.notes, Nag)

    @property
    def variations(self) -> tuple[PdnLine, ...]:
        """The other ways to go on instead of this move."""
        return _only(self.notes, PdnLine)

    @property
    def clocks(self) -> dict[str, timedelta]:
        """The times in the comments behind the move, as `[%clk 0:01:05]` has them, by the name of the command."""
        found: dict[str, timedelta] = {}
        for comment in self.comments:
            found |= read_clocks(comment)
        return found

    @property
    def clock(self) -> timedelta | None:
        """The time left to the side that has moved, if a comment tells it."""
        return self.clocks.get("clk")


@dataclass(frozen=True, slots=True)
class PdnLine:
    """Moves from a position on. `notes` stand before the first; `start` is None where the position is not known."""

    start: Position | None
    nodes: tuple[PdnNode, ...] = ()
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_moves(cls, start: Position, moves: Iterable[Move]) -> Self:
        """A line of moves alone. Raises `ArgumentError` where one is not a `Move`."""
        moves = tuple(moves)
        for index, move in enumerate(moves):
            if not isinstance(move, Move):
                raise ArgumentError(f"moves[{index}]", move, "a Move")
        return cls(start, tuple(map(PdnNode, moves)))

    @property
    def moves(self) -> tuple[Move | str, ...]:
        """The moves alone."""
        return tuple(node.move for node in self.nodes)

    @property
    def comments(self) -> tuple[str, ...]:
        """The comments before the first move."""
        return _only(self.notes, str)

    def positions(self) -> list[Position | None]:
        """The position at the start and after every node, set-ups included; None where it is not known.

        Raises `IllegalMoveError` where a move cannot be played.
        """
        positions = [last_setup(self.notes, self.start)]
        for node in self.nodes:
            before = positions[-1]
            after = None if before is None or isinstance(node.move, str) else before.play(node.move)
            positions.append(last_setup(node.notes, after))
        return positions


def last_setup(notes: Iterable[Note], position: Position | None) -> Position | None:
    """Where it goes on behind the notes: at the last of their set-ups, or where it was."""
    for note in notes:
        if isinstance(note, Position):
            position = note
    return position


def _only(notes: Iterable[Note], kind: type[Kept]) -> tuple[Kept, ...]:
    return tuple(note for note in notes if isinstance(note, kind))
