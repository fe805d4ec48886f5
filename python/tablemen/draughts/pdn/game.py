"""A recorded game: its tags and its game tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Self

from tablemen._core import Move, Position
from tablemen.draughts.pdn.line import PdnLine, PdnNode, last_setup
from tablemen.draughts.pdn.result import NO_RESULT, Result, parse_result
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError, TablemenError

# The writer derives these tags from the game itself.
DERIVED_TAGS = ("GameType", "Variant", "FEN", "Result")


class PdnGame:
    """A game of a PDN file: its tags in order, and its game tree of moves, variations and annotations.

    Games are equal when variant, start, result, moves, notes and all other tags are. The spelling in the file and the
    order of the tags do not count.

    >>> from tablemen.draughts import Position
    >>> start = Position.start("international")
    >>> game = PdnGame.from_moves(start, start.legal_moves()[:1], {"White": "Ann", "Result": "2-0"})
    >>> game.result, game.variant.name, [str(move) for move in game.moves]
    (Result.WHITE, 'international', ['31-27'])
    """

    __slots__ = ("_line", "_start", "_tags")

    def __init__(self, line: PdnLine, tags: Mapping[str, str] | None = None) -> None:
        if not isinstance(line, PdnLine):
            raise ArgumentError("line", line, "a PdnLine")
        if line.start is None:
            raise TablemenError("the main line of a game needs a position to start from")
        self._start = line.start
        self._line = line
        self._tags = MappingProxyType(_checked_tags(tags or {}))

    @classmethod
    def from_moves(cls, start: Position, moves: Iterable[Move], tags: Mapping[str, str] | None = None) -> Self:
        """Make a game of moves without annotations."""
        return cls(PdnLine.from_moves(start, moves), tags)

    @property
    def start(self) -> Position:
        """The start position."""
        return self._start

    @property
    def variant(self) -> DraughtsRules:
        """The rules of the game."""
        return self._start.variant

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags, in their order."""
        return self._tags

    @property
    def line(self) -> PdnLine:
        """The main line, with its variations and annotations."""
        return self._line

    @property
    def nodes(self) -> tuple[PdnNode, ...]:
        """The nodes of the main line."""
        return self.line.nodes

    @property
    def moves(self) -> tuple[Move | str, ...]:
        """The moves of the main line; a text for an unknown or unchecked move."""
        return self.line.moves

    @property
    def result(self) -> Result | None:
        """The result in the tag Result; None if it is not a result of the standard."""
        return parse_result(self.tags.get("Result", NO_RESULT))

    @property
    def written_result(self) -> str | None:
        """The result after the moves in the file, or None; the tag has precedence."""
        return None

    def end(self) -> Position | None:
        """Return the position after the main line; None if it is unknown."""
        return self.positions()[-1]

    def positions(self) -> list[Position | None]:
        """Return the positions of the main line, from the start on; None for an unknown position."""
        return self.line.positions()

    def svg(self, **options: Any) -> str:
        """Draw the last known position with its last move; options are those of `Position.svg`."""
        known = [(place, position) for place, position in enumerate(self.positions()) if position is not None]
        place, position = known[-1]
        node = self.nodes[place - 1] if place else None
        # After a set-up the position is not the result of the move before it.
        if node is not None and isinstance(node.move, Move) and last_setup(node.notes, None) is None:
            options = {"last_move": node.move, **options}
        return position.svg(**options)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _key(self) -> tuple[object, ...]:
        others = frozenset((name, value) for name, value in self.tags.items() if name not in DERIVED_TAGS)
        result = self.result
        return self.start, others, self.tags["Result"] if result is None else result, self.line

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, PdnGame) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        return (PdnGame, (self.line, dict(self.tags)))

    def __repr__(self) -> str:
        return f"PdnGame({self.line!r}, {dict(self.tags)!r})"


def _checked_tags(tags: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(tags, Mapping):
        raise ArgumentError("tags", tags, "a mapping of names to values")
    for name, value in tags.items():
        if not isinstance(name, str):
            raise ArgumentError("a tag's name", name, "a str")
        if not isinstance(value, str):
            raise ArgumentError(f"tags[{name!r}]", value, "a str")
    return dict(tags)
