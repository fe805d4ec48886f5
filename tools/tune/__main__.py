"""`python -m tools.tune`: weights for the evaluation of draughts, from games of the program against itself.

Needs numpy: `pip install -r requirements/tune.txt`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tablemen.draughts import VARIANTS, find_variant
from tablemen.draughts.evaluation import FOLDER
from tablemen.draughts.weights import default_weights, read_weights, write_weights
from tablemen.errors import TablemenError
from tools.tune.compare import Comparison, compare
from tools.tune.selfplay import Play, play_games

SCRATCH = Path("build") / "tune"


def main(arguments: Sequence[str] | None = None) -> int:
    """Does what the command line says."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (TablemenError, OSError) as error:
        print(f"tune: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        print("tune: fitting needs numpy: pip install -r requirements/tune.txt", file=sys.stderr)
        return 1
    return 0


def _selfplay(options: argparse.Namespace) -> None:
    rules = find_variant(options.variant)
    play = Play(
        variant=rules.name,
        nodes=options.nodes,
        seed=options.seed,
        weights=str(options.weights or ""),
        random_plies=options.random_plies,
        longest=options.longest,
    )
    count = play_games(play, options.games, options.out, workers=options.workers)
    print(f"{options.games} games, {count} quiet positions: {options.out}")


def _fit(options: argparse.Namespace) -> None:
    from tools.tune.model import with_patterns  # noqa: PLC0415 - needs numpy, and selfplay does not
    from tools.tune.recipe import fit_files  # noqa: PLC0415

    rules = find_variant(options.variant)
    start = read_weights(options.start, rules) if options.start else default_weights(rules)
    if options.patterns:
        start = with_patterns(start, rules, *options.patterns)
    fitted = fit_files(options.positions, rules.name, start)
    write_weights(fitted.weights, rules, options.out)
    print(f"loss {fitted.loss_before:.5f} before, {fitted.loss_after:.5f} after {fitted.epochs} epochs: {options.out}")


def _recipe(options: argparse.Namespace) -> None:
    from tools.tune.recipe import follow, recipe_of  # noqa: PLC0415

    names = list(VARIANTS) if options.variant == "all" else [find_variant(options.variant).name]
    for name in names:
        recipe = recipe_of(name)
        given = {key: getattr(options, key) for key in ("games", "nodes", "rounds", "seed", "patterns")}
        recipe = replace(recipe, **{key: value for key, value in given.items() if value is not None})
        fitted = follow(name, recipe, workers=options.workers, scratch=options.scratch, folder=options.folder)
        print(f"{name}: loss {fitted.loss_before:.5f} before, {fitted.loss_after:.5f} after")


def _compare(options: argparse.Namespace) -> None:
    names = list(VARIANTS) if options.variant == "all" else [find_variant(options.variant).name]
    for name in names:
        comparison = Comparison(
            variant=name, first=options.first, second=options.second, nodes=options.nodes, seed=options.seed
        )
        score = compare(comparison, options.games, workers=options.workers)
        print(f"{name}: {options.first} against {options.second}, {options.nodes} nodes a move: {score}", flush=True)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def _size(text: str) -> tuple[int, int]:
    rows, _, width = text.partition("x")
    return _count(rows), _count(width)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.tune", description=__doc__)
    commands = parser.add_subparsers(required=True)
    play = commands.add_parser("selfplay", help="play games and write their quiet positions")
    play.set_defaults(run=_selfplay)
    play.add_argument("variant")
    play.add_argument("out", type=Path, help="the file to write")
    play.add_argument("--games", type=_count, default=1000)
    play.add_argument("--nodes", type=_count, default=2000, help="for each move")
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--weights", type=Path, help="a file to play by; without it the best that the package has")
    play.add_argument("--random-plies", type=int, default=8, help="random moves at the beginning")
    play.add_argument("--longest", type=_count, default=200, help="plies after which a game is a draw")
    fitting = commands.add_parser("fit", help="fit weights to the results of games")
    fitting.set_defaults(run=_fit)
    fitting.add_argument("variant")
    fitting.add_argument("positions", type=Path, nargs="+", help="files that selfplay wrote")
    fitting.add_argument("--out", type=Path, required=True, help="the file of weights to write")
    fitting.add_argument("--start", type=Path, help="weights to begin with; without it the default ones")
    fitting.add_argument("--patterns", type=_size, help="patterns of men, rows x squares of a row: 5x2")
    recipe = commands.add_parser("recipe", help="games and fits in turn, as the weights of the package were made")
    recipe.set_defaults(run=_recipe)
    recipe.add_argument("variant", help="one, or all")
    recipe.add_argument("--games", type=_count)
    recipe.add_argument("--nodes", type=_count)
    recipe.add_argument("--rounds", type=_count)
    recipe.add_argument("--seed", type=int)
    recipe.add_argument("--patterns", type=_size)
    recipe.add_argument("--scratch", type=Path, default=SCRATCH, help="where games go")
    recipe.add_argument("--folder", type=Path, default=FOLDER, help="where the weights go")
    comparing = commands.add_parser("compare", help="let two evaluations play each other")
    comparing.set_defaults(run=_compare)
    comparing.add_argument("variant", help="one, or all")
    comparing.add_argument("first", nargs="?", default="own", help="own, default, material or a file")
    comparing.add_argument("second", nargs="?", default="material")
    comparing.add_argument("--games", type=_count, default=200)
    comparing.add_argument("--nodes", type=_count, default=1000)
    comparing.add_argument("--seed", type=int, default=1)
    for command in (play, recipe, comparing):
        command.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="processes that play")
    return parser


if __name__ == "__main__":
    sys.exit(main())
