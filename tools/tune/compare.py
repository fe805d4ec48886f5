"""Match between two evaluations, with the same search and number of nodes; each opening is played with both colours."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from random import Random

from tablemen.draughts import find_variant
from tablemen.draughts.evaluation import Evaluation, get_evaluation
from tablemen.match import MatchScore
from tablemen.outcome import Side
from tablemen.search import Limit, Searcher
from tools.tune.selfplay import open_game

TABLE_MB = 1  # enough for some thousand nodes


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The settings of a comparison. An evaluation is `own`, `default`, `material` or the path of a weights file."""

    variant: str
    first: str
    second: str
    nodes: int
    seed: int = 1
    random_plies: int = 6
    max_plies: int = 300  # then the game is a draw

    def searcher(self, evaluation: str) -> Searcher:
        """Return a searcher with the evaluation."""
        return Searcher(table_mb=TABLE_MB, evaluation=_evaluation(evaluation, self.variant))


def compare(comparison: Comparison, games: int, *, workers: int) -> MatchScore:
    """Return the score of the first evaluation against the second."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        results = list(pool.map(partial(_play, comparison), range(games), chunksize=4))
    return MatchScore(results.count(1), results.count(0), results.count(-1))


def _play(comparison: Comparison, number: int) -> int:
    """Play a game and return 1, 0 or -1 for the first evaluation. Games 2n and 2n + 1 have the same opening."""
    first = Side.WHITE if number % 2 else Side.BLACK
    searchers = {
        first: comparison.searcher(comparison.first),
        first.opponent: comparison.searcher(comparison.second),
    }
    rules = find_variant(comparison.variant)
    game = open_game(rules, comparison.random_plies, Random(f"{comparison.seed} {number // 2}"))
    while len(game.moves) < comparison.max_plies and not (game.outcome() or game.claims()):
        game.push(searchers[game.position.turn].choose(game, Limit(nodes=comparison.nodes)).move)
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0
    return 1 if outcome.winner is first else -1


def _evaluation(name: str, variant: str) -> Evaluation:
    if name == "own":
        return get_evaluation(variant)
    if name == "default":
        return Evaluation.default(variant)
    return Evaluation.material(variant) if name == "material" else Evaluation.read(name, variant)
