"""`tablemen solve`: find the value of a game of Kalah under perfect play."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from tablemen.cli.cluster import TaskDisplay, check_task_options, open_executor, task_options
from tablemen.cli.group import CommandUsageError, handle_signals, typed_option
from tablemen.cli.parameters import (
    POSITIVE,
    StatusLine,
    complete_file,
    complete_solvable,
    format_count,
    json_option,
    parse_kalah_start,
    print_json,
    solvable_variants,
    threads_option,
)
from tablemen.errors import NotationError, UnknownVariantError
from tablemen.family import get_family
from tablemen.mancala import KALAH, MancalaRules, Position, TableWarning, find_variant
from tablemen.mancala.rules import NAMES
from tablemen.mancala.solver import Progress, Solution, solve_all
from tablemen.mancala.solver import solve as solve_position
from tablemen.mancala.solver_tasks import DEFAULT_POSITIONS_PER_TASK, solve_in_tasks

PROGRESS_DELAY = 0.5  # seconds until progress is shown
PROGRESS_INTERVAL = 0.1  # seconds between two updates
EFFORT = ("nodes", "seconds")
POSITION = re.compile(r"^\s*<\s*([0-9]{1,3})\s*,", re.MULTILINE)

EXAMPLES = """\b
Examples:
  tablemen solve kalah
  tablemen solve kalah --houses 6 --seeds 4 --moves
  tablemen solve kalah --houses 5 --seeds 3 --rules irving
  tablemen solve kalah --position "<4,9,8,0,1,0,2,1,0,2,1> north" --moves
  tablemen solve kalah --positions endings.txt --cluster local:4 --folder out
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
@click.option(
    "--positions",
    "file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    shell_complete=complete_file,
    help="Solve all positions of this file, one a line, or those at the ends of its games.",
)
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
@task_options("positions", str(DEFAULT_POSITIONS_PER_TASK))
@json_option
def solve(
    *,
    game: MancalaRules,
    houses: int | None,
    seeds: int | None,
    rules: str | None,
    position: str | None,
    file: Path | None,
    moves: bool,
    threads: int,
    memory: int,
    no_cache: bool,
    cluster: str | None,
    folder: Path | None,
    per_task: int | None,
    as_json: bool,
) -> None:
    """Find the winner of a game of the Kalah family, and the margin in seeds, under perfect play.

    GAME is kalah or another game of its family. Values are margins for the side to move. --moves lists them for the
    houses from first to last, then for a swap; a dot stands for a house that cannot be played.

    Tables of positions with few seeds are built first. They are stored in the user's cache folder, or in the folder
    that the environment variable TABLEMEN_CACHE names. Ctrl-C keeps the finished tables. On a terminal a status line
    shows the progress.

    Many positions of a file are solved much faster than one after the other: --threads of them at a time, or, with
    --cluster, --per-task in each task. Tasks write the values to --folder, and the same command continues with those
    that are missing.
    """
    if rules is not None and game is not KALAH:
        raise CommandUsageError(f"--rules cannot be combined with {game.name}, only with kalah")
    chosen = game if rules is None else find_variant(rules)
    check_task_options(cluster, folder, per_task)
    if file is not None:
        for name, given in (("--position", position), ("--houses", houses), ("--seeds", seeds)):
            if given is not None:
                raise CommandUsageError(f"{typed_option(name)} cannot be combined with --positions")
        options = {"each_move": moves, "threads": threads, "table_mb": memory, "cache": not no_cache}
        positions = _read_positions(file, chosen)
        with handle_signals(), _plain_warnings():
            solutions = _solve_file(positions, options, cluster, folder, per_task)
        _print_solutions(positions, solutions, as_json=as_json)
        return
    if cluster is not None:
        raise CommandUsageError("--cluster requires --positions: a single position is one task")
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


def _read_positions(file: Path, rules: MancalaRules) -> list[Position]:
    """Read the positions of a file; the first one determines the number of houses."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        written = POSITION.search(text)
        family = get_family(rules)
        games = family.parse_openings(text, family.resize(rules, houses=int(written[1])) if written else rules)
    except UnicodeDecodeError as error:
        raise CommandUsageError(f"{file} is not a text file in UTF-8: {error}") from error
    except NotationError as error:
        raise CommandUsageError(f"{file}: {error}") from error
    if not games:
        raise CommandUsageError(f"{file} has no positions")
    return [each.position for each in games]


def _solve_file(
    positions: list[Position], options: dict[str, Any], cluster: str | None, folder: Path | None, per_task: int | None
) -> list[Solution]:
    """Solve the positions here, or by tasks of a cluster."""
    if cluster is None or folder is None:
        with StatusLine() as status:
            return solve_all(
                positions, **options, on_solved=lambda count: status.write(f"{count} of {len(positions)} positions")
            )
    with TaskDisplay() as display, open_executor(cluster, folder) as executor:
        return solve_in_tasks(
            positions,
            **options,
            executor=executor,
            folder=folder,
            positions_per_task=per_task or DEFAULT_POSITIONS_PER_TASK,
            on_tasks=display.show,
        )


def _print_solutions(positions: list[Position], solutions: list[Solution], *, as_json: bool) -> None:
    """Print the value of each position, and the values of its moves if they are known."""
    solved = list(zip(positions, solutions, strict=True))
    if as_json:
        rows = [_serialize_solution(*each) for each in solved]
        # The number of positions searched and the time depend on the division into tasks.
        print_json([{name: value for name, value in row.items() if name not in EFFORT} for row in rows])
        return
    for position, solution in solved:
        values = f": {' '.join(_format_values(position, solution))}" if solution.values else ""
        click.echo(f"{position.text()}: {_format_value(solution.value)}{values}")
    click.echo(f"{format_count(len(solved), 'position', spec=',')} in {solutions[0].time:.3f} s", err=True)


def _format_winner(position: Position, value: int, *, is_start: bool) -> str:
    mover, other = position.turn, position.turn.opponent
    names = ("first player", "second player") if is_start else (NAMES[mover].capitalize(), NAMES[other].capitalize())
    return f"{value:+d}: {names[0] if value > 0 else names[1]} wins by {abs(value)}" if value else "0: a draw"


def _format_values(position: Position, solution: Solution) -> list[str]:
    """Format the values of the houses, from the first to the last, and of the swap."""
    values = {move.house: _format_value(value) for move, value in solution.values.items()}
    swap = [f"swap {values[0]}"] if 0 in values else []
    return [values.get(house, ".") for house in range(1, position.variant.houses + 1)] + swap


def _format_value(value: int) -> str:
    return f"{value:+d}" if value else "0"


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
