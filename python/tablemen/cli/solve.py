"""`tablemen solve`: find the value of a game of Kalah under perfect play."""

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
            raise CommandUsageError(
                f"{find_any(name)} cannot be solved: it is not a game of the Kalah family"
            ) from error
        raise CommandUsageError(str(error)) from error


@click.command(epilog=EXAMPLES)
@click.argument("game", callback=_parse_game, shell_complete=complete_solvable)
@click.option("--houses", metavar="N", type=int, help="Houses per side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds per house at the start.")
@click.option("--rules", type=click.Choice(list(solvable_variants())), help="Rules of the game, if GAME is kalah.")
@click.option("--position", metavar="POSITION", help="A position such as <2,0,0,2,1,0,3> north. [default: the start]")
@click.option("--moves", is_flag=True, help="Also print the value of each move, which takes longer.")
@threads_option
@click.option(
    "--memory",
    metavar="MB",
    type=POSITIVE,
    default=512,
    show_default=True,
    help="Size of the transposition table.",
)
@click.option("--no-cache", is_flag=True, help="Neither read nor write tables in the cache folder.")
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
    """Find the winner of a game of the Kalah family, and the margin in seeds, under perfect play.

    GAME is kalah or another game of its family. Values are margins for the side to move. --moves lists them for the
    houses from first to last, then for a swap; a dot stands for a house that cannot be played.

    Tables of positions with few seeds are built first. They are stored in the user's cache folder, or in the folder
    that the environment variable TABLEMEN_CACHE names. Ctrl-C keeps the finished tables. On a terminal a status line
    shows the progress.
    """
    if rules is not None and game is not KALAH:
        raise CommandUsageError(f"--rules cannot be combined with {game.name}, only with kalah")
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
    mover, other = position.turn, position.turn.opponent
    names = ("first player", "second player") if is_start else (NAMES[mover].capitalize(), NAMES[other].capitalize())
    return f"{value:+d}: {names[0] if value > 0 else names[1]} wins by {abs(value)}" if value else "0: a draw"


def _format_values(position: Position, solution: Solution) -> list[str]:
    """Format the values of the houses, from the first to the last, and of the swap."""
    values = {move.house: f"{value:+d}" if value else "0" for move, value in solution.values.items()}
    swap = [f"swap {values[0]}"] if 0 in values else []
    return [values.get(house, ".") for house in range(1, position.variant.houses + 1)] + swap


def _serialize_solution(position: Position, solution: Solution) -> dict[str, object]:
    """Return the solution as JSON; it has values only with --moves."""
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
    """Return a callback that shows progress on the status line, after a delay and at intervals."""
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
        return f"building tables: {progress.layer} of {progress.layers}, {seconds}"
    subject = "value" if progress.move is None else f"move {progress.move}"
    nodes = format_count(progress.nodes, "position", spec=",")
    return f"{subject} from {progress.minimum:+d} to {progress.maximum:+d}, {nodes}, {seconds}"
