"""`tablemen perft`: count the move sequences of a given length."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import click

from tablemen.cli.group import CommandUsageError
from tablemen.cli.parameters import (
    format_count,
    format_table,
    json_option,
    parse_position,
    position_option,
    print_json,
    variant_argument,
)
from tablemen.family import get_family

PROGRESS_DELAY = 0.5  # seconds until a progress bar is shown
POLL_INTERVAL = 0.2  # seconds; Ctrl-C just before a wait is handled only after it
MAX_DEPTH = 1000  # plies; the maximum of the compiled core
MIN_SUBTREES = 50  # enough for a smooth progress bar

EXAMPLES = """\b
Examples:
  tablemen perft international 7
  tablemen perft frisian 6 --divide
  tablemen perft frisian 6 --paths
  tablemen perft english 11 --threads 4
  tablemen perft russian 5 --fen "W:Wa1,Kh2:Bb8,c7" --json
  tablemen perft kalah 9
"""


class WholeNumber(click.IntRange):
    """A range with a readable name in error messages."""

    name = "whole number"


class PerftCommand(click.Command):
    """A command that recognises a negative depth, which click takes for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name[1:].isdecimal():
                raise click.BadParameter("the depth cannot be negative.", ctx, param_hint="'DEPTH'") from error
            raise


@click.command(cls=PerftCommand, epilog=EXAMPLES)
@variant_argument
@click.argument("depth", type=WholeNumber(min=0, max=MAX_DEPTH))
@position_option
@click.option("--divide", is_flag=True, help="Also print the count for each first move.")
@click.option("--paths", is_flag=True, help="Count every path of a capture separately.")
@click.option(
    "--threads", metavar="N", type=WholeNumber(min=1), default=1, show_default=True, help="Number of threads."
)
@json_option
def perft(
    *, variant: Any, depth: int, position: str | None, divide: bool, paths: bool, threads: int, as_json: bool
) -> None:
    """Count the sequences of DEPTH legal moves: the leaves of the move tree.

    Captures that begin and end on the same squares and take the same pieces count once, unless --paths is given. A
    long count shows a progress bar. The time taken is printed on standard error.
    """
    family = get_family(variant)
    if paths and not family.has_paths:
        raise CommandUsageError("--paths is only for draughts")
    place = parse_position(variant, position)
    started = time.perf_counter()
    counts = count_moves(place, depth, paths=paths, threads=threads)
    seconds = time.perf_counter() - started
    nodes = sum(counts.values()) if depth else 1
    rate = round(nodes / seconds) if seconds else None
    if as_json:
        path_option = {"paths": paths} if family.has_paths else {}
        by_move = {"divide": {str(move): count for move, count in counts.items()}} if divide else {}
        counted = {"depth": depth, **path_option, "nodes": nodes, **by_move}
        timing = {"seconds": round(seconds, 6), "nodes_per_second": rate}
        print_json(family.serialize_position(place) | counted | timing)
        return
    if divide:
        for line in format_table(((str(move), str(count)) for move, count in counts.items()), "<>"):
            click.echo(line)
    click.echo(nodes)
    speed = "" if rate is None else f", {rate:,} per second"
    click.echo(f"{format_count(nodes, 'leaf', 'leaves', spec=',')} in {seconds:.3f} s{speed}", err=True)


def count_moves(position: Any, depth: int, *, threads: int, paths: bool = False) -> dict[Any, int]:
    """Count the leaves after each move, one subtree at a time, to show the progress and to allow Ctrl-C."""
    if not depth:
        return {}
    ways = {"paths": True} if paths else {}  # a family without paths does not accept the argument
    counts = dict.fromkeys(position.legal_moves(), 0)
    subtrees = [(move, position.play_unchecked(move)) for move in position.legal_moves(**ways)]
    rest = depth - 1
    while subtrees and len(subtrees) < MIN_SUBTREES and rest > 1:
        subtrees = [(move, each.play_unchecked(reply)) for move, each in subtrees for reply in each.legal_moves(**ways)]
        rest -= 1
    pool = ThreadPoolExecutor(threads)
    try:
        futures = {pool.submit(each.perft, rest, **ways): move for move, each in subtrees}
        _wait_for(futures)
        for future, move in futures.items():
            counts[move] += future.result()
    finally:
        # Do not wait: after Ctrl-C the counts in progress are not needed.
        pool.shutdown(wait=False, cancel_futures=True)
    return counts


def _wait_for(futures: Collection[Future[int]]) -> None:
    """Wait until all are done; after a delay, show a progress bar if standard error is a terminal."""
    _, pending = wait(futures, timeout=PROGRESS_DELAY)
    if pending and sys.stderr.isatty():
        bar = click.progressbar(length=len(futures), label="counting", file=sys.stderr)
        # Not as a context manager: Ctrl-C on entry would leave the cursor hidden.
        try:
            bar.render_progress()
            while pending:
                bar.update(len(futures) - len(pending) - bar.pos)
                _, pending = wait(pending, timeout=POLL_INTERVAL, return_when=FIRST_COMPLETED)
            bar.update(len(futures) - bar.pos)
        finally:
            bar.render_finish()
    while pending:
        _, pending = wait(pending, timeout=POLL_INTERVAL)
