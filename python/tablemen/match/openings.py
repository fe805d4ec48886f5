"""Openings: the positions or first moves of the games of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tablemen.errors import ArgumentError, GameError, NotationError, TablemenError
from tablemen.family import families, find_variant, get_family
from tablemen.game import Game
from tablemen.validation import is_int

RANDOM, ALL = "random", "all"
MAX_OPENINGS = 20_000  # of `all:PLIES`
MAX_ATTEMPTS = 200  # to play random moves that do not end the game


@dataclass(frozen=True)
class Openings:
    """Positions or first moves, used in order, each followed by `plies` random moves.

    Without `lines`, every game begins at the start of its variant.
    """

    lines: Sequence[Game[Any, Any]] = ()
    plies: int = 0
    text: str = ""  # the text that `parse_openings` parsed
    order: str = "sequential"  # or random, after `shuffled`

    def __post_init__(self) -> None:
        if not is_int(self.plies):
            raise ArgumentError("plies", self.plies, "a whole number of at least 0")
        object.__setattr__(self, "lines", tuple(self.lines))
        for number, line in enumerate(self.lines, 1):
            if not isinstance(line, Game):
                raise ArgumentError(f"lines[{number - 1}]", line, "a Game")
            if (outcome := line.outcome()) is not None:
                result = get_family(line.start).describe_outcome(outcome, line.position)
                raise GameError(f"opening {number} is a finished game: {result}")

    def begin(self, rules: Any, number: int, seed: int) -> Game[Any, Any]:
        """Return a game after the opening of this number, counted from 0.

        >>> Openings(plies=4).begin("english", 0, seed=1) == Openings(plies=4).begin("english", 0, seed=1)
        True

        Raises `GameError` if random moves always end the game.
        """
        rules = find_variant(rules)
        family = get_family(rules)
        line = self.lines[number % len(self.lines)] if self.lines else Game(family.start(rules))
        _check_variant(line, rules)
        random = Random(f"{seed} opening {number}")
        for _ in range(MAX_ATTEMPTS if self.plies else 1):
            game = _play_randomly(line.copy(), self.plies, random)
            if game.outcome() is None:
                return game
        raise GameError(f"{self.plies} random moves ended the game in each of {MAX_ATTEMPTS} attempts")

    def check(self, rules: Any) -> None:
        """Raise `GameError` if an opening has other rules."""
        for line in self.lines:
            _check_variant(line, find_variant(rules))

    def shuffled(self, seed: int) -> Openings:
        """Return the same openings in random order."""
        return replace(self, lines=Random(f"{seed} order").sample(self.lines, len(self.lines)), order=RANDOM)


def _check_variant(line: Game[Any, Any], rules: Any) -> None:
    if line.start.variant != rules:
        raise GameError(f"the openings are {line.start.variant.name}, but the match is {rules.name}")


def _play_randomly(game: Game[Any, Any], plies: int, random: Random) -> Game[Any, Any]:
    for _ in range(plies):
        if game.outcome() is None:
            game.push(random.choice(game.legal_moves()))
    return game


def parse_openings(text: str, variant: Any) -> Openings:
    """Parse the name of openings, or read a file of them.

    `random:PLIES` stands for random moves, `all:PLIES` for every different position after that many moves, and
    `fairkalah` for the starting boards of that name, for games of the Kalah family with six houses. Anything else is a
    file of games, or of positions, one per line. Write `./random` for a file with one of these names.

    >>> parse_openings("random:6", "english").plies
    6
    >>> len(parse_openings("all:2", "english").lines)
    49

    Raises `TablemenError` if the text is invalid, and `OSError` if the file cannot be read.
    """
    kind, _, plies = text.partition(":")
    rules = find_variant(variant)
    if kind in {RANDOM, ALL}:
        if not (plies.isdecimal() and plies.isascii() and len(plies) < 4):
            raise ArgumentError("openings", text, f"{kind}:PLIES, such as {kind}:6")
        if kind == ALL:
            return Openings(_list_all_lines(rules, int(plies)), text=text)
        return Openings(plies=int(plies), text=text)
    known = get_family(rules).find_openings(text, rules)
    if known is not None:
        return Openings(known, text=text)
    for family in families():
        if text in family.opening_sets:
            raise TablemenError(f"{text} is for {family.opening_sets[text]}, not for {rules}")
    return _read_file(text, rules)


def _read_file(name: str, rules: Any) -> Openings:
    try:
        content = Path(name).read_text(encoding="utf-8-sig")
        lines = get_family(rules).parse_openings(content, rules)
    except NotationError as error:
        raise TablemenError(f"{name}: {error}") from error
    except UnicodeDecodeError as error:
        raise TablemenError(f"{name} is not a text file in UTF-8: {error}") from error
    if not lines:
        raise TablemenError(f"{name} has no openings")
    try:
        return Openings(lines, text=name)
    except GameError as error:
        raise TablemenError(f"{name}: {error}") from error


def _list_all_lines(rules: Any, plies: int) -> list[Game[Any, Any]]:
    """Return a game for each unfinished position after this many moves, in the order of move generation.

    Raises `GameError` if there are too many positions, or none.
    """
    games = [Game(get_family(rules).start(rules))]
    for ply in range(1, plies + 1):
        found: dict[Any, Game[Any, Any]] = {}
        for game in games:
            for move in game.legal_moves():
                following = game.copy()
                following.push(move)
                if following.outcome() is None:
                    found.setdefault(following.position, following)
            if len(found) > MAX_OPENINGS:
                raise GameError(f"there are more than {MAX_OPENINGS} positions after {ply} moves; use random:{plies}")
        games = list(found.values())
    if not games:
        raise GameError(f"every game is over after {plies} moves")
    return games
