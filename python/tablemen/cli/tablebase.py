"""`tablemen tablebase`: build, list, check, probe and remove endgame tablebases."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tablemen.cli.cluster import cluster_option, open_executor
from tablemen.cli.group import CommandUsageError, TablemenGroup, handle_signals
from tablemen.cli.parameters import (
    POSITIVE,
    StatusLine,
    complete_draughts,
    format_count,
    format_table,
    json_option,
    parse_position,
    print_json,
    seed_option,
)
from tablemen.clock import format_time
from tablemen.draughts import VARIANTS, DraughtsRules, find_variant
from tablemen.draughts.endgame import probe_endgame, suggest_build
from tablemen.draughts.tablebase import (
    MAX_PIECES,
    Progress,
    Tablebase,
    build,
    check_samples,
    estimate_size,
    list_files,
    remove,
    tablebase_folder,
)
from tablemen.errors import TablebaseError, TablemenError
from tablemen.family import get_family
from tablemen.game import Game

ABOUTS = {
    "build": "build the tablebase of a variant",
    "list": "list the tablebases that were built",
    "check": "check the files of a tablebase",
    "probe": "print the value and the best moves of a position",
    "remove": "delete the tablebase of a variant",
}

EXAMPLES = """\b
Examples:
  tablemen tablebase build english --pieces 4 --distances
  tablemen tablebase probe english --fen W:WK10,K14:BK27
  tablemen tablebase list --json
