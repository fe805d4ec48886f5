"""Draughts as a family: FEN, PDN, and why a typed move cannot be played."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from tablemen.draughts import VARIANTS, DraughtsRules, Kind, Move, Position, find_variant
from tablemen.draughts.diagram import draw
from tablemen.draughts.notation import format_move
from tablemen.draughts.notation.move import read_squares
from tablemen.draughts.objections import find_objection, find_start_objection
from tablemen.draughts.pdn import PdnGame, PdnLine, PdnNode, Result, format_pdn, read_pdn
from tablemen.draughts.pdn.result import format_result, result_of
from tablemen.errors import IllegalMoveError, NotationError, PdnError, TablemenError
from tablemen.families.family import Family, ScoreSheet, position_lines
from tablemen.game import Game
from tablemen.outcome import Side

DraughtsGame: TypeAlias = "Game[Position, Move]"

FLYING_KING, SHORT_KING = 3.0, 1.5  # in men: what a king is worth where it flies, and where it steps

_FEN_LINE = re.compile(r"[WwBb]\s*:")


class Draughts(Family):
    """Every variant of draughts."""

    name: ClassVar[str] = "draughts"
    sides: ClassVar[Mapping[Side, str]] = {Side.WHITE: "white", Side.BLACK: "black"}

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
        tags = self.head_of(sheet)
        result = Result.NONE if sheet.outcome is None else result_of(sheet.outcome.winner)
        tags["Result"] = format_result(result, sheet.game.start.variant)
        if sheet.outcome is not None:
            tags["Termination"] = str(sheet.outcome.termination)
        return format_pdn(PdnGame(_line(sheet), tags))

    def parse_sheets(self, text: str, rules: DraughtsRules) -> list[ScoreSheet]:
        """The games of a PDN file."""
        sheets = []
        with read_pdn(io.StringIO(text), variant=rules) as reader:
            for written in reader:
                game = _replay(written, reader.games_read, rules)
                tags = {side: self.name_of(side) for side in self.sides}
                players = {side: written.tags[tag] for side, tag in tags.items() if tag in written.tags}
                sheets.append(ScoreSheet(game=game, players=players, outcome=game.outcome()))
        return sheets

    def parse_openings(self, text: str, rules: DraughtsRules) -> list[DraughtsGame]:
        """The games of a PDN file, or the positions of a file with a FEN a line."""
        lines = position_lines(text)
        if lines and not _FEN_LINE.match(lines[0][1]):
            return [sheet.game for sheet in self.parse_sheets(text, rules)]
        openings: list[DraughtsGame] = []
        for number, line in lines:
            try:
                openings.append(Game(Position.from_fen(line, rules)))
            except NotationError as error:
                raise NotationError(error.problem, text, line=number, column=error.column) from error
        return openings


def _objection_to_squares(text: str, position: Position) -> str:
    """Why no legal move fits the squares of a text."""
    for squares in read_squares(text, position.variant):
        objection = find_objection(position, squares[0].name, squares[-1].name)
        if objection is not None:
            return objection
        legal = position.find_moves([squares[0].name, squares[-1].name])
        return f"no capture goes that way: {', '.join(format_move(move, full=True) for move in legal)}"
    return f"{text.strip()} is not a legal move"


def _line(sheet: ScoreSheet) -> PdnLine:
    """The moves, the note behind the last or before the first."""
    line = PdnLine.from_moves(sheet.game.start, sheet.game.moves)
    if not sheet.note:
        return line
    if not line.nodes:
        return PdnLine(line.start, (), (sheet.note,))
    *nodes, last = line.nodes
    return PdnLine(line.start, (*nodes, PdnNode(last.move, last.strength, (sheet.note,))))


def _replay(written: PdnGame, number: int, rules: DraughtsRules) -> DraughtsGame:
    """The main line as a game that can go on."""
    if written.variant != rules:
        raise PdnError(f"the game is {written.variant.name}, and not {rules.name}", "", game=number)
    game: DraughtsGame = Game(written.start)
    try:
        for node in written.nodes:
            game.push(node.move)
    except TablemenError as error:
        raise PdnError(f"move {len(game.moves) + 1} cannot be played: {error}", "", game=number) from error
    if written.positions()[-1] != game.position:
        raise PdnError("the game has a set-up after its start", "", game=number)
    return game
