"""What can be said to `tablemen match`, and the match that it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tablemen.cli.completers import complete_file
from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import POSITIVE
from tablemen.clock import parse_time_control
from tablemen.errors import TablemenError
from tablemen.match import Match, Openings, parse_draw, parse_openings, parse_resign, parse_sprt
from tablemen.match.referee import DEFAULT_MAX_PLIES

GAMES, MOST_GAMES = 100, 100_000  # without and with a test that ends the match
ORDERS = ("sequential", "random")
MILLISECONDS = 1000

Command = TypeVar("Command", bound=Callable[..., object])


def _read(parse: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """What turns the text of an option into what it means."""

    def read(_context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
        try:
            return None if text is None else parse(text)
        except TablemenError as error:
            raise BadQuestion(f"{parameter.opts[0]}: {error}") from error

    return read


_CONTROL = _read(parse_time_control)

_OPTIONS = (
    click.option(
        "--games", metavar="N", type=POSITIVE, help=f"How many games. [default: {GAMES}; with --sprt {MOST_GAMES}]"
    ),
    click.option(
        "--openings",
        metavar="FILE",
        shell_complete=complete_file,
        help="A file of games, or of positions, one a line; or random:PLIES by chance, all:PLIES for every position "
        "after so many moves, fairkalah for its boards.",
    ),
    click.option(
        "--openings-order",
        "order",
        type=click.Choice(ORDERS),
        default=ORDERS[0],
        show_default=True,
        help="In which order they are played.",
    ),
    click.option(
        "--clock",
        metavar="MINUTES+SECONDS",
        callback=_CONTROL,
        help="The time of each player for a game, and what each move adds: 5+3, or 90s+0.5 in seconds; with 40/5 the "
        "time is for 40 moves.",
    ),
    click.option("--clock-first", metavar="MINUTES+SECONDS", callback=_CONTROL, help="That of the first player."),
    click.option("--clock-second", metavar="MINUTES+SECONDS", callback=_CONTROL, help="That of the second player."),
    click.option(
        "--margin",
        metavar="MS",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="The milliseconds that each move may be late.",
    ),
    click.option(
        "--resign",
        metavar="SCORE[:MOVES]",
        callback=_read(parse_resign),
        help="A player that says -SCORE or less of so many of its moves in a row loses. [MOVES: 3]",
    ),
    click.option(
        "--draw",
        metavar="SCORE[:MOVES[:AFTER]]",
        callback=_read(parse_draw),
        help="A draw where both say no more than SCORE for either side of so many moves in a row, and have made AFTER. "
        "[MOVES: 10, AFTER: 30]",
    ),
    click.option(
        "--sprt",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        callback=_read(parse_sprt),
        help="End when it is clear whether the first player is stronger by ELO1 rather than ELO0. [ALPHA, BETA: 0.05]",
    ),
    click.option(
        "--longest",
        metavar="PLIES",
        type=POSITIVE,
        default=DEFAULT_MAX_PLIES,
        show_default=True,
        help="A longer game is a draw.",
    ),
    click.option(
        "--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help="What chance begins with."
    ),
)


def match_options(command: Command) -> Command:
    """Adds everything that `make_match` takes."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


def make_match(
    variant: Any,
    first: str,
    second: str,
    *,
    games: int | None,
    openings: str | None,
    order: str,
    clock: Any,
    clock_first: Any,
    clock_second: Any,
    margin: int,
    seed: int,
    sprt: Any,
    **settings: Any,
) -> Match:
    """The match that the options mean; those that it takes as they are, are the `settings`."""
    begins = Openings() if openings is None else _read_openings(openings, variant)
    return Match(
        variant,
        first,
        second,
        games=games or (GAMES if sprt is None else MOST_GAMES),
        openings=begins.shuffled(seed) if order == "random" else begins,
        controls=(clock_first or clock, clock_second or clock),
        margin=margin / MILLISECONDS,
        seed=seed,
        sprt=sprt,
        **settings,
    )


def _read_openings(text: str, variant: Any) -> Openings:
    try:
        return parse_openings(text, variant)
    except TablemenError as error:
        raise BadQuestion(f"--openings: {error}") from error
    except OSError as error:
        raise BadQuestion(f"--openings: {text}: {error.strerror}") from error
