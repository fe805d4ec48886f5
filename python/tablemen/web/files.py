"""Game files, read and written as trees."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from time import thread_time
from typing import Any

from tablemen.draughts import DraughtsRules
from tablemen.draughts.pdn import PdnGame, Result, format_pdn, read_pdn
from tablemen.draughts.pdn.game import NO_RESULT, format_result
from tablemen.errors import NotationError, PdnError, TablemenError, UnknownVariantError
from tablemen.family import families, find_variant
from tablemen.game import Game
from tablemen.mancala import MancalaRules
from tablemen.mancala.game_record import OWN_NAMES, Record, format_record, read_records
from tablemen.web.crowds import check_text
from tablemen.web.models import MOST_NODES, GameFile, ReadFile, ReadTree, Tree, WrittenFile
from tablemen.web.subjects import NoSuchVariantError, find_rules
from tablemen.web.trees import Budget, TooLongError, grow, read_game, read_moves, what_records_lack, write_game

MOST_GAMES = 50
MOST_PROBLEMS = 100
LONGEST_PROBLEM = 300  # letters; some quote what they are about
LONGEST_READING = 5.0  # seconds of the processor; as many moves as are shown take two

# Of one line each: were newlines blanks here, every one of a long run would be looked through from every other.
_BLANKS = r"[^\S\n]*"
_NUMBERS = rf"[0-9]{{1,9}}(?:{_BLANKS},{_BLANKS}[0-9]{{1,9}})*"
_START = re.compile(rf"^{_BLANKS}Start:{_BLANKS}<{_BLANKS}(?P<numbers>{_NUMBERS}){_BLANKS}>", re.MULTILINE)
_VARIANT = re.compile(rf"^{_BLANKS}Variant:(?P<name>.*\S)", re.MULTILINE)


class _EnoughError(Exception):
    """The rest of a file is not read; the words say why."""


class _File:
    """A file that is being read."""

    def __init__(self) -> None:
        self.games: list[ReadTree] = []
        self.problems: list[str] = []
        self.budget = Budget(MOST_NODES)
        self.begun = thread_time()

    def tell(self, problem: str) -> None:
        """Something that is wrong."""
        self.problems.append(problem if len(problem) <= LONGEST_PROBLEM else f"{problem[:LONGEST_PROBLEM]}…")

    def tell_of(self, number: int, problem: str) -> None:
        """Something that is wrong with a game."""
        self.tell(f"game {number}: {problem}")

    def check(self) -> None:
        """Raises `_EnoughError` where no more is to be read."""
        if len(self.games) >= MOST_GAMES:
            raise _EnoughError(f"the file has more games; the first {MOST_GAMES} are shown")
        if len(self.problems) >= MOST_PROBLEMS:
            raise _EnoughError("the rest of the file is not read: too much is wrong with it")
        if thread_time() - self.begun > LONGEST_READING:
            raise _EnoughError("the rest of the file takes too long to read")

    def found(self, *ends: str) -> ReadFile:
        """All of it, and why it ends where it does."""
        left = len(self.problems) - MOST_PROBLEMS
        more = [f"and {left} problems more"] if left > 0 else []
        return ReadFile(games=self.games, problems=[*self.problems[:MOST_PROBLEMS], *more, *ends])


def read_file(given: GameFile) -> ReadFile:
    """The games of a file. Raises `TablemenError` where it has none."""
    rules = None if given.variant is None else find_rules(given.variant)
    is_mancala = _looks_like_mancala(given.text, otherwise=isinstance(rules, MancalaRules))
    if is_mancala != isinstance(rules, MancalaRules):
        rules = None  # a game of the other family does not go by these
    check_text(given.text)
    file = _File()
    ends = []
    try:
        if is_mancala:
            _read_records(given.text, rules, file)
        else:
            _read_pdn(given.text, rules, file)
    except TooLongError:
        ends.append(f"the file has more than {MOST_NODES:,} moves; the games from there on are not shown")
    except _EnoughError as error:
        ends.append(str(error))
    if not file.games and not file.problems and not ends:
        raise TablemenError("there is no game in this file")
    return file.found(*ends)


def _looks_like_mancala(text: str, *, otherwise: bool) -> bool:
    """What the first mark of a family says; `otherwise` where there is none."""
    draughts, mancala = (family.file_pattern.search(text) for family in families())
    if draughts is None or mancala is None:
        return otherwise if draughts is mancala else mancala is not None
    return mancala.start() < draughts.start()


def _read_pdn(text: str, rules: DraughtsRules | None, file: _File) -> None:
    illegal: list[str] = []  # in the game that comes next

    def tell_error(error: PdnError) -> None:
        file.tell(str(error))
        file.check()

    def keep_illegal(error: PdnError) -> None:
        illegal.append(str(error))

    with read_pdn(io.StringIO(text), variant=rules, on_error=tell_error, on_illegal=keep_illegal) as reader:
        for game in reader:
            file.check()
            lacks: list[str] = []
            tree = read_game(game, lacks.append, file.budget)
            for problem in illegal:
                file.tell(problem)
            if tree.nodes or not illegal:  # else nothing is left of it
                file.games.append(tree)
                for problem in lacks:
                    file.tell_of(reader.games_read, problem)
            illegal.clear()


def _read_records(text: str, rules: MancalaRules | None, file: _File) -> None:
    for number, (line, block) in enumerate(_blocks(text), 1):
        file.check()
        for found in read_records(block, _sized(block, rules), first_line=line):
            if isinstance(found, Record):
                file.games.append(read_moves(found.game, found.tags, file.budget))
            else:
                file.tell_of(number, _words(found))


def _words(error: NotationError) -> str:
    """What is wrong, as it is told on a page."""
    cause = error.__cause__
    if isinstance(cause, UnknownVariantError):
        return f"line {error.line}: {NoSuchVariantError(cause.name, cause.suggestions)}"
    return str(error)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Each game, and the number of its first line."""
    lines: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            lines.append(line)
        elif lines:
            yield number - len(lines), "\n".join(lines)
            lines = []


def _sized(block: str, given: MancalaRules | None) -> MancalaRules | None:
    """The rules of a game on the board that it starts from: the game files have no other place for its size."""
    start, name = _START.search(block), _VARIANT.search(block)
    try:
        rules = find_variant(name["name"].strip()) if name is not None else given
        if not isinstance(rules, MancalaRules):
            return given  # what is wrong with it is told when it is read
        if given is not None and rules.name == given.name:
            rules = given  # it may have a size of its own
        if start is None:
            return rules
        houses, *pits = map(int, start["numbers"].split(","))
        seeds, rest = divmod(sum(pits), max(1, 2 * houses))
        return replace(rules, houses=houses, seeds=seeds if seeds and not rest else rules.seeds)
    except TablemenError:
        return given


def _format_pdn(game: PdnGame) -> str:
    """The game with its result behind the moves too, where some programs look for it."""
    result = format_result(game.result or Result.NONE, game.variant)
    moves, _, end = format_pdn(game).rpartition(NO_RESULT)
    return f"{moves}{result}{end}"


def write_file(tree: Tree) -> WrittenFile:
    """The tree as a game file. Raises `TablemenError` where it cannot be written."""
    grown = grow(tree)
    if not isinstance(grown.start.variant, MancalaRules):
        return WrittenFile(text=_format_pdn(write_game(grown)))
    game: Game[Any, Any] = Game(grown.start)
    for number in grown.main_line():
        game.push(grown.moves[number])
    tags = {name: value for name, value in tree.tags.items() if name not in OWN_NAMES}
    return WrittenFile(text=format_record(game, tags), problems=what_records_lack(grown))
