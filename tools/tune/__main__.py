"""`python -m tools.tune`: fit the weights of the draughts evaluation to self-play games.

Requires numpy: `pip install -r requirements/tune.txt`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from tablemen.cluster import open_cluster
from tablemen.draughts import VARIANTS, find_variant
from tablemen.draughts.evaluation import FOLDER, NETWORK_SUFFIX
from tablemen.draughts.weights import default_weights, read_weights
from tablemen.errors import TablemenError
from tablemen.process_pool import RestartingPool
from tools.tune.compare import Comparison, compare
from tools.tune.selfplay import SelfPlay, list_games, play_games

SCRATCH = Path("build") / "tune"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except KeyboardInterrupt:
        print("tune: interrupted; the same command continues", file=sys.stderr)
        return 130
    except (TablemenError, OSError) as error:
        print(f"tune: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if error.name in {"tools", "tools.tune"}:
            print("tune: the workers cannot import tools: start them in the folder of the source", file=sys.stderr)
            return 1
        if error.name != "numpy":
            raise
        print("tune: fitting requires numpy (pip install -r requirements/tune.txt)", file=sys.stderr)
        return 1
    return 0


def _selfplay(options: argparse.Namespace) -> None:
    rules = find_variant(options.variant)
    if options.weights is not None and options.cluster is not None:
        options.weights = options.weights.absolute()
    settings = SelfPlay(
        variant=rules.name,
        nodes=options.nodes,
        seed=options.seed,
        weights=str(options.weights or ""),
        random_plies=options.random_plies,
        max_plies=options.longest,
        tablebase=options.tablebase,
    )
    with _open_executor(options, options.folder) as executor:
        count = play_games(settings, options.games, options.folder, executor)
    print(f"{options.folder}: {options.games} games, {count} quiet positions")


def _open_executor(options: argparse.Namespace, folder: Path) -> Executor:
    """Return the workers: a cluster, or processes on this machine."""
    if options.cluster is None:
        return RestartingPool(options.workers)
    return open_cluster(options.cluster, folder=folder)


def _fit(options: argparse.Namespace) -> None:
    from tools.tune.model import add_patterns  # noqa: PLC0415 - requires numpy, which selfplay does not
    from tools.tune.network import NetworkSettings  # noqa: PLC0415
    from tools.tune.recipe import write_fitted_network, write_fitted_weights  # noqa: PLC0415

    rules = find_variant(options.variant)
    files = [file for path in options.positions for file in (list_games(path) if path.is_dir() else [path])]
    if options.out.suffix == NETWORK_SUFFIX:
        settings = NetworkSettings(hidden=options.hidden, epochs=options.epochs)
        losses = write_fitted_network(files, rules.name, options.out, settings)
    else:
        start = read_weights(options.start, rules) if options.start else default_weights(rules)
        if options.patterns:
            start = add_patterns(start, rules, *options.patterns)
        losses = write_fitted_weights(files, rules.name, options.out, start)
    print(f"{options.out}: {losses}")


def _recipe(options: argparse.Namespace) -> None:
    from tools.tune.recipe import get_recipe, run_recipe  # noqa: PLC0415

    names = list(VARIANTS) if options.variant == "all" else [find_variant(options.variant).name]
    options.linear = options.linear or options.patterns is not None
    if options.cluster is not None:  # the files have the path of the weights
        options.scratch = options.scratch.absolute()
    with _open_executor(options, options.scratch) as executor:
        for name in names:
            given = {key: getattr(options, key) for key in ("games", "nodes", "rounds", "seed", "linear", "patterns")}
            recipe = replace(get_recipe(name), **{key: value for key, value in given.items() if value is not None})
            run_recipe(name, recipe, executor=executor, scratch=options.scratch, folder=options.folder)


def _compare(options: argparse.Namespace) -> None:
    names = list(VARIANTS) if options.variant == "all" else [find_variant(options.variant).name]
    for name in names:
        comparison = Comparison(
            variant=name, first=options.first, second=options.second, nodes=options.nodes, seed=options.seed
        )
        score = compare(comparison, options.games, workers=options.workers)
        print(f"{name}: {options.first} against {options.second}, {options.nodes} nodes per move: {score}", flush=True)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    rows, _, width = text.partition("x")
    return _count(rows), _count(width)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.tune", description=__doc__)
    commands = parser.add_subparsers(required=True)
    play = commands.add_parser("selfplay", help="play games and write their quiet positions; continues if interrupted")
    play.set_defaults(run=_selfplay)
    play.add_argument("variant")
    play.add_argument("folder", type=Path, help="the folder of the files to write")
    play.add_argument("--games", type=_count, default=1000)
    play.add_argument("--nodes", type=_count, default=2000, help="nodes per move")
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--weights", type=Path, help="the weights file of the players (default: the package's weights)")
    play.add_argument("--random-plies", type=int, default=8, help="random moves at the start")
    play.add_argument("--longest", type=_count, default=200, help="plies after which a game is drawn")
    play.add_argument("--tablebase", type=int, default=3, help="pieces of the tablebase that ends games (0: none)")
    fitting = commands.add_parser("fit", help="fit weights to the results of games")
    fitting.set_defaults(run=_fit)
    fitting.add_argument("variant")
    fitting.add_argument("positions", type=Path, nargs="+", help="files or folders written by selfplay")
    fitting.add_argument(
        "--out", type=Path, required=True, help="the weights to write; a network if it ends in .network"
    )
    fitting.add_argument("--hidden", type=_count, default=256, help="the size of a network's hidden layer")
    fitting.add_argument("--epochs", type=_count, default=12, help="the number of epochs of a network's fit")
    fitting.add_argument("--start", type=Path, help="initial weights (default: the default weights)")
    fitting.add_argument("--patterns", type=_size, help="size of the patterns, ROWSxSQUARES (such as 5x2)")
    recipe = commands.add_parser("recipe", help="alternate games and fits, as for the weights of the package")
    recipe.set_defaults(run=_recipe)
    recipe.add_argument("variant", help="the name of a variant, or all")
    recipe.add_argument("--games", type=_count)
    recipe.add_argument("--nodes", type=_count)
    recipe.add_argument("--rounds", type=_count)
    recipe.add_argument("--seed", type=int)
    recipe.add_argument("--linear", action="store_true", help="fit a linear evaluation instead of a network")
    recipe.add_argument("--patterns", type=_size, help="size of the patterns of a linear evaluation, ROWSxSQUARES")
    recipe.add_argument("--scratch", type=Path, default=SCRATCH, help="the folder for games")
    recipe.add_argument("--folder", type=Path, default=FOLDER, help="the folder for weights")
    comparing = commands.add_parser("compare", help="play a match between two evaluations")
    comparing.set_defaults(run=_compare)
    comparing.add_argument("variant", help="the name of a variant, or all")
    comparing.add_argument("first", nargs="?", default="own", help="own, default, material or a weights file")
    comparing.add_argument("second", nargs="?", default="material")
    comparing.add_argument("--games", type=_count, default=200)
    comparing.add_argument("--nodes", type=_count, default=1000)
    comparing.add_argument("--seed", type=int, default=1)
    for command in (play, recipe):
        command.add_argument(
            "--cluster",
            metavar="ADDRESS",
            help="play the games on a cluster: the address of a Dask scheduler, a scheduler file, or local:N",
        )
    for command in (play, recipe, comparing):
        command.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="number of processes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
