"""`tablemen pdn`: game files listed, checked and converted."""

from __future__ import annotations

import io

import click

from tablemen.cli.completers import complete_draughts
from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, print_json
from tablemen.cli.pdn.forms import FORMS, POSITIONS, contradiction, describe
from tablemen.cli.pdn.source import STANDARD_INPUT, Source, sentence
from tablemen.console import visible
from tablemen.draughts import find_variant
from tablemen.draughts.pdn import PdnGame, read_pdn
from tablemen.draughts.pdn.game import Result, get_result
from tablemen.draughts.pdn.start_position import UNKNOWN_VALUES
from tablemen.errors import TablemenError

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
    source = Source(files, None if variant is None else find_variant(variant), encoding)
    if is_check:
        _check(source, as_json=as_json)
    elif form:
        _convert(source, form)
    else:
        _list(source, as_json=as_json)
    context.exit(source.status)


def _list(source: Source, *, as_json: bool) -> None:
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


def _convert(source: Source, form: str) -> None:
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


def _check(source: Source, *, as_json: bool) -> None:
    """What is wrong, and how many games are not."""
    problems: list[dict[str, object]] = []
    source.on_problem = problems.append if as_json else lambda problem: click.echo(sentence(problem))
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
    if outcome is None or told is get_result(outcome.winner):
        return None
    winner = "nobody" if outcome.winner is None else outcome.winner.name.capitalize()
    missing = "the result is missing" if told is Result.NONE else f"the result is {tag}"
    return f"{missing}, but {winner} has won: {outcome.termination}"
