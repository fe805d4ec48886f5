"""Drawn boards of draughts, and moves as they are written beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

from tablemen.cli.group import CommandUsageError
from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.notation import format_turn, list_places
from tablemen.draughts.notation.board_text import GRID, ROWS
from tablemen.errors import NotationError
from tablemen.outcome import Side


@dataclass(frozen=True)
class Drawn:
    """A position that was drawn, and how moves are written beside such a drawing."""

    position: Position
    in_rows: bool

    def list_moves(self, legal: Iterable[Move]) -> list[str]:
        """The moves in ascending order."""
        if self.in_rows:
            return [str(places) for places in sorted(list_places(move) for move in legal)]
        return sorted({format_turn(move) for move in legal})


def read_board(file: TextIO, variant: DraughtsRules, turn: Side) -> Drawn:
    """The position drawn in a file, in either form: only rows have a `_`."""
    try:
        text = file.read()
    except UnicodeDecodeError as error:
        raise CommandUsageError(f"--board: {file.name} is not a text: {error}") from error
    in_rows = "_" in text
    try:
        position = (ROWS if in_rows else GRID).parse_text(text, variant, turn)
    except NotationError as error:
        raise CommandUsageError(f"--board: {error}") from error
    return Drawn(position, in_rows)
