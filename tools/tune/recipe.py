"""Recipes that produce weights: rounds of self-play games and fits."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

from tablemen.draughts import find_variant
from tablemen.draughts.evaluation import NETWORK_SUFFIX
from tablemen.draughts.network import write_network
from tablemen.draughts.weights import Weights, default_weights, write_weights
from tablemen.errors import TablemenError
from tools.tune.data import Data
from tools.tune.fit import fit
from tools.tune.model import add_patterns
from tools.tune.network import NetworkSettings, fit_network
from tools.tune.selfplay import SelfPlay, list_games, play_games

LINEAR_SUFFIX = ".weights"


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings that produce the weights of a variant: a network, or a linear evaluation."""

    games: int = 10_000  # per round
    nodes: int = 2_000
    rounds: int = 1
    random_plies: int = 8
    seed: int = 1
    linear: bool = False
    patterns: tuple[int, int] | None = None  # of a linear evaluation: rectangles of rows, and squares per row


_MAIN = ("english", "russian", "brazilian", "frisian", "canadian", "italian", "pool", "turkish")
RECIPES = {
    "international": Recipe(games=150_000, rounds=2),
    **dict.fromkeys(_MAIN, Recipe(games=25_000, rounds=2)),
}


def get_recipe(variant: str) -> Recipe:
    """Return the recipe of a variant."""
    return RECIPES.get(variant, Recipe())


def run_recipe(variant: str, recipe: Recipe, *, executor: Executor, scratch: Path, folder: Path) -> Path:
    """Produce the weights of a variant: write games to `scratch`, and the weights to `folder`. Return their file.

    The players of the first round have the package's weights, those of later rounds the weights of the previous round.
    """
    rules = find_variant(variant)
    suffix = LINEAR_SUFFIX if recipe.linear else NETWORK_SUFFIX
    start = default_weights(rules)
    if recipe.patterns:
        start = add_patterns(start, rules, *recipe.patterns)
    files: list[Path] = []
    weights: Path | None = None
    for number in range(1, recipe.rounds + 1):
        settings = SelfPlay(
            variant=rules.name,
            nodes=recipe.nodes,
            seed=recipe.seed + number - 1,
            weights=str(weights or ""),
            random_plies=recipe.random_plies,
        )
        folder_of_round = scratch / f"{rules.name}.{number}"
        count = play_games(settings, recipe.games, folder_of_round, executor)
        print(f"{rules.name}: round {number}, {count} positions", file=sys.stderr)
        files += list_games(folder_of_round)
        is_last = number == recipe.rounds
        weights = folder / f"{rules.name}{suffix}" if is_last else scratch / f"{rules.name}.{number}{suffix}"
        if recipe.linear:
            losses = write_fitted_weights(files, rules.name, weights, start)
        else:
            losses = write_fitted_network(files, rules.name, weights, NetworkSettings())
        print(f"{weights}: {losses}")
    if weights is None:
        raise TablemenError("a recipe must have at least one round")
    return weights


def write_fitted_network(files: list[Path], variant: str, out: Path, settings: NetworkSettings) -> str:
    """Fit a network to all games of the files, write it, and return a text with the losses."""
    rules = find_variant(variant)
    data = Data.read(files, rules)
    fitted = fit_network(data, settings)
    origin = {
        **_origin(data),
        "loss": f"{fitted.rounded_loss:.5f} on games held out, {fitted.loss:.5f} before rounding",
        "slope": f"{data.slope:.3f}, of the chance to win for a man",
    }
    write_network(replace(fitted.network, origin=origin), rules, out)
    return f"loss {fitted.rounded_loss:.5f}, {fitted.loss:.5f} before rounding"


def write_fitted_weights(files: list[Path], variant: str, out: Path, start: Weights) -> str:
    """Fit a linear evaluation to all games of the files, write it, and return a text with the losses."""
    rules = find_variant(variant)
    data = Data.read(files, rules)
    fitted = fit(data, start)
    origin = {
        **_origin(data),
        "loss": f"{fitted.loss_after:.5f} on games held out, {fitted.loss_before:.5f} before",
        "slope": f"{fitted.slope:.3f}, of the chance to win for a man",
    }
    write_weights(replace(fitted.weights, origin=origin), rules, out)
    return f"loss {fitted.loss_before:.5f} before, {fitted.loss_after:.5f} after {fitted.epochs} epochs"


def _origin(data: Data) -> dict[str, str]:
    return {
        "from": f"{data.games} games of the program against itself, {len(data.records)} quiet positions",
        "nodes": f"{_join_settings(data, 'nodes')} for each move",
        "seed": _join_settings(data, "seed"),
    }


def _join_settings(data: Data, key: str) -> str:
    return ", ".join(dict.fromkeys(str(settings.get(key)) for settings in data.settings))
