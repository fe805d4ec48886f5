"""Draughts as a family: FEN, PDN, and why a typed move cannot be played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Move, Position, find_variant
from tablemen.errors import IllegalMoveError, NotationError
from tablemen.family import Family, OnError, ScoreSheet
from tablemen.game import Game
from tablemen.outcome import Side

DraughtsGame: TypeAlias = "Game[Position, Move]"

# Drawing, objections and PDN are imported where they are wanted: whoever asks for moves alone need not wait for them.

FLYING_KING, SHORT_KING = 3.0, 1.5  # in men: what a king is worth where it flies, and where it steps


class Draughts(Family):
    """Every variant of draughts."""

    name: ClassVar[str] = "draughts"
    sides: ClassVar[Mapping[Side, str]] = {Side.WHITE: "white", Side.BLACK: "black"}
    sheet_mark: ClassVar[re.Pattern[str]] = re.compile(r"^[^\S\n]*(?:\[\s*\w+\s*\"|1\s*\.)", re.MULTILINE)
    position_mark: ClassVar[re.Pattern[str]] = re.compile(r"[WwBb]\s*:")

    @property
    def variants(self) -> Mapping[str, DraughtsRules]:
        """The known variants by their names."""
        return VARIANTS

    def has(self, rules: object) -> bool:
        """Whether these are rules of draughts."""
        return isinstance(rules, DraughtsRules)

    def find_variant(self, name: object) -> DraughtsRules:
        """The variant of this name, alias or GameType."""
        return find_variant(name if isinstance(name, int | DraughtsRules) else str(name))

    def start(self, rules: DraughtsRules) -> Position:
        """The position that games begin with."""
        return Position.start(rules)

    def parse_position(self, text: str, rules: DraughtsRules) -> Position:
        """The position that a FEN gives."""
        return Position.from_fen(text, rules)

    def format_position(self, position: Position) -> str:
        """The FEN."""
        return position.fen()

    def draw(self, position: Position, *, orientation: Side) -> str:
        """The board in letters."""
        from tablemen.draughts.diagram import draw

        return draw(position, orientation=orientation)

    def find_objection(self, text: str, position: Position) -> str | None:
        """What is wrong with the text, or with the move that it means."""
        try:
            position.parse_move(text)
        except NotationError as error:
            return error.problem
        except IllegalMoveError:
            return _objection_to_squares(text, position)
        return None

    def ways(self, position: Position) -> tuple[tuple[tuple[str, ...], Move], ...]:
        """The squares that each move goes through, by their names."""
        moves = position.legal_moves(paths=True)
        return tuple((tuple(square.name for square in move.path), move) for move in moves)

    def find_place_objection(self, place: str, position: Position) -> str | None:
        """What is wrong with the piece on a square, or that there is none."""
        from tablemen.draughts.objections import find_start_objection

        return find_start_objection(position, place)

    def balance(self, position: Position) -> float:
        """Men, and kings by what they are worth."""
        king = FLYING_KING if position.variant.flying_kings else SHORT_KING

        def worth(side: Side) -> float:
            return len(position.squares(side, Kind.MAN)) + king * len(position.squares(side, Kind.KING))

        more = worth(position.turn) - worth(position.turn.opponent)
        return -more if position.variant.losing else more

    def format_sheet(self, sheet: ScoreSheet) -> str:
        """The game as PDN; a note stands as a comment behind the last move."""
        from tablemen.families.draughts_sheets import format_sheet

        return format_sheet(sheet, self.head_of(sheet))

    def parse_sheets(self, text: str, rules: DraughtsRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """The games of a PDN file."""
        from tablemen.families.draughts_sheets import parse_sheets

        return parse_sheets(text, rules, {side: self.side_name(side) for side in self.sides}, on_error)


def _objection_to_squares(text: str, position: Position) -> str:
    """Why no legal move fits the squares of a text."""
    from tablemen.draughts.notation import format_move
    from tablemen.draughts.objections import find_objection

    for squares in position.variant.mover.parse_squares(text):
        objection = find_objection(position, squares[0].name, squares[-1].name)
        if objection is not None:
            return objection
        legal = position.find_moves([squares[0].name, squares[-1].name])
        return f"no capture goes that way: {', '.join(format_move(move, full=True) for move in legal)}"
    return f"{text.strip()} is not a legal move"
