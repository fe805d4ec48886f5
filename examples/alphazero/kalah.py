"""Kalah for a network: positions as inputs, and an evaluator for `mcts` and for self-play.

A position is encoded for the side to move: its own houses come first, in the order of sowing. Stores are not inputs,
because they change neither the moves nor their effects: the value is the difference of the stores, which is known, and
the rest of the margin, which the network predicts. Values are margins divided by the number of seeds, so that the
search looks for the largest margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from examples.alphazero.network import Array, Network, Predictor, Shape
from tablemen.errors import TablemenError
from tablemen.mancala import KALAH, KalahRules, Position

GAME = "kalah"


def create_rules(houses: int, seeds: int) -> KalahRules:
    """Return the rules of Kalah on a board of this size."""
    return replace(KALAH, houses=houses, seeds=seeds)


def create_shape(rules: KalahRules, *, hidden: int, blocks: int) -> Shape:
    """Return the shape of a network for these rules."""
    return Shape(2 * rules.houses * (_count_inputs(rules.houses) + 1), rules.houses, hidden, blocks)


def _count_inputs(houses: int) -> int:
    """Return the number of inputs that show how many seeds a house has: 0, 1, …, up to one more than a lap."""
    return 2 * houses + 2


def observe(positions: Sequence[Position]) -> Array:
    """Return the seeds in the houses of the side to move and of its opponent, for each position."""
    return np.array(
        [position.houses(position.turn) + position.houses(position.turn.opponent) for position in positions], np.uint16
    )


def find_legal(observations: Array) -> Array:
    """Return which houses can be played."""
    legal: Array = observations[:, : observations.shape[1] // 2] > 0
    return legal


def encode(observations: Array) -> Array:
    """Return the inputs of the network: an input for each number of seeds in a house, and the number itself."""
    size, pits = observations.shape
    numbers = _count_inputs(pits // 2)
    inputs = np.zeros((size, pits, numbers + 1), np.float32)
    shown = np.minimum(observations, numbers - 1).astype(np.intp)
    np.put_along_axis(inputs, shown[:, :, None], 1.0, axis=2)
    inputs[:, :, -1] = observations / np.float32(pits)
    return inputs.reshape(size, -1)


def get_margin(position: Position) -> int:
    """Return the seeds in the store of the side to move less those in the other store."""
    stores = position.stores
    return stores[position.turn] - stores[position.turn.opponent]


class KalahEvaluator:
    """An evaluator for `mcts`: the policies and values of a network."""

    def __init__(self, network: Predictor, rules: KalahRules) -> None:
        self.network = network
        self.rules = rules
        self._total = 2 * rules.houses * rules.seeds

    def __call__(self, positions: Sequence[Position]) -> tuple[list[list[float]], list[float]]:
        """Return policies, with a weight for each legal move, and values."""
        if not positions:
            return [], []
        observations = observe(positions)
        legal = find_legal(observations)
        policies, rests = self.network.predict(encode(observations), legal)
        margins = np.array([get_margin(position) for position in positions])
        values = np.clip(margins / self._total + rests, -1, 1)
        rows = zip(policies.tolist(), legal.tolist(), strict=True)
        return [[weight for weight, may in zip(*row, strict=True) if may] for row in rows], values.tolist()

    def check(self, position: Any) -> None:
        """Raise `TablemenError` unless the position has the rules that the network has learnt."""
        rules, found = self.rules, getattr(position, "variant", None)
        if found != rules:
            size = f"Kalah with {rules.houses} houses a side and {rules.seeds} seeds in each"
            raise TablemenError(f"the network has learnt {size}, and not the game of {position!r}")

    def final_value(self, position: Position) -> float:
        """Return the final margin of a finished game for the side to move."""
        score = position.score()
        return max(-1.0, min(1.0, (score[position.turn] - score[position.turn.opponent]) / self._total))


def write_weights(path: Path, network: Network, rules: KalahRules) -> None:
    """Write a network with the size of the board that it is for. Raises `OSError`."""
    network.write(path, {"game": GAME, "houses": rules.houses, "seeds": rules.seeds})


def load(path: str) -> KalahEvaluator:
    """Return the evaluator with the weights in a file.

    This is the function for `mcts:evaluator=examples.alphazero.kalah:load,weights=FILE`. Raises `TablemenError` if the
    file is damaged, and `OSError`.
    """
    network, facts = Network.read(Path(path))
    if facts.get("game") != GAME:
        raise TablemenError(f"{path} has no weights for {GAME}, but for {facts.get('game', 'an unknown game')}")
    rules = create_rules(facts["houses"], facts["seeds"])
    expected = create_shape(rules, hidden=network.shape.hidden, blocks=network.shape.blocks)
    if network.shape != expected:
        raise TablemenError(f"{path} is damaged: a network for this board has {expected}, not {network.shape}")
    return KalahEvaluator(network, rules)
