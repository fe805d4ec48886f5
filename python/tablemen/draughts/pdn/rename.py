"""Conversion of games between numeric and algebraic square names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from tablemen._core import Move, Position
from tablemen.draughts.board import Corner, Kind, Notation, Square, squares_by_text
from tablemen.draughts.pdn.game import Note, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.start_position import UNKNOWN_VALUES, identify
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError, TablemenError
from tablemen.outcome import Side

_CORNERS = {Notation.NUMERIC: Corner.TOP_LEFT, Notation.ALGEBRAIC: Corner.BOTTOM_LEFT}
_SQUARE_NAME = re.compile(r"(?:^|(?<=[-x:]))[a-z]?[0-9]+")


def rename_squares(game: PdnGame, notation: Notation) -> PdnGame:
    """Return the game in another notation: numbers from the top left, or letters and numbers from the bottom left.

    White is at the bottom. A game that has the notation already is returned unchanged. Raises `TablemenError` if PDN
    has no number for the variant: then no tag can declare the other square names.

    >>> from tablemen.draughts.pdn import parse_pdn
    >>> game = parse_pdn("1. c3-d4 d6-c5", variant="russian")
    >>> [str(move) for move in rename_squares(game, Notation.NUMERIC).moves]
    ['22-18', '10-14']
    """
    if notation not in _CORNERS:
        raise ArgumentError("notation", notation, "Notation.NUMERIC or Notation.ALGEBRAIC")
    rules = game.variant
    if (rules.notation is Notation.NUMERIC) == (notation is Notation.NUMERIC):
        return game
    renamed = replace(rules, notation=notation, first_square=_CORNERS[notation])
    if identify(renamed)[0] != "GameType":
        raise TablemenError(f"PDN has no GameType for {rules}, so no tag can declare other square names")
    return SquareConverter(rules, renamed).game(game)


class SquareConverter:
    """Converts games of one rule set to another with the same board."""

    def __init__(self, old: DraughtsRules, new: DraughtsRules) -> None:
        self.new = new
        renamed = dict(zip(old.mover.squares, new.mover.squares, strict=True))
        self.squares = {text: renamed[square] for text, square in squares_by_text(old.mover.squares).items()}

    def game(self, game: PdnGame) -> PdnGame:
        """Convert a game."""
        line = self.line(game.line)
        tags = {name: value for name, value in game.tags.items() if name != "GameType"}
        if line.start is not None and tags.get("FEN", "") not in UNKNOWN_VALUES:
            tags["FEN"] = line.start.fen()
        return PdnGame(line, tags)

    def line(self, line: PdnLine) -> PdnLine:
        """Convert a line and its variations."""
        start = None if line.start is None else self.position(line.start)
        return PdnLine(start, tuple(map(self.node, line.nodes)), self.notes(line.notes))

    def node(self, node: PdnNode) -> PdnNode:
        """Convert a move with its notes."""
        return PdnNode(self.move(node.move), node.strength, self.notes(node.notes))

    def notes(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Convert notes."""
        return tuple(map(self.note, notes))

    def note(self, note: Note) -> Note:
        """Convert a note."""
        if isinstance(note, PdnLine):
            return self.line(note)
        return self.position(note) if isinstance(note, Position) else note

    def move(self, move: Move | str) -> Move | str:
        """Convert a move or the text of one."""
        if isinstance(move, str):
            return _SQUARE_NAME.sub(lambda match: self.squares[match[0]].name, move)
        path, captured = self.convert(move.path), self.convert(move.captured)
        return Move(self.new, path, captured, crowns=move.crowns, ambiguous=move.ambiguous)

    def position(self, position: Position) -> Position:
        """Convert a position."""
        return Position(
            self.new,
            position.turn,
            white_men=self.convert(position.squares(Side.WHITE, Kind.MAN)),
            white_kings=self.convert(position.squares(Side.WHITE, Kind.KING)),
            black_men=self.convert(position.squares(Side.BLACK, Kind.MAN)),
            black_kings=self.convert(position.squares(Side.BLACK, Kind.KING)),
            king_runs={side: (self.squares[square.name], run) for side, (square, run) in position.king_runs.items()},
        )

    def convert(self, squares: Iterable[Square]) -> list[Square]:
        """Convert squares."""
        return [self.squares[square.name] for square in squares]
