"""Measure how a network chooses, against exact values, in positions that it never learns from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from examples.alphazero.kalah import KalahEvaluator, observe
from examples.alphazero.selfplay import choose_by_search
from tablemen.errors import TablemenError
from tablemen.game import Game
from tablemen.ground_truth import GroundTruth
from tablemen.mancala import KalahRules, Position
from tablemen.players import parse_player

TEST_POSITIONS = 1000  # of each kind
MIN_PLIES = 2  # of a test position: the opening is learnt, so that the network can begin a game
RANDOM_MOVES = 0.25  # share of random moves in games whose other moves are good
GOOD_PLAYER = "searcher:nodes=300"
MAX_FRUITLESS_GAMES = 200  # in a row without a new position: small boards have few
BASELINES = ("random", "minimax:depth=1", "robot", "searcher:depth=1", "searcher:depth=3", "searcher:depth=5")


@dataclass(frozen=True)
class TestPositions:
    """Positions with exact values, in two groups: from random games, and from games of a good player.

    Each has several legal moves, of which some are not optimal. No two have the same inputs.
    """

    random: GroundTruth
    play: GroundTruth

    @classmethod
    def create(cls, rules: KalahRules, *, seed: int = 0, count: int = TEST_POSITIONS) -> TestPositions:
        """Choose up to `count` positions of each group. The same seed gives the same positions."""
        seen: set[bytes] = set()
        groups = (_find_positions(rules, f"{seed} {share}", share, count, seen) for share in (1.0, RANDOM_MOVES))
        return cls(*groups)

    @property
    def groups(self) -> dict[str, GroundTruth]:
        """The groups by name."""
        return {"random": self.random, "play": self.play}

    def observed(self) -> set[bytes]:
        """Return the keys of all positions."""
        return {key for truth in self.groups.values() for key in observation_keys(truth.positions)}


def observation_keys(positions: Sequence[Position]) -> list[bytes]:
    """Return a key for each position, the same for positions with the same inputs of the network."""
    return [row.tobytes() for row in observe(positions)] if positions else []


def _find_positions(rules: KalahRules, seed: str, random_share: float, count: int, seen: set[bytes]) -> GroundTruth:
    """Find positions that are not in `seen`, and add them. One position of each game is used.

    Raises `TablemenError` if there are none.
    """
    random, player = Random(seed), parse_player(GOOD_PLAYER)
    found: list[Position] = []
    values = []
    fruitless = 0
    while len(found) < count and fruitless < MAX_FRUITLESS_GAMES:
        part = []
        for _ in range(count - len(found)):
            positions = list(_play_game(rules, random, player, random_share))
            position = random.choice(positions[MIN_PLIES:] or positions)
            (key,) = observation_keys([position])
            fruitless += 1
            if len(position.legal_moves()) > 1 and key not in seen:
                seen.add(key)
                part.append(position)
                fruitless = 0
            if fruitless == MAX_FRUITLESS_GAMES:
                break
        truth = GroundTruth.find(part)
        for index, position in enumerate(part):
            known = truth.values[index]
            if known is not None and len(truth.best_moves(index)) < len(known.moves):
                found.append(position)
                values.append(known)
    if not found:
        raise TablemenError(
            f"{rules} with {rules.houses} houses of {rules.seeds} seeds has too few positions to measure"
        )
    return GroundTruth(tuple(found), tuple(values))


def _play_game(rules: KalahRules, random: Random, player: Any, random_share: float) -> Iterator[Position]:
    """Play a game in which each move is random with this probability, and else by the player; yield its positions."""
    game = Game(Position.start(rules))
    while game.outcome() is None:
        yield game.position
        is_random = random.random() < random_share
        game.push(random.choice(game.legal_moves()) if is_random else player.choose(game))


def choose_by_policy(evaluate: KalahEvaluator, positions: Sequence[Position]) -> list[Any]:
    """Return the most probable move of each position."""
    policies, _ = evaluate(positions)
    return [max(zip(policy, range(len(policy)), strict=True))[1] for policy in policies]


def measure(evaluate: KalahEvaluator, tests: TestPositions, simulations: int) -> dict[str, float]:
    """Return shares of optimal moves of the policy and of a search, and the mean regret of the policy in seeds."""
    found: dict[str, float] = {}
    for name, truth in tests.groups.items():
        chosen = choose_by_policy(evaluate, truth.positions)
        found[f"policy_{name}"] = truth.share_of_optimal_moves(chosen)
        found[f"regret_{name}"] = sum(lost or 0.0 for lost in truth.regret(chosen)) / len(chosen)
        searched = choose_by_search(truth.positions, evaluate, simulations)
        found[f"search_{name}"] = truth.share_of_optimal_moves(searched)
    return found


def measure_baselines(tests: TestPositions, players: Sequence[str] = BASELINES) -> dict[str, tuple[float, float]]:
    """Return the shares of optimal moves of players, in both groups. For `random` they are the expected ones."""
    shares: dict[str, tuple[float, float]] = {}
    for text in players:
        random, play = (
            _expect_random(truth) if text == "random" else truth.share_of_optimal_moves(parse_player(text))
            for truth in tests.groups.values()
        )
        shares[text] = random, play
    return shares


def _expect_random(truth: GroundTruth) -> float:
    """Return the expected share of optimal moves of a uniform choice."""
    shares = [
        len(truth.best_moves(index)) / len(known.moves) for index, known in enumerate(truth.values) if known is not None
    ]
    return sum(shares) / len(shares)