"""

COMMAND_EXAMPLES = {
    "build": (
        "build english --pieces 4 --distances",
        "build international --concurrency 4",
        "build english --pieces 5 --cluster local:4",
    ),
    "list": ("list", "list --json"),
    "check": ("check english", "check english --samples 100000 --seed 7", "check english --all"),
    "probe": ("probe english --fen W:WK10,K14:BK27", "probe russian --fen W:WKa1,Kc1:BKb8 --json"),
    "remove": ("remove english",),
}


_DISAGREES = "the value does not agree with those after the moves"


def _format_examples(name: str) -> str:
    lines = (f"  tablemen tablebase {words}" for words in COMMAND_EXAMPLES[name])
    return "\n".join(["\b", "Examples:", *lines])


def _parse_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> DraughtsRules:
    try:
        return find_variant(name)
    except TablemenError as error:
        raise CommandUsageError(str(error)) from error


variant_argument = click.argument("variant", callback=_parse_variant, shell_complete=complete_draughts)
folder_option = click.option(
    "--folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the tablebases. [default: tablebases in the user's data folder]",
)


@click.group(cls=TablemenGroup, abouts=ABOUTS, modules=(), epilog=EXAMPLES)
def tablebase() -> None:
    """Build and use endgame tablebases: the exact value of every position with few pieces.

    Values ignore the draw rules of the variant. Distances are plies to the end of the game, if the winner plays for the
    fastest win and the loser for the slowest loss.
    """


@tablebase.command("build", epilog=_format_examples("build"))
@variant_argument
@click.option(
    "--pieces",
    metavar="N",
    type=click.IntRange(2, MAX_PIECES),
    default=4,
    show_default=True,
    help=f"Maximum number of pieces, from 2 to {MAX_PIECES}.",
)
@click.option("--distances", is_flag=True, help="Also store the distance to the end of the game.")
@click.option(
    "--concurrency",
    metavar="N",
    type=POSITIVE,
    help="Number of slices built at a time, each in a process of its own. [default: 1; with --cluster as many as can "
    "begin]",
)
@click.option(
    "--threads",
    metavar="N",
    type=POSITIVE,
    help="Number of threads for each slice. [default: one per processor, or 1 if several slices are built at a time]",
)
@folder_option
@cluster_option
def build_command(
    *,
    variant: DraughtsRules,
    pieces: int,
    distances: bool,
    concurrency: int | None,
    threads: int | None,
    folder: Path | None,
    cluster: str | None,
) -> None:
    """Build all positions of VARIANT with up to --pieces pieces that are missing.

    Ctrl-C keeps the finished slices, and the next call continues with the others. With --cluster, all workers must see
    the folder.
    """
    missing = Tablebase.open(folder, variant).missing(pieces, distances=distances)
    if not missing:
        click.echo(f"The tablebase of {variant} with up to {pieces} pieces is complete.", err=True)
        return
    place = tablebase_folder(folder, variant)
    size = estimate_size(variant, missing, distances=distances)
    click.echo(f"{format_count(len(missing), 'slice')}, at most {_format_size(size)}, in {place}", err=True)
    place.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(place).free
    if free < size:
        raise click.ClickException(
            f"{place}: the disk has {_format_size(free)} free, but {_format_size(size)} are needed"
        )
    begin = time.monotonic()
    with handle_signals(), contextlib.ExitStack() as stack:
        executor = None if cluster is None else stack.enter_context(open_executor(cluster, place))
        status = stack.enter_context(StatusLine())
        built = build(
            variant,
            pieces,
            folder=folder,
            distances=distances,
            threads=threads,
            concurrency=concurrency,
            executor=executor,
            on_progress=lambda progress: status.write(_format_progress(progress, time.monotonic() - begin)),
        )
    positions = sum(each.positions for part, each in built.statistics().items() if part in missing)
    seconds = time.monotonic() - begin
    click.echo(f"Built {format_count(positions, 'position', spec=',')} in {seconds:.1f} s.", err=True)


def _format_progress(progress: Progress, seconds: float) -> str:
    share = progress.done / max(1, progress.total)
    text = f"{progress.slice}: {share:.0%} of {progress.total:,} positions"
    if not progress.done or seconds <= 0:
        return text
    speed = progress.done / seconds
    return f"{text}, {speed / 1e6:.1f} M/s, {format_time((progress.total - progress.done) / speed)} left"


def _format_size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"


@tablebase.command("list", epilog=_format_examples("list"))
@folder_option
@json_option
def list_command(*, folder: Path | None, as_json: bool) -> None:
    """List the tablebases of all variants."""
    found = [_describe(rules, folder) for rules in VARIANTS.values() if list_files(folder, rules)]
    if as_json:
        print_json(found)
    elif not found:
        click.echo("There are no tablebases: `tablemen tablebase build VARIANT` builds one.", err=True)
    else:
        rows = [
            (
                each["variant"],
                str(each["pieces"]),
                f"{each['positions']:,}",
                "yes" if each["distances"] else "no",
                _format_size(each["bytes"]),
            )
            for each in found
        ]
        for line in format_table([("variant", "pieces", "positions", "distances", "size"), *rows], "<>><>"):
            click.echo(line)


def _describe(rules: DraughtsRules, folder: Path | None) -> dict[str, Any]:
    tables = Tablebase.open(folder, rules)
    statistics = tables.statistics().values()
    return {
        "variant": rules.name,
        "pieces": tables.pieces,
        "slices": len(statistics),
        "positions": sum(each.positions for each in statistics),
        "distances": all(each.longest is not None for each in statistics),
        "bytes": sum(path.stat().st_size for path in list_files(folder, rules)),
    }


@tablebase.command(epilog=_format_examples("check"))
@variant_argument
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    help="Number of random positions to compare with the positions after their moves.",
)
@seed_option
@click.option("--all", "every", is_flag=True, help="Compare all positions instead, about a million a second.")
@folder_option
def check(*, variant: DraughtsRules, samples: int, seed: int, every: bool, folder: Path | None) -> None:
    """Check the checksums of a tablebase, and the values of random positions.

    If all files have distances, --all proves that every value is correct.
    """
    tables = Tablebase.open(folder, variant)
    if not tables.slices:
        raise click.ClickException(f"{variant} has no tablebase: `tablemen tablebase build {variant.name}` builds one")
    problems = [f"{part}: {error}" for part, error in tables.check().items() if error is not None]
    if not problems:
        with handle_signals():
            problems = list(_verify(tables)) if every else list(_check_samples(tables, samples, seed))
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise click.exceptions.Exit(1)
    positions = sum(each.positions for each in tables.statistics().values()) if every else samples
    checked = format_count(positions, "position", spec=",")
    click.echo(f"{format_count(len(tables.slices), 'file')} and {checked} of {variant} are correct.")
    if every and not tables.has_distances:
        click.echo("Not all files have distances, so this is not a proof.", err=True)


def _check_samples(tables: Tablebase, samples: int, seed: int) -> Iterator[str]:
    for position in check_samples(tables, samples, seed=seed):
        yield f"{position.fen()}: {_DISAGREES}"


def _verify(tables: Tablebase) -> Iterator[str]:
    """Compare all positions with those after their moves, and yield the problem of each pair of slices that has one."""
    pairs = [part for part in tables.slices if part <= part.twin or part.twin not in tables.slices]
    total, done = sum(map(tables.size, pairs)), 0
    with StatusLine() as status:
        for part in pairs:
            status.write(f"{part}: {done / total:.0%} of {total:,} positions")
            try:
                position = tables.verify(part)
            except TablebaseError as error:
                yield f"{part}: {error}"
            else:
                if position is not None:
                    yield f"{part}: {position.fen()}: {_DISAGREES}"
            done += tables.size(part)


@tablebase.command(epilog=_format_examples("probe"))
@variant_argument
@click.option("--fen", "--position", "fen", metavar="FEN", required=True, help="The position.")
@folder_option
@json_option
def probe(*, variant: DraughtsRules, fen: str, folder: Path | None, as_json: bool) -> None:
    """Print the value of a position, its distance to the end of the game, and the value of each move.

    Positions with up to three pieces need no files.
    """
    position = parse_position(variant, fen)
    if (outcome := position.outcome()) is not None:
        raise click.ClickException(f"the game is over: {outcome}")
    result = probe_endgame(Game(position), folder=folder)
    if result is None:
        Tablebase(variant)  # raises if the rules are not supported
        command = suggest_build(position, folder=folder)
        offer = f"`{command}` builds it" if command else "it has too many pieces or a man on its promotion row"
        raise click.ClickException(f"no tablebase has this position: {offer}")
    family = get_family(variant)
    if as_json:
        print_json({"variant": variant.name, "fen": position.fen(), **family.serialize_endgame(result)})
        return
    click.echo(result.describe(family.side_name(position.turn)))
    for line in result.describe_moves():
        click.echo(line)


@tablebase.command("remove", epilog=_format_examples("remove"))
@variant_argument
@folder_option
def remove_command(*, variant: DraughtsRules, folder: Path | None) -> None:
    """Delete the files of the tablebase of VARIANT."""
    click.echo(f"Removed {format_count(remove(variant, folder=folder), 'file')} of {variant}.")
