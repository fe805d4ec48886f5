"""`tablemen pdn`: game files listed, checked and converted."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

import click

from tablemen.cli.completers import complete_draughts
from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, print_json
from tablemen.cli.pdn.forms import FORMS, POSITIONS, contradiction, describe
from tablemen.console import visible
from tablemen.draughts import DraughtsRules, find_variant
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.draughts.pdn.result import Result, result_of
from tablemen.draughts.pdn.scene import UNKNOWN_VALUES
from tablemen.errors import PdnError, TablemenError

LARGE = 5_000_000  # bytes from which on a bar shows how far it has come
STANDARD_INPUT = "-"

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)

EXAMPLES = """\b
Examples:
  tablemen pdn games.pdn
  tablemen pdn --check *.pdn
  tablemen pdn games.pdn --to jsonl | jq -r .tags.White
  tablemen pdn old.pdn --variant russian --to pdn > new.pdn
  cat games.pdn | tablemen pdn - --to algebraic
"""


@click.command(epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@click.option(
    "--check", "is_check", is_flag=True, help="Tell only what is wrong: unreadable games, illegal moves, results."
)
@click.option("--to", "form", type=click.Choice(tuple(FORMS)), help="Print every game in this form.")
@click.option(
    "--variant",
    metavar="VARIANT",
    shell_complete=complete_draughts,
    help="The variant of games that name none; without it, the first that allows their moves.",
)
@click.option("--encoding", default="utf-8", show_default=True, help="The encoding of the files.")
@json_option
@click.pass_context
def pdn(
    context: click.Context,
    *,
    files: tuple[str, ...],
    is_check: bool,
    form: str | None,
    variant: str | None,
    encoding: str,
    as_json: bool,
) -> None:
    """Lists the games of PDN files, one a line; - is standard input.

    --check tells what is wrong with them. --to prints them anew: fen is the last position of each, jsonl a line of JSON
    with everything, pdn strict PDN, numeric and algebraic PDN with squares called so. Games that cannot be read are
    told on standard error with their place, and the status is then 1; it is 2 where no file can be read.
    """
    if is_check and form:
        raise BadQuestion("--check and --to exclude each other")
    if as_json and form:
        raise BadQuestion("--json is for the list and for --check; --to jsonl prints JSON")
    if files.count(STANDARD_INPUT) > 1:
        raise BadQuestion("- is given twice: standard input can be read once")
    read_pdn(io.BytesIO(), encoding=encoding)  # refuses an encoding that there is not, before anything is printed
    source = _Source(files, None if variant is None else find_variant(variant), encoding)
    if is_check:
        _check(source, as_json=as_json)
    elif form:
        _convert(source, form)
    else:
        _list(source, as_json=as_json)
    context.exit(source.status)


class _Source:
    """The games of all files, and the problems met on the way."""

    def __init__(self, files: tuple[str, ...], variant: DraughtsRules | None, encoding: str) -> None:
        self.files = files
        self.variant = variant
        self.encoding = encoding
        self.games = 0
        self.problems = 0
        self.unreadable: list[dict[str, object]] = []
        self.on_problem: Callable[[dict[str, object]], None] = lambda problem: click.echo(_sentence(problem), err=True)

    def __iter__(self) -> Iterator[tuple[str, int, PdnGame]]:
        """File, number and game of each."""
        for name in self.files:
            try:
                yield from self._games_of(name)
            except _UnreadableError as error:
                self.problems += 1
                self.unreadable.append({"file": name, "problem": f"cannot be read: {error}"})
                click.echo(visible(f"{name}: cannot be read: {error}"), err=True)

    def _games_of(self, name: str) -> Iterator[tuple[str, int, PdnGame]]:
        with _Watched(name) as file:
            on_error = partial(self.tell_error, name)
            reader = read_pdn(file, variant=self.variant, encoding=self.encoding, on_error=on_error)
            try:
                for game in reader:
                    self.games += 1
                    yield name, reader.games_read, game
            except PdnError as error:
                raise _UnreadableError(error.problem) from error

    @property
    def status(self) -> int:
        """How the command ends: 2 where nothing could be read, 1 where something was wrong."""
        if len(self.unreadable) == len(self.files):
            return 2
        return 1 if self.problems else 0

    def tell_error(self, name: str, error: PdnError) -> None:
        """Tells of a game that cannot be read."""
        self.games += 1
        place = {"line": error.line, "column": error.column}
        self.tell({"file": name, "game": error.game, **place, "problem": error.problem})

    def tell(self, problem: dict[str, object]) -> None:
        """Tells of a problem, and counts it."""
        self.problems += 1
        self.on_problem(problem)


def _sentence(problem: dict[str, object]) -> str:
    place = f", line {problem['line']}, column {problem['column']}" if "line" in problem else ""
    return visible(f"{problem['file']}: game {problem['game']}{place}: {problem['problem']}")


class _UnreadableError(Exception):
    """A file that cannot be read, or no further; what is wrong with it, in words."""


class _Watched:
    """A file that moves a bar on the terminal while it is read, if it is large."""

    def __init__(self, name: str) -> None:
        if name == STANDARD_INPUT and sys.stdin is None:
            raise _UnreadableError("standard input is closed")
        try:
            self.file: IO[bytes] = click.open_file(name, "rb")
            size = Path(name).stat().st_size if name != STANDARD_INPUT else 0
        except OSError as error:
            raise _UnreadableError(error.strerror) from error
        self.bar = None
        if size >= LARGE and sys.stderr.isatty() and not sys.stdout.isatty():
            self.bar = click.progressbar(length=size, label=Path(name).name, file=sys.stderr)

    def read(self, size: int) -> bytes:
        try:
            data = self.file.read(size)
        except OSError as error:
            raise _UnreadableError(error.strerror) from error
        if self.bar is not None:
            self.bar.update(len(data))
        return data

    def __enter__(self) -> IO[bytes]:
        return self  # type: ignore[return-value]

    def __exit__(self, *_error: object) -> None:
        self.file.close()
        if self.bar is not None:
            self.bar.render_finish()


def _list(source: _Source, *, as_json: bool) -> None:
    """A line for each game."""
    if as_json:
        print_json([{"file": name, "game": number, **describe(game)} for name, number, game in source])
        return
    for name, number, game in source:
        prefix = f"{name}: " if len(source.files) > 1 else ""
        facts = describe(game)
        players = f"{facts['white']} - {facts['black']}"
        line = f"{prefix}{number:>4}  {players}  {facts['result']}  {facts['variant']}{_where(game)}"
        click.echo(visible(line))


def _where(game: PdnGame) -> str:
    told = [game.tags[name] for name in ("Event", "Site", "Date") if game.tags.get(name, "?").strip("?. ")]
    return f"  {', '.join(told)}" if told else ""


def _convert(source: _Source, form: str) -> None:
    """Every game in another form; a result that the form leaves out is told."""
    for name, number, game in source:
        twice = contradiction(game) if form != POSITIONS else None
        if twice is not None:
            source.tell({"file": name, "game": number, "problem": f"{twice}; the tag counts"})
        try:
            text = FORMS[form](game, number)
        except TablemenError as error:
            source.tell({"file": name, "game": number, "problem": f"left out: {error}"})
        else:
            click.echo(text, nl=not text.endswith("\n"))


def _check(source: _Source, *, as_json: bool) -> None:
    """What is wrong, and how many games are not."""
    problems: list[dict[str, object]] = []
    source.on_problem = problems.append if as_json else lambda problem: click.echo(_sentence(problem))
    for name, number, game in source:
        problem = _wrong_result(game)
        if problem is not None:
            source.tell({"file": name, "game": number, "problem": problem})
    if as_json:
        print_json({"games": source.games, "problems": problems + source.unreadable})
    else:
        found = "1 problem" if source.problems == 1 else f"{source.problems or 'no'} problems"
        click.echo(f"{source.games:,} {'game' if source.games == 1 else 'games'}, {found}", err=True)


def _wrong_result(game: PdnGame) -> str | None:
    """What is wrong with the result: it is none, is told in two ways, or the game ended otherwise on the board."""
    tag = game.tags.get("Result", "").strip()
    told = Result.NONE if tag in UNKNOWN_VALUES else game.result
    if told is None:
        return f"the tag Result says {tag}, which is no result"
    twice = contradiction(game)
    if twice is not None:
        return twice
    end = game.end()
    outcome = None if end is None else end.outcome()
    if outcome is None or told is result_of(outcome.winner):
        return None
    winner = "nobody" if outcome.winner is None else outcome.winner.name.capitalize()
    missing = "the result is missing" if told is Result.NONE else f"the result is {tag}"
    return f"{missing}, but {winner} has won: {outcome.termination}"
