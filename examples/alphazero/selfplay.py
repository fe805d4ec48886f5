"""Games that a network plays against itself, and the positions that it learns from.

Many games are played at once: each has a search tree, and one call of the network evaluates a position of every tree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np

from examples.alphazero.kalah import KalahEvaluator, create_rules, get_margin, observe
from examples.alphazero.network import Array, Arrays, Shape, create_network
from tablemen.game import Game
from tablemen.mancala import KalahRules, Position
from tablemen.outcome import Side
from tablemen.players import SearchTree

Evaluate: TypeAlias = Callable[[Sequence[Position]], tuple[Sequence[Sequence[float]], Sequence[float]]]

GAMES_AT_ONCE = 128  # in a batch
MAX_RANDOM_PLIES = 10  # at the beginning of a game, so that games differ
EXPLORATION = 0.5  # the weight of the policy in the search (c_puct): values are small numbers, see `kalah`


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings:
    """How games are played, for all processes."""

    houses: int = 4
    seeds: int = 3
    simulations: int = 64  # for each move
    noise: float = 0.25  # share of Dirichlet noise in the policy of the root
    temperature: float = 0.8  # of the random choice of moves …
    sampled_plies: int = 12  # … in the first plies after the random ones
    search_share: float = 0.5  # share of the search's value in the target of a value; the rest is the result

    @property
    def rules(self) -> KalahRules:
        """The rules of the game."""
        return create_rules(self.houses, self.seeds)


@dataclass(frozen=True)
class Samples:
    """Positions with what a network is to learn, as rows of arrays.

    `values` are the rest of the margin: what the side to move adds to the present difference of the stores, divided by
    the number of seeds.
    """

    observations: Array
    policies: Array
    values: Array

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.observations)

    def select(self, chosen: Array) -> Samples:
        """Return the rows with these indices, or those in which a mask is true."""
        return Samples(**{name: array[chosen] for name, array in self.arrays().items()})

    def arrays(self) -> Arrays:
        """Return the arrays by name."""
        return {"observations": self.observations, "policies": self.policies, "values": self.values}

    @classmethod
    def join(cls, parts: Sequence[Samples]) -> Samples:
        """Return the rows of all parts, in their order."""
        names = parts[0].arrays()
        return cls(**{name: np.concatenate([part.arrays()[name] for part in parts]) for name in names})


@dataclass(frozen=True)
class SelfPlayTask:
    """Games that a network plays against itself, for a worker process. Each game has random numbers of its own."""

    settings: SelfPlaySettings
    network: str  # its name for `create_network`
    shape: Shape
    weights: Arrays
    games: int
    seed: str

    def run(self) -> tuple[Samples, float]:
        """Play the games, and return their positions with more than one legal move, and the seconds of CPU time."""
        begun = time.process_time()
        evaluate = KalahEvaluator(create_network(self.network, self.shape, self.weights), self.settings.rules)
        games = [
            _SelfPlayGame(self.settings, evaluate, Random(f"{self.seed} {number}")) for number in range(self.games)
        ]
        waiting, active = games[::-1], list[_SelfPlayGame]()
        while waiting or active:
            while waiting and len(active) < GAMES_AT_ONCE:
                active.append(waiting.pop())
            for each in active:
                each.play_searched_moves()
            active = [each for each in active if each.tree is not None]
            _add_simulations(
                [each.tree for each in active if each.tree is not None], evaluate, self.settings.simulations
            )
            for each in active:
                each.add_noise()
        return Samples.join([each.samples() for each in games]), time.process_time() - begun


def choose_by_search(
    positions: Sequence[Position], evaluate: Any, simulations: int, *, exploration: float = EXPLORATION
) -> list[Any]:
    """Return the move of a search with this number of simulations in each position, without noise."""
    final_value = getattr(evaluate, "final_value", None)
    trees: list[SearchTree[Any]] = [
        SearchTree(Game(position), exploration=exploration, final_value=final_value) for position in positions
    ]
    for begin in range(0, len(trees), GAMES_AT_ONCE):
        part = trees[begin : begin + GAMES_AT_ONCE]
        while any(tree.simulations < simulations for tree in part):
            _add_simulations(part, evaluate, simulations)
    return [tree.best_move() for tree in trees]


def _add_simulations(trees: Sequence[SearchTree[Any]], evaluate: Evaluate, goal: int) -> None:
    """Add simulations to each tree that has fewer than `goal`, up to one that needs an evaluation."""
    selected: list[tuple[SearchTree[Any], Position]] = []
    for tree in trees:
        while tree.simulations < goal:
            if positions := tree.select(1):
                selected.append((tree, positions[0]))
                break
    policies, values = evaluate([position for _, position in selected])
    for (tree, _), policy, value in zip(selected, policies, values, strict=True):
        tree.update([policy], [value])


class _SelfPlayGame:
    """A game in progress, and the positions in which a move was searched."""

    def __init__(self, settings: SelfPlaySettings, evaluate: KalahEvaluator, random: Random) -> None:
        self._settings = settings
        self._evaluate = evaluate
        self._random = random
        self._policies: list[list[float]] = []
        self._positions: list[Position] = []
        self._searched: list[float] = []  # the values by the search
        self.tree: SearchTree[Any] | None = None
        while self.tree is None:
            game = self.game = Game(Position.start(settings.rules))
            for _ in range(random.randrange(MAX_RANDOM_PLIES + 1)):
                if game.outcome() is None:
                    game.push(random.choice(game.legal_moves()))
            if game.outcome() is None:
                self.tree = SearchTree(game, exploration=EXPLORATION, final_value=evaluate.final_value, random=random)
        self._sampled = len(self.game.moves) + settings.sampled_plies
        self._needs_noise = True

    def play_searched_moves(self) -> None:
        """Play moves while the search of the position is complete, or one move is legal; `tree` is None at the end."""
        while self.tree is not None:
            position = self.game.position
            moves = position.legal_moves()
            if len(moves) == 1:
                move = moves[0]
            elif self.tree.simulations >= self._settings.simulations:
                self._record(position, self.tree)
                is_sampled = len(self.game.moves) < self._sampled
                move = self.tree.sample_move(self._settings.temperature if is_sampled else 0.0)
            else:
                return
            self.game.push(move)
            if self.game.outcome() is None:
                self.tree.advance(move)
                self._needs_noise = True
            else:
                self.tree = None

    def add_noise(self) -> None:
        """Add noise to the policy of a new root, which is evaluated now."""
        if self._needs_noise and self.tree is not None and len(self.game.legal_moves()) > 1:
            self.tree.add_noise(self._settings.noise)
            self._needs_noise = False

    def _record(self, position: Position, tree: SearchTree[Any]) -> None:
        policy = [0.0] * self._settings.houses
        for move, probability in tree.policy().items():
            policy[move.house - 1] = probability
        self._positions.append(position)
        self._policies.append(policy)
        self._searched.append(tree.value)

    def samples(self) -> Samples:
        """Return the positions of the finished game, with policies and values to learn."""
        houses, total = self._settings.houses, 2 * self._settings.houses * self._settings.seeds
        if not self._positions:
            return Samples(
                np.zeros((0, 2 * houses), np.uint16), np.zeros((0, houses), np.float32), np.zeros(0, np.float32)
            )
        score = self.game.position.score()
        margin = score[Side.WHITE] - score[Side.BLACK]
        results = np.array([margin if each.turn is Side.WHITE else -margin for each in self._positions]) / total
        stores = np.array([get_margin(each) for each in self._positions]) / total
        share = self._settings.search_share
        values = share * np.array(self._searched) + (1 - share) * results - stores
        return Samples(
            observe(self._positions), np.array(self._policies, np.float32), np.clip(values, -1, 1).astype(np.float32)
        )
