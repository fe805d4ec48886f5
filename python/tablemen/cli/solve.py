"""`tablemen solve`: what a game of Kalah is worth when nobody errs."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator

import click

from tablemen.cli.completers import complete_kalah
from tablemen.cli.group import BadQuestion, ended_by_signals
from tablemen.cli.kalah_boards import read_start
from tablemen.cli.parameters import POSITIVE, json_option, print_json, threads_option
from tablemen.cli.status_line import StatusLine
from tablemen.errors import UnknownVariantError
from tablemen.mancala import KALAH, VARIANTS, KalahRules, MancalaRules, Position, TableWarning, find_variant
from tablemen.mancala.rules import NAMES
from tablemen.mancala.solver import Progress, Solution
from tablemen.mancala.solver import solve as solve_position

RULES = [name for name, rules in VARIANTS.items() if isinstance(rules, KalahRules)]
PATIENCE = 0.5  # seconds of silence before progress is shown
PAUSE = 0.1  # seconds between two looks at it

EXAMPLES = """\b
Examples:
  tablemen solve kalah
  tablemen solve kalah --houses 6 --seeds 4 --moves
  tablemen solve kalah --houses 5 --seeds 3 --rules irving
  tablemen solve kalah --position "<4,9,8,0,1,0,2,1,0,2,1> north" --moves
"""


def _read_game(_context: click.Context, _parameter: click.Parameter, name: str) -> MancalaRules:
    from tablemen.family import find_variant as find_any

    try:
        return find_variant(name)
    except UnknownVariantError as error:
        with contextlib.suppress(UnknownVariantError):
            raise BadQuestion(f"{find_any(name)} is not a game of the Kalah family") from error
        raise BadQuestion(str(error)) from error


@click.command(epilog=EXAMPLES)
@click.argument("game", callback=_read_game, shell_complete=complete_kalah)
@click.option("--houses", metavar="N", type=int, help="Houses of a side.")
@click.option("--seeds", metavar="N", type=int, help="Seeds in every house at the start.")
@click.option("--rules", type=click.Choice(RULES), help="The rules by their name.")
@click.option(
    "--position", metavar="POSITION", help="A position, such as <2,0,0,2,1,0,3> north; without it, the start."
)
@click.option("--moves", is_flag=True, help="Print what each move is worth too; that takes longer.")
@threads_option
@click.option(
    "--memory",
    metavar="MB",
    type=POSITIVE,
    default=512,
    show_default=True,
    help="Remember positions in so much memory.",
)
@click.option("--no-cache", is_flag=True, help="Neither read tables from the cache folder nor keep them there.")
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
    """Solves a game of the Kalah family: tells who wins, and by how many seeds, when both play their best.

    GAME is kalah, or the name of other rules of its family. The margin is that of the side to move, and so is the value
    of each move. These are listed for the houses from the first to the last; a dot stands for a house that cannot be
    played, and a swap comes last.

    Tables of positions with few seeds are built first, and kept in the user's cache folder, or in the one that the
    environment variable TABLEMEN_CACHE names. Ctrl-C keeps those that are finished. A line on the terminal shows how
    far it has come.
    """
    if rules is not None and game is not KALAH:
        raise BadQuestion("--rules goes with kalah alone")
    chosen = game if rules is None else find_variant(rules)
    start = read_start(chosen, houses, seeds, position)
    with ended_by_signals(), _plain_warnings(), _Display() as display:
        solution = solve_position(
            start,
            each_move=moves,
            threads=threads,
            table_mb=memory,
            cache=not no_cache,
            on_progress=display.show if sys.stderr.isatty() else None,
        )
    if as_json:
        print_json(_facts(start, solution))
        return
    click.echo(_verdict(start, solution.value, is_start=position is None))
    if moves and solution.values:
        click.echo(" ".join(_list_values(start, solution)))
    click.echo(f"{_positions(solution.nodes)} in {solution.time:.3f} s", err=True)


def _verdict(position: Position, value: int, *, is_start: bool) -> str:
    """Who wins, and by how much."""
    mover, other = NAMES[position.turn], NAMES[position.turn.opponent]
    names = ("first player", "second player") if is_start else (mover, other)
    return f"{value:+d}: {names[0] if value > 0 else names[1]} wins by {abs(value)}" if value else "0: a draw"


def _list_values(position: Position, solution: Solution) -> list[str]:
    """What the houses are worth, from the first to the last, and the swap."""
    values = {move.house: f"{value:+d}" if value else "0" for move, value in solution.values.items()}
    swap = [f"swap {values[0]}"] if 0 in values else []
    return [values.get(house, ".") for house in range(1, position.variant.houses + 1)] + swap


def _facts(position: Position, solution: Solution) -> dict[str, object]:
    """The solution as JSON has it; without values where nobody asked for them."""
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


def _positions(nodes: int) -> str:
    return "1 position" if nodes == 1 else f"{nodes:,} positions"


@contextlib.contextmanager
def _plain_warnings() -> Iterator[None]:
    """Warnings as lines on standard error, without a place in the source."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", TableWarning)
        warnings.showwarning = lambda message, *_, **__: click.echo(f"Warning: {message}", err=True)
        yield


class _Display(StatusLine):
    """Says how far it has come, not too soon and not too often."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = 0.0

    def show(self, progress: Progress) -> None:
        """Writes the line anew, if it is time."""
        if progress.time < max(PATIENCE, self._shown + PAUSE):
            return
        self._shown = progress.time
        self.write(_describe(progress))


def _describe(progress: Progress) -> str:
    """How far it has come, in a line."""
    seconds = f"{progress.time:.0f} s"
    if progress.layer is not None:
        return f"tables: {progress.layer} of {progress.layers}, {seconds}"
    subject = "value" if progress.move is None else f"move {progress.move}"
    return f"{subject} from {progress.least:+d} to {progress.most:+d}, {_positions(progress.nodes)}, {seconds}"
