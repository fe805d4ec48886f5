"""Building the game tree of a scanned game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tablemen._core import Move, PdnScan, Position
from tablemen.draughts.pdn.game import NO_RESULT, UNKNOWN_MOVE, Nag, Note, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.start_position import GameStart, InvalidGameError, with_turn
from tablemen.outcome import Side

_NO_SEPARATOR = re.compile(r"(?<=[0-9])(?=[a-wyz][0-9])")  # between the squares of a3b4
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


class ScannedGame(PdnGame):
    """A game of a file with checked moves. Its tags and its tree are built on first use.

    Raises `InvalidGameError` if a set-up needs a known position and there is none.
    """

    __slots__ = ("_game_start", "_scan")

    def __init__(self, scan: PdnScan, start: GameStart) -> None:
        self._scan = scan
        self._game_start = start
        self._start = start.start
        if start.setups:
            self._check_setups()

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags of the file, in their order."""
        if not hasattr(self, "_tags"):
            self._tags = MappingProxyType(self._make_tags())
        return self._tags

    @property
    def line(self) -> PdnLine:
        """The main line, with its variations and annotations."""
        if not hasattr(self, "_line"):
            self._line = self._make_line()
        return self._line

    @property
    def written_result(self) -> str | None:
        """The result after the moves in the file, or None; the tag has precedence."""
        return self._scan.result

    def end(self) -> Position | None:
        """Return the position after the main line; None if it is unknown."""
        return self._scan.end(self._start, self._game_start.setups)

    def _make_tags(self) -> dict[str, str]:
        tags = {name: value for name, value, _ in self._scan.tags()}
        if self._scan.result not in (None, NO_RESULT) and tags.get("Result", "") in ("", "?", NO_RESULT):
            tags["Result"] = str(self._scan.result)  # the result after the moves replaces a missing tag
        return tags

    def _make_line(self) -> PdnLine:
        line = _LineBuilder(self._start)
        outer: list[_LineBuilder] = []
        skip_setup = self._game_start.begins_with_setup
        for word, value in self._scan.events(self._start, self._game_start.setups):
            if word == "move":
                line.add_move(*value)
            elif word == "strength":
                line.strength = value
            elif word == "open":
                outer.append(line)
                line = _LineBuilder(line.before_last())
            elif word == "close":
                variation, line = line.finish(), outer.pop()
                if variation.nodes or variation.notes:
                    line.notes.append(variation)
            elif word != "setup":
                line.notes.append(Nag(value) if word == "nag" else value)
            elif skip_setup:
                skip_setup = False
            else:
                line.set_up(value)
        return line.finish()

    def _check_setups(self) -> None:
        """Raise `InvalidGameError` if a set-up has no position to change."""
        try:
            self._make_line()
        except NoPositionError as error:
            raise InvalidGameError(str(error), self._scan.setups()[0][1]) from error


class NoPositionError(Exception):
    """A set-up changes only the turn, but the position is unknown."""


class _LineBuilder:
    """Builds a line move by move."""

    def __init__(self, start: Position | None) -> None:
        self.start = start
        self.nodes: list[PdnNode] = []
        self.first_notes: list[Note] = []
        self.notes = self.first_notes  # of the last move, or those before the first
        self.move: Move | str | None = None
        self.strength = ""
        # The last known position and the moves since: few positions are needed, so they are computed lazily.
        self.known = start
        self.since: list[Move | str] = []

    def add_move(self, move: Move | None, text: str) -> None:
        """Add a move, or its text if the move is unknown."""
        self._close_node()
        self.move = move if move is not None else _normalise(text)
        self.since.append(self.move)
        self.notes = []

    def set_up(self, change: Position | Side) -> None:
        """Add a set-up: the line continues from its position. Raises `NoPositionError`."""
        position = change if isinstance(change, Position) else self._current_position()
        if position is None:
            raise NoPositionError("a set-up that changes only the turn needs a known position before it")
        if isinstance(change, Side):
            position = with_turn(position, change)
        self.notes.append(position)
        self.known, self.since = position, []

    def before_last(self) -> Position | None:
        """Return the position in which a variation begins: before the last move, or the start of the line."""
        last = self.since.pop() if self.since else None
        position = self._current_position()
        if last is not None:
            self.since.append(last)
        return position

    def _current_position(self) -> Position | None:
        """Return the position after the moves so far."""
        for move in self.since:
            self.known = None if self.known is None or isinstance(move, str) else self.known.play_unchecked(move)
        self.since = []
        return self.known

    def _close_node(self) -> None:
        if self.move is not None:
            self.nodes.append(PdnNode(self.move, self.strength, tuple(self.notes)))
        self.strength = ""

    def finish(self) -> PdnLine:
        """Return the finished line."""
        self._close_node()
        return PdnLine(self.start, tuple(self.nodes), tuple(self.first_notes))


def _normalise(text: str) -> str:
    """Normalise the text of an unchecked move; `UNKNOWN_MOVE` if it has no squares."""
    squares = "".join(text.split()).lower()
    if not any(map(str.isdigit, squares)):
        return UNKNOWN_MOVE
    squares = f"{squares[:2]}-{squares[2:]}" if squares.isdigit() else _NO_SEPARATOR.sub("-", squares)
    return _LEADING_ZEROS.sub("", squares)
