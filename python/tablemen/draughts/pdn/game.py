"""Recorded games: tags, results, and the game tree of moves, variations and annotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Self, TypeAlias, TypeVar

from tablemen._core import Move, Position
from tablemen.clock import parse_clock
from tablemen.draughts.rules import DraughtsRules
from tablemen.enums import Named
from tablemen.errors import ArgumentError, TablemenError
from tablemen.outcome import Side

NO_RESULT = "*"
TWO_POINT_GAME_TYPES = (20, 27)  # PDN, "GameType": the games with two points for a win


class Result(Named):
    """A result. The values are its texts in the two systems: one point for a win, and two points for a win."""

    WHITE = ("1-0", "2-0")
    BLACK = ("0-1", "0-2")
    DRAW = ("1/2-1/2", "1-1")
    BOTH_LOSE = ("0-0", "0-0")
    NONE = (NO_RESULT, NO_RESULT)


_BY_TEXT: Mapping[str, Result] = MappingProxyType({text: result for result in Result for text in result.value})


def parse_result(text: str) -> Result | None:
    """Parse a result of either system; return None if it is not a result.

    >>> parse_result("2-0") is parse_result("1-0") is Result.WHITE
    True
    """
    return _BY_TEXT.get(text.strip())


def format_result(result: Result, rules: DraughtsRules) -> str:
    """Return the text of a result in the system of the variant.

    >>> from tablemen.draughts import ENGLISH, INTERNATIONAL
    >>> format_result(Result.DRAW, ENGLISH), format_result(Result.DRAW, INTERNATIONAL)
    ('1/2-1/2', '1-1')
    """
    one_point, two_points = result.value
    return two_points if rules.game_type in TWO_POINT_GAME_TYPES else one_point


def get_result(winner: Side | None) -> Result:
    """Return the result for a winner, or for a draw if there is none."""
    return Result.DRAW if winner is None else Result.WHITE if winner is Side.WHITE else Result.BLACK


_COMMAND = re.compile(r"\[%(?P<name>clk|egt|emt|mct)\s+(?P<time>[0-9:.]+)\s*\]")
_CLOCK = re.compile(r"\[%clock\s+(?P<white>[wW])(?P<first>[0-9:.]+)\s+(?P<black>[bB])(?P<second>[0-9:.]+)\s*\]")


def parse_clocks(comment: str) -> dict[str, timedelta]:
    """Return the times in a comment, by command.

    `clk` is the time left, `emt` the time for the move, `egt` for the game, `mct` on a mechanical clock. If a comment
    has both clocks, they are `white` and `black`, and `clk` is that of the side that has moved.

    >>> parse_clocks("sharp! [%clk 0:01:05]")
    {'clk': datetime.timedelta(seconds=65)}
    >>> sorted(parse_clocks("[%clock w0:59:10 B1:00:00]"))
    ['black', 'clk', 'white']
    """
    found: dict[str, timedelta] = {}
    for match in _CLOCK.finditer(comment):
        times = {"white": _parse_time(match["first"]), "black": _parse_time(match["second"])}
        times["clk"] = times["white"] if match["white"] == "w" else times["black"]
        found |= {name: time for name, time in times.items() if time is not None}
    for match in _COMMAND.finditer(comment):
        time = _parse_time(match["time"])
        if time is not None:
            found[match["name"]] = time
    return found


def _parse_time(text: str) -> timedelta | None:
    seconds = parse_clock(text)
    return None if seconds is None else timedelta(seconds=seconds)


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
        """Make the glyph with this number. Raises `ArgumentError` if it is not from 0 to 65535."""
        if number not in range(MAX_NAG + 1):
            raise ArgumentError("number", number, f"a whole number from 0 to {MAX_NAG}")
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
        return _select(self.notes, str)

    @property
    def nags(self) -> tuple[Nag, ...]:
        """The glyphs after the move."""
        return _select(self.notes, Nag)

    @property
    def variations(self) -> tuple[PdnLine, ...]:
        """The variations: alternatives to this move."""
        return _select(self.notes, PdnLine)

    @property
    def clocks(self) -> dict[str, timedelta]:
        """The clock times in the comments after the move, like `[%clk 0:01:05]`, by command."""
        found: dict[str, timedelta] = {}
        for comment in self.comments:
            found |= parse_clocks(comment)
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
        return _select(self.notes, str)

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


def _select(notes: Iterable[Note], kind: type[T]) -> tuple[T, ...]:
    return tuple(note for note in notes if isinstance(note, kind))


# The writer derives these tags from the game itself.
DERIVED_TAGS = ("GameType", "Variant", "FEN", "Result")


class PdnGame:
    """A game of a PDN file: its tags in order, and its game tree of moves, variations and annotations.

    Games are equal if variant, start, result, moves, notes and all other tags are. The spelling in the file and the
    order of the tags are not compared.

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
            raise TablemenError("the main line of a game needs a start position")
        self._start = line.start
        self._line = line
        self._tags = MappingProxyType(_check_tags(tags or {}))

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


def _check_tags(tags: Mapping[str, str]) -> dict[str, str]:
    if not isinstance(tags, Mapping):
        raise ArgumentError("tags", tags, "a mapping of names to values")
    for name, value in tags.items():
        if not isinstance(name, str):
            raise ArgumentError("tag name", name, "a str")
        if not isinstance(value, str):
            raise ArgumentError(f"tags[{name!r}]", value, "a str")
    return dict(tags)
