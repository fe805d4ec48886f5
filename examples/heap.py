"""A whole game family of one's own: a heap of matches; take one to three; who takes the last one wins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar
from unittest.mock import patch

from tablemen import (
    Game,
    IllegalMoveError,
    NotationError,
    Outcome,
    Side,
    TablemenError,
    Termination,
    UnknownVariantError,
)
from tablemen.draws import DrawRule
from tablemen.family import Family, ScoreSheet, known
from tablemen.family import OnError, position_lines
from tablemen.match import Match, MatchScore
from tablemen.testing import check_position


@dataclass(frozen=True)
class HeapRules:
    """The rules of a variant."""

    name: str = "heap"
    title: str = "The heap"
    aliases: tuple[str, ...] = ("nim",)
    matches: int = 13
    most: int = 3
    draws: tuple[DrawRule, ...] = ()

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class Take:
    """A move: so many matches are taken."""

    matches: int

    def __str__(self) -> str:
        return str(self.matches)


@dataclass(frozen=True)
class Heap:
    """A position: so many matches are left."""

    variant: HeapRules
    matches: int
    turn: Side = Side.WHITE

    def legal_moves(self) -> tuple[Take, ...]:
        """Every legal move; none when the game is over."""
        return tuple(Take(number) for number in range(1, min(self.variant.most, self.matches) + 1))

    def parse_move(self, text: str) -> Take:
        """The move that a text means."""
        if not text.strip().isdecimal():
            raise NotationError("a number of matches is expected", text)
        return Take(int(text))

    def play(self, move: Take) -> Heap:
        """The position after a legal move."""
        if move not in self.legal_moves():
            raise IllegalMoveError(move, self)
        return replace(self, matches=self.matches - move.matches, turn=self.turn.opponent)

    def outcome(self) -> Outcome | None:
        """Who has won, where nothing is left to take."""
        return None if self.matches else Outcome(self.turn.opponent, Termination.NO_MOVE)


class Heaps(Family):
    """The family: its variants, its positions and games as text, and what players are told."""

    name: ClassVar[str] = "heaps"
    sides: ClassVar[Mapping[Side, str]] = {Side.WHITE: "first", Side.BLACK: "second"}
    sheet_mark: ClassVar[re.Pattern[str]] = re.compile(r"^Heap \d+:", re.MULTILINE)
    position_mark: ClassVar[re.Pattern[str]] = re.compile(r"\d")

    @property
    def variants(self) -> Mapping[str, HeapRules]:
        """The known rule sets by their names."""
        return {"heap": HeapRules()}

    def has(self, rules: object) -> bool:
        """Whether these are rules of the family."""
        return isinstance(rules, HeapRules)

    def find_variant(self, name: object) -> HeapRules:
        """The rules of this name."""
        for rules in self.variants.values():
            if name == rules or str(name).casefold() in (rules.name, *rules.aliases):
                return rules
        raise UnknownVariantError(str(name))

    def start(self, rules: HeapRules) -> Heap:
        """The position that games begin with."""
        return Heap(rules, rules.matches)

    def parse_position(self, text: str, rules: HeapRules) -> Heap:
        """`5 second`: five matches, and the second player is to move."""
        number, _, side = text.strip().partition(" ")
        turns = {name: each for each, name in self.sides.items()}
        if not number.isdecimal() or side not in turns:
            raise NotationError("a number of matches and a side are expected", text)
        return Heap(rules, int(number), turns[side])

    def format_position(self, position: Heap) -> str:
        """The twin of `parse_position`."""
        return f"{position.matches} {self.sides[position.turn]}"

    def draw(self, position: Heap, *, orientation: Side) -> str:  # noqa: ARG002 - a heap has no sides
        """The matches as strokes."""
        return f"{'|' * position.matches}\n{self.side_name(position.turn)} to move"

    def find_objection(self, text: str, position: Heap) -> str | None:
        """Why what somebody typed cannot be played."""
        try:
            position.play(position.parse_move(text))
        except NotationError as error:
            return error.problem
        except IllegalMoveError:
            return f"take 1 to {len(position.legal_moves())}"
        return None

    def ways(self, position: Heap) -> tuple[tuple[tuple[str, ...], Take], ...]:
        """What is touched for each move: as many as are taken."""
        return tuple(((str(move),), move) for move in position.legal_moves())

    def find_place_objection(self, place: str, position: Heap) -> str | None:
        """Why no move begins with what was touched."""
        return self.find_objection(place, position)

    def balance(self, position: Heap) -> float:  # noqa: ARG002 - nobody owns a match
        """Neither side has more."""
        return 0.0

    def format_sheet(self, sheet: ScoreSheet) -> str:
        """The game as a line: `Heap 13: 1 3 2`."""
        return f"Heap {sheet.game.start.matches}: {' '.join(map(str, sheet.game.moves))}\n"

    def parse_sheets(self, text: str, rules: HeapRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """The games of a file of such lines."""
        sheets = []
        for number, line in position_lines(text):
            head, _, moves = line.partition(":")
            try:
                game = Game(Heap(rules, int(head.removeprefix("Heap "))), moves.split())
            except (ValueError, TablemenError) as error:
                wrong = NotationError(f"no such game: {error}", text, line=number)
                if on_error is None:
                    raise wrong from error
                on_error(wrong)
                continue
            sheets.append(ScoreSheet(game=game, outcome=game.outcome()))
        return sheets


def main() -> None:
    """A check of the position, and a match of two players that know nothing of it."""
    check_position(Heap(HeapRules(), 13), plies=4)
    # In the package a family is a line in `tablemen.families.known`; here it is put there for a while.
    with patch.object(known, "families()", (*known.families(), Heaps())):
        match = Match("nim", "minimax:depth=5", "random", games=10)
        score = MatchScore.of(each.points for each in match.play())
    print(f"minimax against chance: {score.wins} won, {score.losses} lost")


if __name__ == "__main__":
    main()
