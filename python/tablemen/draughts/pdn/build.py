"""The tree of a game, from what the scanner found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tablemen._core import Move, PdnScan, Position
from tablemen.draughts.pdn.game import PdnGame
from tablemen.draughts.pdn.line import UNKNOWN_MOVE, Nag, Note, PdnLine, PdnNode
from tablemen.draughts.pdn.result import NO_RESULT
from tablemen.draughts.pdn.scene import Opening, SceneError, with_turn
from tablemen.outcome import Side

_NO_SEPARATOR = re.compile(r"(?<=[0-9])(?=[a-wyz][0-9])")  # between the squares of a3b4
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


class ScannedGame(PdnGame):
    """A game that was read and checked; its tags and its tree are made when they are first asked for."""

    __slots__ = ("_opening", "_scan")

    def __init__(self, scan: PdnScan, opening: Opening) -> None:
        self._scan = scan
        self._opening = opening
        self._start = opening.start
        if opening.scenes:
            self._check_scenes()

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags as they stand in the file, in their order."""
        if not hasattr(self, "_tags"):
            self._tags = MappingProxyType(self._make_tags())
        return self._tags

    @property
    def line(self) -> PdnLine:
        """The main line, with everything that hangs on it."""
        if not hasattr(self, "_line"):
            self._line = self._make_line()
        return self._line

    @property
    def written_result(self) -> str | None:
        """The result that stands behind the moves in the file, if there is one; the tag is what counts."""
        return self._scan.result

    def end(self) -> Position | None:
        """The position after the main line; None where it is not known."""
        return self._scan.end(self._start, self._opening.scenes)

    def _make_tags(self) -> dict[str, str]:
        tags = {name: value for name, value, _ in self._scan.tags()}
        if self._scan.result not in (None, NO_RESULT) and tags.get("Result", "") in ("", "?", NO_RESULT):
            tags["Result"] = str(self._scan.result)  # behind the moves it counts where no tag tells it
        return tags

    def _make_line(self) -> PdnLine:
        line = _Line(self._start)
        outer: list[_Line] = []
        skip_setup = self._opening.begins_with_setup
        for word, value in self._scan.events(self._start, self._opening.scenes):
            if word == "move":
                line.add_move(*value)
            elif word == "strength":
                line.strength = value
            elif word == "open":
                outer.append(line)
                line = _Line(line.before_last())
            elif word == "close":
                variation, line = line.finish(), outer.pop()
                if variation.nodes or variation.notes:  # else it says nothing
                    line.notes.append(variation)
            elif word != "setup":
                line.notes.append(Nag(value) if word == "nag" else value)
            elif skip_setup:
                skip_setup = False
            else:
                line.set_up(value)
        return line.finish()

    def _check_scenes(self) -> None:
        """That every set-up has a position to change. Raises `SceneError`."""
        try:
            self._make_line()
        except NoPositionError as error:
            raise SceneError(str(error), self._scan.setups()[0][1]) from error


class NoPositionError(Exception):
    """A set-up that only changes the turn where the position is not known."""


class _Line:
    """A line that grows."""

    def __init__(self, start: Position | None) -> None:
        self.start = start
        self.nodes: list[PdnNode] = []
        self.first_notes: list[Note] = []
        self.notes = self.first_notes  # of the last move, or those before the first
        self.move: Move | str | None = None
        self.strength = ""
        # The last known position and the moves since: positions are asked for seldom.
        self.known = start
        self.since: list[Move | str] = []

    def add_move(self, move: Move | None, text: str) -> None:
        """The next move, or its text where it is not known."""
        self._close_node()
        self.move = move if move is not None else _plain(text)
        self.since.append(self.move)
        self.notes = []

    def set_up(self, scene: Position | Side) -> None:
        """A set-up: the line goes on from there."""
        position = scene if isinstance(scene, Position) else self._now()
        if position is None:
            raise NoPositionError("a set-up that only changes the turn needs a known position before it")
        if isinstance(scene, Side):
            position = with_turn(position, scene)
        self.notes.append(position)
        self.known, self.since = position, []

    def before_last(self) -> Position | None:
        """Where a variation begins: before the last move, or here where there is none yet."""
        last = self.since.pop() if self.since else None
        position = self._now()
        if last is not None:
            self.since.append(last)
        return position

    def _now(self) -> Position | None:
        """The position after the moves so far."""
        for move in self.since:
            self.known = None if self.known is None or isinstance(move, str) else self.known.play_unchecked(move)
        self.since = []
        return self.known

    def _close_node(self) -> None:
        if self.move is not None:
            self.nodes.append(PdnNode(self.move, self.strength, tuple(self.notes)))
        self.strength = ""

    def finish(self) -> PdnLine:
        """The line as a value."""
        self._close_node()
        return PdnLine(self.start, tuple(self.nodes), tuple(self.first_notes))


def _plain(text: str) -> str:
    """A move that cannot be checked, spelt as others are; or the sign for one that is not told."""
    squares = "".join(text.split()).lower()
    if not any(map(str.isdigit, squares)):
        return UNKNOWN_MOVE
    squares = f"{squares[:2]}-{squares[2:]}" if squares.isdigit() else _NO_SEPARATOR.sub("-", squares)
    return _LEADING_ZEROS.sub("", squares)
