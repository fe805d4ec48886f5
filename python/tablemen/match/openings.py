"""The first moves of the games of a match, so that not every game is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tablemen.draws import is_whole
from tablemen.errors import ArgumentError, GameError, NotationError, TablemenError
from tablemen.families import family_of, find_variant
from tablemen.game import Game

RANDOM = "random"
TRIES = 200  # ways that are tried before random moves are said to end every game


@dataclass(frozen=True)
class Openings:
    """Positions, or first moves, that games begin with, one after the other; and moves by chance behind them.

    Without any `lines` every game begins at the start of its variant.
    """

    lines: Sequence[Game[Any, Any]] = ()
    plies: int = 0
    text: str = ""  # as somebody wrote them

    def __post_init__(self) -> None:
        if not is_whole(self.plies):
            raise ArgumentError("plies", self.plies, "a number of plies")
        object.__setattr__(self, "lines", tuple(self.lines))
        for number, line in enumerate(self.lines, 1):
            if not isinstance(line, Game):
                raise ArgumentError(f"lines[{number - 1}]", line, "a Game")
            if line.outcome() is not None:
                raise GameError(f"opening {number} is a game that is over: {line.outcome()}")

    def begin(self, rules: Any, number: int, seed: int) -> Game[Any, Any]:
        """A game that has come through the opening of this number, counted from 0.

        >>> Openings(plies=4).begin("english", 0, seed=1) == Openings(plies=4).begin("english", 0, seed=1)
        True

        Raises `GameError` where moves by chance always end the game.
        """
        rules = find_variant(rules)
        family = family_of(rules)
        for each in self.lines:
            if each.start.variant != rules:
                raise GameError(f"the openings are {each.start.variant.name}, and the match is {rules.name}")
        line = self.lines[number % len(self.lines)] if self.lines else Game(family.start(rules))
        random = Random(f"{seed} opening {number}")
        for _ in range(TRIES if self.plies else 1):
            game = _wander(line.copy(), self.plies, random)
            if game.outcome() is None:
                return game
        raise GameError(f"{self.plies} moves by chance have ended every game that was tried")


def _wander(game: Game[Any, Any], plies: int, random: Random) -> Game[Any, Any]:
    for _ in range(plies):
        if game.outcome() is None:
            game.push(random.choice(game.legal_moves()))
    return game


def parse_openings(text: str, variant: Any) -> Openings:
    """The openings that a text names: `random:PLIES`, or a file of games or of positions, one a line.

    >>> parse_openings("random:6", "english").plies
    6

    Raises `TablemenError` where it is neither, and `OSError` where the file cannot be read.
    """
    kind, colon, plies = text.partition(":")
    if colon and kind == RANDOM:
        if not plies.isdecimal():
            raise ArgumentError("openings", text, "random: and a number of plies, as in random:6,")
        return Openings(plies=int(plies), text=text)
    rules = find_variant(variant)
    try:
        content = Path(text).read_text(encoding="utf-8-sig")
        lines = family_of(rules).parse_openings(content, rules)
    except NotationError as error:
        raise TablemenError(f"{text}: {error}") from error
    except UnicodeDecodeError as error:
        raise TablemenError(f"{text} is not a text: {error}") from error
    if not lines:
        raise TablemenError(f"{text} has no openings")
    try:
        return Openings(lines, text=text)
    except GameError as error:
        raise TablemenError(f"{text}: {error}") from error
