"""`tablemen perft`: how many ways the game can go on."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

import click

from tablemen.cli.parameters import fen_option, json_option, print_json, read_position, variant_argument
from tablemen.draughts import DraughtsRules, Move, Position

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

PATIENCE = 0.5  # seconds of silence before a bar is drawn
SHALLOW, DEEPEST_SUBTREE = 2, 9  # plies: subtrees begin two down, and lower where they would take long

EXAMPLES = """\b
Examples:
  tablemen perft international 7
  tablemen perft frisian 6 --divide
  tablemen perft english 11 --threads 4
  tablemen perft russian 5 --fen "W:Wa1,Kh2:Bb8,c7" --json
"""


@click.command(epilog=EXAMPLES, short_help="how many ways the game can go on for DEPTH plies")
@variant_argument
@click.argument("depth", type=click.IntRange(min=0))
@fen_option
@click.option("--divide", is_flag=True, help="Count for each first move.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Count in so many threads.")
@json_option
def perft(  # noqa: PLR0913 - one for each parameter of the command
    *, variant: DraughtsRules, depth: int, fen: str | None, divide: bool, threads: int, as_json: bool
) -> None:
    """Counts the ways in which a position can go on for DEPTH plies: the leaves of the tree of moves.

    A bar on the terminal shows how far a long count has come. The time taken is told on standard error.
    """
    position = read_position(variant, fen)
    started = time.perf_counter()
    counts = count_moves(position, depth, threads=threads)
    seconds = time.perf_counter() - started
    nodes = sum(counts.values()) if depth else 1
    rate = round(nodes / seconds) if seconds else None
    if as_json:
        facts = {"variant": variant.name, "fen": position.fen(), "depth": depth, "nodes": nodes}
        by_move = {"divide": {str(move): count for move, count in counts.items()}} if divide else {}
        print_json(facts | by_move | {"seconds": round(seconds, 6), "nodes_per_second": rate})
        return
    if divide:
        _print_divide(counts)
    click.echo(nodes)
    speed = "" if rate is None else f", {rate:,} a second"
    click.echo(f"{nodes:,} leaves in {seconds:.3f} s{speed}", err=True)


def count_moves(position: Position, depth: int, *, threads: int) -> dict[Move, int]:
    """The leaves below each move of the position, counted in subtrees so that one can watch and interrupt."""
    counts = dict.fromkeys(position.legal_moves(), 0) if depth else {}
    plies = max(min(SHALLOW, depth), depth - DEEPEST_SUBTREE)
    pool = ThreadPoolExecutor(threads)
    try:
        futures = {
            pool.submit(each.perft, depth - plies): move
            for move in counts
            for each in _positions_after(position.play_unchecked(move), plies - 1)
        }
        with _Progress(len(futures)) as progress:
            for future in as_completed(futures):
                counts[futures[future]] += future.result()
                progress.step()
    finally:
        # Without waiting: after Ctrl-C nobody wants to know what is still being counted.
        pool.shutdown(wait=False, cancel_futures=True)
    return counts


def _positions_after(position: Position, plies: int) -> Iterator[Position]:
    """Every position so many plies on, once for each way to it."""
    if plies == 0:
        yield position
        return
    for move in position.legal_moves():
        yield from _positions_after(position.play_unchecked(move), plies - 1)


class _Progress:
    """A bar on standard error, drawn only where that is a terminal and the count takes a while."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.done = 0
        self.started = time.monotonic()
        self.open = ExitStack()
        self.bar: ProgressBar[int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.open.close()  # shows the cursor again

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        if self.bar is not None:
            self.bar.update(1)
        elif sys.stderr.isatty() and time.monotonic() - self.started > PATIENCE:
            self.bar = self.open.enter_context(_bar(self.length))
            self.bar.update(self.done)


def _bar(length: int) -> ProgressBar[int]:
    return click.progressbar(length=length, label="counting", file=sys.stderr)


def _print_divide(counts: dict[Move, int]) -> None:
    """A line for each first move, in columns."""
    texts = {str(move): str(count) for move, count in counts.items()}
    width = max(map(len, texts), default=0)
    digits = max(map(len, texts.values()), default=0)
    for text, count in texts.items():
        click.echo(f"{text:<{width}}  {count:>{digits}}")
