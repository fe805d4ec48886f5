"""`tablemen solve`: the value of a game of Kalah under perfect play."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator

import click

from tablemen.cli.group import CommandUsageError, handle_signals
from tablemen.cli.parameters import (
    POSITIVE,
    StatusLine,
    complete_solvable,
    format_count,
    json_option,
    parse_kalah_start,
    print_json,
    solvable_variants,
    threads_option,
)
from tablemen.errors import UnknownVariantError
from tablemen.mancala import KALAH, MancalaRules, Position, TableWarning, find_variant
from tablemen.mancala.rules import NAMES
from tablemen.mancala.solver import Progress, Solution
from tablemen.mancala.solver import solve as solve_position

PROGRESS_DELAY = 0.5  # seconds until progress is shown
PROGRESS_INTERVAL = 0.1  # seconds between two updates

EXAMPLES = """\b
Examples:
  tablemen solve kalah
  tablemen solve kalah --houses 6 --seeds 4 --moves
  tablemen solve kalah --houses 5 --seeds 3 --rules irving
  tablemen solve kalah --position "<4,9,8,0,1,0,2,1,0,2,1> north" --moves
"""


def _parse_game(_context: click.Context, _parameter: click.Parameter, name: str) -> MancalaRules:
    from tablemen.family import find_variant as find_any

    try:
        return find_variant(name)
    except UnknownVariantError as error:
        with contextlib.suppress(UnknownVariantError):
            raise CommandUsageError(f"{find_any(name)} is not a game of the Kalah family") from error
        raise CommandUsageError(str(error)) from error


@click.command(epilog=EXAMPLES)
@click.argument("game", callback=_parse_game, shell_complete=complete_solvable)
@click.option("--houses", metavar="N", type=int, help="Houses of a side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds in every house at the start.")
@click.option("--rules", type=click.Choice(list(solvable_variants())), help="The rules by their name.")
@click.option(
    "--position", metavar="POSITION", help="A position, such as <2,0,0,2,1,0,3> north; without it, the start."
)
@click.option("--moves", is_flag=True, help="Print the value of each move too; that takes longer.")
@threads_option
@click.option(
    "--memory",
    metavar="MB",
    type=POSITIVE,
    default=512,
    show_default=True,
    help="The memory for positions.",
)
@click.option("--no-cache", is_flag=True, help="Do not use the cache folder for tables.")
@json_option
def solve(
    *,
    game: MancalaRules,
    houses: int | None,
    seeds: int | None,
    rules: str | None,
    position: str | None,
    moves: bool,
    threads: int,
    memory: int,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Solve a game of the Kalah family: find the winner, and by how many seeds, when both play their best.

    GAME is kalah, or the name of other rules of its family. The margin is that of the side to move, and so is the value
    of each move. These are listed for the houses from the first to the last; a dot stands for a house that cannot be
    played, and a swap comes last.

    Tables of positions with few seeds are built first, and stored in the user's cache folder, or in the folder of the
    environment variable TABLEMEN_CACHE. Ctrl-C keeps those that are finished. A line on the terminal shows the
    progress.
    """
    if rules is not None and game is not KALAH:
        raise CommandUsageError("--rules goes with kalah alone")
    chosen = game if rules is None else find_variant(rules)
    start = parse_kalah_start(chosen, houses, seeds, position)
    with handle_signals(), _plain_warnings(), StatusLine() as status:
        solution = solve_position(
            start,
            each_move=moves,
            threads=threads,
            table_mb=memory,
            cache=not no_cache,
            on_progress=_progress_display(status) if status.is_shown else None,
        )
    if as_json:
        print_json(_serialize_solution(start, solution))
        return
    click.echo(_format_winner(start, solution.value, is_start=position is None))
    if moves and solution.values:
        click.echo(" ".join(_format_values(start, solution)))
    click.echo(f"{format_count(solution.nodes, 'position', spec=',')} in {solution.time:.3f} s", err=True)


def _format_winner(position: Position, value: int, *, is_start: bool) -> str:
    mover, other = NAMES[position.turn], NAMES[position.turn.opponent]
    names = ("first player", "second player") if is_start else (mover, other)
    return f"{value:+d}: {names[0] if value > 0 else names[1]} wins by {abs(value)}" if value else "0: a draw"


def _format_values(position: Position, solution: Solution) -> list[str]:
    """Format the values of the houses, from the first to the last, and of the swap."""
    values = {move.house: f"{value:+d}" if value else "0" for move, value in solution.values.items()}
    swap = [f"swap {values[0]}"] if 0 in values else []
    return [values.get(house, ".") for house in range(1, position.variant.houses + 1)] + swap


def _serialize_solution(position: Position, solution: Solution) -> dict[str, object]:
    """Return the solution as JSON; without values if --moves is not given."""
    values = {"values": {str(move): value for move, value in solution.values.items()}} if solution.values else {}
    return {
        "variant": position.variant.name,
        "position": position.text(),
        "value": solution.value,
        "best": [str(move) for move in solution.best],
        **values,
        "nodes": solution.nodes,
        "seconds": round(solution.time, 6),
    }


@contextlib.contextmanager
def _plain_warnings() -> Iterator[None]:
    """Print warnings as lines on standard error, without a place in the source."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", TableWarning)
        warnings.showwarning = lambda message, *_, **__: click.echo(f"Warning: {message}", err=True)
        yield


def _progress_display(status: StatusLine) -> Callable[[Progress], None]:
    """Return a callback that shows progress on the status line, not too soon and not too often."""
    next_time = PROGRESS_DELAY

    def show(progress: Progress) -> None:
        nonlocal next_time
        if progress.time >= next_time:
            next_time = progress.time + PROGRESS_INTERVAL
            status.write(_format_progress(progress))

    return show


def _format_progress(progress: Progress) -> str:
    seconds = f"{progress.time:.0f} s"
    if progress.layer is not None:
        return f"tables: {progress.layer} of {progress.layers}, {seconds}"
    subject = "value" if progress.move is None else f"move {progress.move}"
    nodes = format_count(progress.nodes, "position", spec=",")
    return f"{subject} from {progress.minimum:+d} to {progress.maximum:+d}, {nodes}, {seconds}"
