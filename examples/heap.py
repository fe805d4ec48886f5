"""A third family of games: a heap of matches. Take one to three; the player who takes the last one wins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from tablemen import (
    Game,
    IllegalMoveError,
    NotationError,
    Outcome,
    Side,
    TablemenError,
    Termination,
)
from tablemen.draws import DrawRule
from tablemen.family import Family, OnError, ScoreSheet, position_lines, register_family
from tablemen.match import Match, MatchScore
from tablemen.testing import check_position


@dataclass(frozen=True)
class HeapRules:
    """The rules of a variant."""

    name: str = "heap"
    title: str = "The heap"
    aliases: tuple[str, ...] = ("nim",)
    note: str = ""
    matches: int = 13
    max_taken: int = 3
    draws: tuple[DrawRule, ...] = ()

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class Take:
    """A move: the number of matches to take."""

    matches: int

    def __str__(self) -> str:
        return str(self.matches)


@dataclass(frozen=True)
class Heap:
    """A position: the number of matches left, and the side to move."""

    variant: HeapRules
    matches: int
    turn: Side = Side.WHITE

    def legal_moves(self) -> tuple[Take, ...]:
        """Return every legal move; none if the game is over."""
        return tuple(Take(number) for number in range(1, min(self.variant.max_taken, self.matches) + 1))

    def parse_move(self, text: str) -> Take:
        """Parse a move."""
        if not text.strip().isdecimal():
            raise NotationError("expected a number of matches", text)
        return Take(int(text))

    def play(self, move: Take) -> Heap:
        """Return the position after a legal move."""
        if move not in self.legal_moves():
            raise IllegalMoveError(move, self)
        return replace(self, matches=self.matches - move.matches, turn=self.turn.opponent)

    def explain_illegal(self, move: Take | str) -> str | None:
        """Explain which moves are legal, if this one is not."""
        legal = self.legal_moves()
        return None if str(move).strip() in map(str, legal) else f"take 1 to {len(legal)}"

    def outcome(self) -> Outcome | None:
        """Return the winner if no match is left."""
        return None if self.matches else Outcome(self.turn.opponent, Termination.NO_MOVE)


class Heaps(Family):
    """The adapter: variants, positions and games as text, explanations."""

    name: ClassVar[str] = "heaps"
    sides: ClassVar[Mapping[Side, str]] = {Side.WHITE: "first", Side.BLACK: "second"}
    file_pattern: ClassVar[re.Pattern[str]] = re.compile(r"^Heap \d+:", re.MULTILINE)
    position_pattern: ClassVar[re.Pattern[str]] = re.compile(r"\d")

    @property
    def variants(self) -> Mapping[str, HeapRules]:
        """The known rule sets by name."""
        return {"heap": HeapRules()}

    def owns(self, rules: object) -> bool:
        """Return whether these are rules of the family."""
        return isinstance(rules, HeapRules)

    def start(self, rules: HeapRules) -> Heap:
        """Return the start position."""
        return Heap(rules, rules.matches)

    def parse_position(self, text: str, rules: HeapRules) -> Heap:
        """Parse `5 second`: five matches, and the second player is to move."""
        number, _, side = text.strip().partition(" ")
        turns = {name: each for each, name in self.sides.items()}
        if not number.isdecimal() or side not in turns:
            raise NotationError("expected a number of matches and a side", text)
        return Heap(rules, int(number), turns[side])

    def format_position(self, position: Heap) -> str:
        """Format the matches and the side to move."""
        return f"{position.matches} {self.sides[position.turn]}"

    def draw(self, position: Heap, *, orientation: Side) -> str:  # noqa: ARG002 - a heap has no sides
        """Draw the matches as strokes."""
        return f"{'|' * position.matches}\n{self.side_name(position.turn)} to move"

    def balance(self, position: Heap) -> float:  # noqa: ARG002 - no match belongs to a side
        """Return 0, because neither side has an advantage."""
        return 0.0

    def format_game(self, sheet: ScoreSheet) -> str:
        """Format the game as a line: `Heap 13: 1 3 2`."""
        return f"Heap {sheet.game.start.matches}: {' '.join(map(str, sheet.game.moves))}\n"

    def parse_games(self, text: str, rules: HeapRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """Parse the games of a file of such lines."""
        sheets = []
        for number, line in position_lines(text):
            head, _, moves = line.partition(":")
            try:
                game = Game(Heap(rules, int(head.removeprefix("Heap "))), moves.split())
            except (ValueError, TablemenError) as error:
                problem = NotationError(f"not a game of heap: {error}", text, line=number)
                if on_error is None:
                    raise problem from error
                on_error(problem)
                continue
            sheets.append(ScoreSheet(game=game, outcome=game.outcome()))
        return sheets


def main() -> None:
    """Check a position, register the family, and play a match."""
    check_position(Heap(HeapRules(), 13), plies=4)
    register_family(Heaps())
    match = Match("nim", "minimax:depth=5", "random", games=10)
    score = MatchScore.of(each.points for each in match.play())
    print(f"minimax against chance: {score.wins} won, {score.losses} lost")


if __name__ == "__main__":
    main()
