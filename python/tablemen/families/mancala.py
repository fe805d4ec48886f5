"""Mancala as a family: boards, houses, and why one cannot be played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from tablemen.errors import IllegalMoveError, NotationError
from tablemen.family import Family, OnError, ScoreSheet
from tablemen.game import Game
from tablemen.mancala import VARIANTS, KalahRules, MancalaRules, Move, Position, find_variant
from tablemen.mancala.diagram import draw
from tablemen.mancala.fairkalah import BOARDS, fair_start
from tablemen.mancala.notation import SWAP
from tablemen.mancala.objections import find_objection
from tablemen.mancala.record import MOVES, VARIANT, MancalaGame, format_record, parse_records
from tablemen.mancala.sides import NAMES, SOUTH
from tablemen.mancala.variants import FAIRKALAH
from tablemen.outcome import Outcome, Side

RESULTS = {None: "1/2-1/2", SOUTH: "1-0", SOUTH.opponent: "0-1"}


class Mancala(Family):
    """Kalah by any rules, and Oware."""

    name: ClassVar[str] = "mancala"
    sides: ClassVar[Mapping[Side, str]] = NAMES
    opening_sets: ClassVar[Mapping[str, str]] = {FAIRKALAH.name: "games of the Kalah family with six houses"}
    sheet_mark: ClassVar[re.Pattern[str]] = re.compile(rf"^[^\S\n]*(?:{VARIANT}|{MOVES}):", re.MULTILINE)
    position_mark: ClassVar[re.Pattern[str]] = re.compile("<")

    @property
    def variants(self) -> Mapping[str, MancalaRules]:
        """The known rule sets by their names."""
        return VARIANTS

    def has(self, rules: object) -> bool:
        """Whether these are rules of mancala."""
        return isinstance(rules, MancalaRules)

    def find_variant(self, name: object) -> MancalaRules:
        """The rules of this name or alias."""
        return find_variant(name if isinstance(name, MancalaRules) else str(name))

    def start(self, rules: MancalaRules) -> Position:
        """The position that games begin with."""
        return Position.start(rules)

    def parse_position(self, text: str, rules: MancalaRules) -> Position:
        """The position that a board and a side give."""
        return Position.from_text(text, rules)

    def format_position(self, position: Position) -> str:
        """The board and the side to move."""
        return position.text()

    def draw(self, position: Position, *, orientation: Side) -> str:
        """The seeds as they lie."""
        return draw(position, orientation=orientation)

    def find_objection(self, text: str, position: Position) -> str | None:
        """What is wrong with the text, or with the house that it names."""
        try:
            position.parse_move(text)
        except NotationError as error:
            return error.problem
        except IllegalMoveError:
            word = text.strip().casefold()
            return find_objection(position, 0 if word == SWAP else int(word))
        return None

    def ways(self, position: Position) -> tuple[tuple[tuple[str, ...], Move], ...]:
        """The house of each move, or the swap."""
        return tuple(((str(move),), move) for move in position.legal_moves())

    def find_place_objection(self, place: str, position: Position) -> str | None:
        """What is wrong with a house of the side to move, or whose it is: `north 3` is one of the other side."""
        owner, _, house = place.rpartition(" ")
        if owner:
            return f"that house is {owner.capitalize()}'s, and {self.side_name(position.turn)} is to move"
        return self.find_objection(house, position)

    def balance(self, position: Position) -> float:
        """Seeds in the stores; at the end, what the rules count."""
        counted = position.stores if position.outcome() is None else position.score()
        return counted[position.turn] - counted[position.turn.opponent]

    def format_sheet(self, sheet: ScoreSheet) -> str:
        """The game as lines of names and values."""
        tags = self.head_of(sheet)
        if sheet.outcome is not None:
            tags["Result"] = RESULTS[sheet.outcome.winner]
            tags["Termination"] = str(sheet.outcome.termination)
        if sheet.note:
            tags["Note"] = " ".join(sheet.note.split())
        return format_record(sheet.game, tags)

    def parse_sheets(self, text: str, rules: MancalaRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """The games of a file of such lines."""
        sheets = []
        for game, tags in parse_records(text, rules, on_error=on_error):
            players = {side: tags[self.side_name(side)] for side in NAMES if self.side_name(side) in tags}
            sheets.append(ScoreSheet(game=game, players=players, outcome=game.outcome()))
        return sheets

    def find_openings(self, name: str, rules: MancalaRules) -> list[MancalaGame] | None:
        """`fairkalah`: the starting boards of that name, for rules of the Kalah family with six houses."""
        if name != FAIRKALAH.name or not isinstance(rules, KalahRules) or rules.houses != FAIRKALAH.houses:
            return None
        return [Game(fair_start(number, rules=rules)) for number in range(1, BOARDS + 1)]

    def describe(self, outcome: Outcome, position: Position) -> str:
        """How a game ended, with the seeds of both sides where it ended on the board."""
        if position.outcome() is None:
            return super().describe(outcome, position)
        score = position.score()
        most, least = max(score.values()), min(score.values())
        result, _, reason = super().describe(outcome, position).partition(":")
        return f"{result}, {most} to {least}:{reason}"
