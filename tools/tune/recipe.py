"""Recipes that produce weights: rounds of self-play games and fits."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path

from tablemen.draughts import find_variant
from tablemen.draughts.weights import Weights, default_weights, write_weights
from tablemen.errors import TablemenError
from tools.tune.data import Data
from tools.tune.fit import Fitted, fit
from tools.tune.model import add_patterns
from tools.tune.network import FittedNetwork, NetworkSettings, fit_network
from tools.tune.selfplay import SelfPlay, list_games, play_games


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings that produce the weights of a variant."""

    games: int = 1_000  # per round
    nodes: int = 1_000
    rounds: int = 2
    random_plies: int = 8
    seed: int = 1
    patterns: tuple[int, int] | None = None  # rectangles: rows, and squares per row


_ONE_ROUND = Recipe(games=1_500, rounds=1)
RECIPES = {
    "international": Recipe(games=45_000, patterns=(5, 2)),
    **dict.fromkeys(("antidraughts", "argentine", "filipino", "gothic", "interview"), _ONE_ROUND),
    **dict.fromkeys(("jamaican", "killer", "poddavki", "thai"), _ONE_ROUND),
}


def get_recipe(variant: str) -> Recipe:
    """Return the recipe of a variant."""
    return RECIPES.get(variant, Recipe())


def run_recipe(variant: str, recipe: Recipe, *, executor: Executor, scratch: Path, folder: Path) -> Fitted:
    """Produce the weights of a variant: write games to `scratch` and the weights to `folder`."""
    rules = find_variant(variant)
    scratch.mkdir(parents=True, exist_ok=True)
    first = scratch / f"{rules.name}.weights"
    start = default_weights(rules)
    write_weights(start, rules, first)
    if recipe.patterns:
        start = add_patterns(start, rules, *recipe.patterns)
    files: list[Path] = []
    weights, fitted = first, None
    for number in range(recipe.rounds):
        settings = SelfPlay(
            variant=rules.name,
            nodes=recipe.nodes,
            seed=recipe.seed + number,
            weights=str(weights),
            random_plies=recipe.random_plies,
        )
        folder_of_round = scratch / f"{rules.name}.{number}"
        count = play_games(settings, recipe.games, folder_of_round, executor)
        print(f"{rules.name}: round {number + 1}, {count} positions", file=sys.stderr)
        files += list_games(folder_of_round)
        fitted = fit_files(files, rules.name, start)
        weights = scratch / f"{rules.name}.{number + 1}.weights"
        write_weights(fitted.weights, rules, weights)
    if fitted is None:
        raise TablemenError("a recipe must have at least one round")
    write_weights(fitted.weights, rules, folder / f"{rules.name}.weights")
    return fitted


def fit_files(files: list[Path], variant: str, start: Weights) -> Fitted:
    """Fit weights to all games of the files, and record their origin."""
    data = Data.read(files, find_variant(variant))
    fitted = fit(data, start)
    origin = {
        **_origin(data),
        "loss": f"{fitted.loss_after:.5f} on games held out, {fitted.loss_before:.5f} before",
        "slope": f"{fitted.slope:.3f}, of the chance to win for a man",
    }
    return replace(fitted, weights=replace(fitted.weights, origin=origin))


def fit_network_to_files(files: list[Path], variant: str, settings: NetworkSettings) -> FittedNetwork:
    """Fit a network to all games of the files, and record its origin."""
    data = Data.read(files, find_variant(variant))
    fitted = fit_network(data, settings)
    origin = {
        **_origin(data),
        "loss": f"{fitted.rounded_loss:.5f} on games held out, {fitted.loss:.5f} before rounding",
        "slope": f"{data.slope:.3f}, of the chance to win for a man",
    }
    return replace(fitted, network=replace(fitted.network, origin=origin))


def _origin(data: Data) -> dict[str, str]:
    return {
        "from": f"{data.games} games of the program against itself, {len(data.records)} quiet positions",
        "nodes": f"{_join_settings(data, 'nodes')} for each move",
        "seed": _join_settings(data, "seed"),
    }


def _join_settings(data: Data, key: str) -> str:
    return ", ".join(dict.fromkeys(str(settings.get(key)) for settings in data.settings))
