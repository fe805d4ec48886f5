"""Game files, read and written as trees."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from time import thread_time
from typing import Any

from tablemen.draughts import DraughtsRules
from tablemen.draughts.pdn import format_pdn, read_pdn
from tablemen.errors import NotationError, PdnError, TablemenError, UnknownVariantError
from tablemen.families import FAMILIES, find_variant
from tablemen.game import Game
from tablemen.mancala import MancalaRules
from tablemen.mancala.record import OWN_NAMES, Record, format_record, read_records
from tablemen.web.crowds import check_text
from tablemen.web.models import MOST_NODES, GameFile, ReadFile, ReadTree, Tree, WrittenFile
from tablemen.web.trees import Budget, TooLongError, grow, read_game, read_moves, what_records_lack, write_game
from tablemen.web.views import UnknownGameError, find_rules

MOST_GAMES = 50
MOST_PROBLEMS = 100
LONGEST_READING = 10.0  # seconds of the processor; files of real games take one at most

_START = re.compile(r"^\s*Start:\s*<\s*(?P<numbers>[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)\s*>", re.MULTILINE)
_VARIANT = re.compile(r"^\s*Variant:[ \t]*(?P<name>\S.*?)\s*$", re.MULTILINE)


class _File:
    """A file that is being read."""

    def __init__(self) -> None:
        self.games: list[ReadTree] = []
        self.problems: list[str] = []
        self.budget = Budget(MOST_NODES)
        self.begun = thread_time()

    def tell(self, problem: str) -> None:
        """Something that is wrong."""
        self.problems.append(problem)

    def tell_of(self, number: int, problem: str) -> None:
        """Something that is wrong with a game."""
        self.tell(f"game {number}: {problem}")

    def has_room(self) -> bool:
        """Whether one more game can be shown; tells where not."""
        if len(self.games) >= MOST_GAMES:
            self.tell(f"the file has more games; the first {MOST_GAMES} are shown")
        elif thread_time() - self.begun > LONGEST_READING:
            self.tell("the rest of the file takes too long to read")
        else:
            return True
        return False

    def found(self) -> ReadFile:
        """All of it."""
        left = len(self.problems) - MOST_PROBLEMS
        more = [f"and {left} problems more"] if left > 0 else []
        return ReadFile(games=self.games, problems=[*self.problems[:MOST_PROBLEMS], *more])


def read_file(given: GameFile) -> ReadFile:
    """The games of a file. Raises `TablemenError` where it has none."""
    rules = None if given.variant is None else find_rules(given.variant)
    is_mancala = isinstance(rules, MancalaRules) if rules is not None else _looks_like_mancala(given.text)
    check_text(given.text)
    file = _File()
    try:
        if is_mancala:
            _read_records(given.text, rules, file)
        else:
            _read_pdn(given.text, rules, file)
    except TooLongError:
        file.tell(f"the file has more than {MOST_NODES:,} moves; the games from there on are not shown")
    if not file.games and not file.problems:
        raise TablemenError("there is no game in this file")
    return file.found()


def _looks_like_mancala(text: str) -> bool:
    draughts, mancala = (family.sheet_mark.search(text) for family in FAMILIES)
    return mancala is not None and (draughts is None or mancala.start() < draughts.start())


def _read_pdn(text: str, rules: DraughtsRules | None, file: _File) -> None:
    def tell_error(error: PdnError) -> None:
        file.tell(str(error))

    with read_pdn(io.StringIO(text), variant=rules, on_error=tell_error) as reader:
        for game in reader:
            if not file.has_room():
                return
            tell = partial(file.tell_of, reader.games_read)
            file.games.append(read_game(game, tell, file.budget))


def _read_records(text: str, rules: MancalaRules | None, file: _File) -> None:
    for number, block in enumerate(_blocks(text), 1):
        if not file.has_room():
            return
        for found in read_records(block, _sized(block, rules)):
            if isinstance(found, Record):
                file.games.append(read_moves(found.game, found.tags, file.budget))
            else:
                file.tell_of(number, _words(found))


def _words(error: NotationError) -> str:
    """What is wrong, as it is told on a page."""
    cause = error.__cause__
    if isinstance(cause, UnknownVariantError):
        return f"line {error.line}: {UnknownGameError(cause.name, cause.suggestions)}"
    return str(error)


def _blocks(text: str) -> Iterator[str]:
    """Each game, behind as many empty lines as stand before it in the file: so lines have their numbers."""
    lines: list[str] = []
    before = 0
    for number, line in enumerate([*text.split("\n"), ""]):
        if line.strip():
            lines.append(line)
        elif lines:
            yield "\n" * before + "\n".join(lines)
            lines = []
        if not lines:
            before = number + 1


def _sized(block: str, given: MancalaRules | None) -> MancalaRules | None:
    """The rules of a game on the board that it starts from: the game files have no other place for its size."""
    start, name = _START.search(block), _VARIANT.search(block)
    if start is None or (name is None and given is None):
        return given
    try:
        rules = find_variant(name["name"]) if name is not None else given
        houses, *pits = map(int, start["numbers"].split(","))
        if not isinstance(rules, MancalaRules) or (given is not None and rules.name != given.name):
            return given  # what is wrong with it is told when it is read
        seeds, rest = divmod(sum(pits), max(1, 2 * houses))
        return replace(rules, houses=houses, seeds=seeds if seeds and not rest else rules.seeds)
    except TablemenError:
        return given


def write_file(tree: Tree) -> WrittenFile:
    """The tree as a game file. Raises `TablemenError` where it cannot be written."""
    grown = grow(tree)
    if not isinstance(grown.start.variant, MancalaRules):
        return WrittenFile(text=format_pdn(write_game(grown)))
    game: Game[Any, Any] = Game(grown.start)
    for number in grown.main_line():
        game.push(grown.moves[number])
    tags = {name: value for name, value in tree.tags.items() if name not in OWN_NAMES}
    return WrittenFile(text=format_record(game, tags), problems=what_records_lack(grown))
