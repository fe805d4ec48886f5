"""`tablemen perft`: how many ways the game can go on."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import click

from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import json_option, position_option, print_json, read_position, variant_argument
from tablemen.family import get_family

PATIENCE = 0.5  # seconds of silence before a bar is drawn
HEARTBEAT = 0.2  # seconds of waiting at a time: Ctrl-C just before a wait is seen only after it
DEEPEST = 1000  # plies that the core counts
ENOUGH = 50  # subtrees, so that each is a small part of the whole; from the start they begin two plies down

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
    """A range whose name reads well in messages."""

    name = "whole number"


class PerftCommand(click.Command):
    """A command that knows a negative depth from an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What is left of the arguments."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name[1:].isdecimal():
                raise click.BadParameter("a depth cannot be negative.", ctx, param_hint="'DEPTH'") from error
            raise


@click.command(cls=PerftCommand, epilog=EXAMPLES)
@variant_argument
@click.argument("depth", type=WholeNumber(min=0, max=DEEPEST))
@position_option
@click.option("--divide", is_flag=True, help="Count for each first move.")
@click.option("--paths", is_flag=True, help="Count a capture once for every way it can go.")
@click.option(
    "--threads", metavar="N", type=WholeNumber(min=1), default=1, show_default=True, help="Count in so many threads."
)
@json_option
def perft(
    *, variant: Any, depth: int, position: str | None, divide: bool, paths: bool, threads: int, as_json: bool
) -> None:
    """Counts the ways in which a position can go on for DEPTH plies: the leaves of the tree of moves.

    Captures that begin and end on the same squares and take the same pieces count once, unless --paths is given. A bar
    on the terminal shows how far a long count has come. The time taken is told on standard error.
    """
    family = get_family(variant)
    if paths and not family.has_paths:
        raise BadQuestion("--paths is for draughts")
    place = read_position(variant, position)
    started = time.perf_counter()
    counts = count_moves(place, depth, paths=paths, threads=threads)
    seconds = time.perf_counter() - started
    nodes = sum(counts.values()) if depth else 1
    rate = round(nodes / seconds) if seconds else None
    if as_json:
        ways = {"paths": paths} if family.has_paths else {}
        by_move = {"divide": {str(move): count for move, count in counts.items()}} if divide else {}
        counted = {"depth": depth, **ways, "nodes": nodes, **by_move}
        print_json(
            family.serialize_position(place) | counted | {"seconds": round(seconds, 6), "nodes_per_second": rate}
        )
        return
    if divide:
        _print_divide(counts)
    click.echo(nodes)
    speed = "" if rate is None else f", {rate:,} a second"
    click.echo(f"{nodes:,} {'leaf' if nodes == 1 else 'leaves'} in {seconds:.3f} s{speed}", err=True)


def count_moves(position: Any, depth: int, *, threads: int, paths: bool = False) -> dict[Any, int]:
    """The leaves below each move of the position, counted in subtrees so that one can watch and interrupt."""
    if not depth:
        return {}
    ways = {"paths": True} if paths else {}  # a family without them does not know the word
    counts = dict.fromkeys(position.legal_moves(), 0)
    subtrees = [(move, position.play_unchecked(move)) for move in position.legal_moves(**ways)]
    rest = depth - 1
    while subtrees and len(subtrees) < ENOUGH and rest > 1:
        subtrees = [(move, each.play_unchecked(reply)) for move, each in subtrees for reply in each.legal_moves(**ways)]
        rest -= 1
    pool = ThreadPoolExecutor(threads)
    try:
        futures = {pool.submit(each.perft, rest, **ways): move for move, each in subtrees}
        _wait_for(futures)
        for future, move in futures.items():
            counts[move] += future.result()
    finally:
        # Without waiting: after Ctrl-C nobody wants to know what is still being counted.
        pool.shutdown(wait=False, cancel_futures=True)
    return counts


def _wait_for(futures: Collection[Future[int]]) -> None:
    """Waits until all are done; if that takes a while, with a bar on standard error where it is a terminal."""
    _, pending = wait(futures, timeout=PATIENCE)
    if pending and sys.stderr.isatty():
        bar = click.progressbar(length=len(futures), label="counting", file=sys.stderr)
        # Not as a context: Ctrl-C in the midst of entering it would leave the cursor hidden.
        try:
            bar.render_progress()
            while pending:
                bar.update(len(futures) - len(pending) - bar.pos)
                _, pending = wait(pending, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            bar.update(len(futures) - bar.pos)
        finally:
            bar.render_finish()
    while pending:
        _, pending = wait(pending, timeout=HEARTBEAT)


def _print_divide(counts: dict[Any, int]) -> None:
    """A line for each first move, in columns."""
    texts = {str(move): str(count) for move, count in counts.items()}
    width = max(map(len, texts), default=0)
    digits = max(map(len, texts.values()), default=0)
    for text, count in texts.items():
        click.echo(f"{text:<{width}}  {count:>{digits}}")
