"""`tablemen pdn`: game files listed, checked and converted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, print_json
from tablemen.cli.pdn_forms import FORMS, describe
from tablemen.draughts import DraughtsRules, find_variant
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.draughts.pdn.result import Result, parse_result, result_of
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


@click.command(epilog=EXAMPLES, short_help="list, check or convert the games of PDN files")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option(
    "--check", "is_check", is_flag=True, help="Tell only what is wrong: unreadable games, illegal moves, results."
)
@click.option("--to", "form", type=click.Choice(tuple(FORMS)), help="Print every game in this form.")
@click.option("--variant", help="The variant of games that name none; without it, the first that allows their moves.")
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
    told on standard error with their place, and the status is then 1.
    """
    if is_check and form:
        raise BadQuestion("--check and --to exclude each other")
    if as_json and form:
        raise BadQuestion("--json is for the list and for --check; --to jsonl prints JSON")
    source = _Source(files, None if variant is None else find_variant(variant), _known(encoding))
    if is_check:
        _check(source, as_json=as_json)
    elif form:
        _convert(source, FORMS[form])
    else:
        _list(source, as_json=as_json)
    context.exit(1 if source.problems else 0)


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError as error:
        raise BadQuestion(f"--encoding: {error}") from error
    return encoding


class _Source:
    """The games of all files, and the problems met on the way."""

    def __init__(self, files: tuple[str, ...], variant: DraughtsRules | None, encoding: str) -> None:
        self.files = files
        self.variant = variant
        self.encoding = encoding
        self.games = 0
        self.problems = 0
        self.on_problem: Callable[[dict[str, object]], None] = lambda problem: click.echo(_sentence(problem), err=True)

    def __iter__(self) -> Iterator[tuple[str, int, PdnGame]]:
        """File, number and game of each."""
        for name in self.files:
            with _Watched(name) as file:
                reader = read_pdn(
                    file,
                    variant=self.variant,
                    encoding=self.encoding,
                    on_error=lambda error, name=name: self.tell_error(name, error),  # type: ignore[misc]
                )
                for game in reader:
                    self.games += 1
                    yield name, reader.games_read, game

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
    return f"{problem['file']}: game {problem['game']}{place}: {problem['problem']}"


class _Watched:
    """A file that moves a bar on the terminal while it is read, if it is large."""

    def __init__(self, name: str) -> None:
        self.file: IO[bytes] = click.open_file(name, "rb")
        size = Path(name).stat().st_size if name != STANDARD_INPUT else 0
        self.bar = None
        if size >= LARGE and sys.stderr.isatty() and not sys.stdout.isatty():
            self.bar = click.progressbar(length=size, label=Path(name).name, file=sys.stderr)

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
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
        click.echo(f"{prefix}{number:>4}  {players}  {facts['result']}  {facts['variant']}{_where(game)}")


def _where(game: PdnGame) -> str:
    told = [game.tags[name] for name in ("Event", "Site", "Date") if game.tags.get(name, "?").strip("?. ")]
    return f"  {', '.join(told)}" if told else ""


def _convert(source: _Source, form: Callable[[PdnGame, int], str]) -> None:
    """Every game in another form."""
    for name, number, game in source:
        try:
            text = form(game, number)
        except TablemenError as error:
            source.tell({"file": name, "game": number, "problem": str(error)})
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
        print_json({"games": source.games, "problems": problems})
    else:
        found = "1 problem" if source.problems == 1 else f"{source.problems or 'no'} problems"
        click.echo(f"{source.games:,} {'game' if source.games == 1 else 'games'}, {found}", err=True)


def _wrong_result(game: PdnGame) -> str | None:
    """What is wrong with the result: it is told in two ways, or the game ended otherwise on the board."""
    told = game.result
    written = None if game.written_result is None else parse_result(game.written_result)
    if told is not written and Result.NONE not in (told, written) and told is not None and written is not None:
        return f"the tag Result says {game.tags['Result']}, behind the moves stands {game.written_result}"
    end = game.end()
    outcome = None if end is None else end.outcome()
    if outcome is None or told is None or told is Result.NONE or told is result_of(outcome.winner):
        return None
    winner = "nobody" if outcome.winner is None else outcome.winner.name.capitalize()
    return f"the result is {game.tags['Result']}, but {winner} has won: {outcome.termination}"
