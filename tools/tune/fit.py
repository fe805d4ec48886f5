"""Fit weights to scores and results of games: logistic regression with Adam, validated on held-out games.

The target of a position is a mix of the result of its game and the expected result by the score of the search. The
objective is the mean log loss plus a penalty for the distance from the initial weights. The penalty is that of a
Gaussian prior with a standard deviation of `SPREAD` men (`PATTERN_SPREAD` for patterns). Each game counts as one
observation, regardless of its number of positions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tablemen.draughts.evaluation import Evaluation
from tablemen.draughts.weights import FEATURES, Weights
from tools.tune.data import Data, find_slope, log_loss, sigmoid
from tools.tune.gpu import GpuFit, OptimiserSettings, torch_with_gpu
from tools.tune.model import Model

SPREAD, PATTERN_SPREAD = 0.3, 0.1
BATCH, GPU_BATCH = 16_384, 65_536
MIN_STEPS = 100  # minimum number of steps per epoch; with few positions the batches are smaller
FIRST_RATE, LAST_RATE = 0.01, 0.0003  # learning rates, in men per step
MAX_EPOCHS = 40
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
SCALE_RANGE = (0.5, 2.0)


@dataclass(frozen=True)
class Fitted:
    """Fitted weights, and the loss on held-out games."""

    weights: Weights
    slope: float
    loss_before: float
    loss_after: float
    epochs: int


def fit(data: Data, start: Weights) -> Fitted:
    """Fit weights to the games, starting from other weights."""
    evaluation = Evaluation(data.rules, start)
    model = Model.of(start)
    slope = _find_slope(data, evaluation, model)
    best, before = model.copy(), _loss(data, evaluation, model, slope)
    best_loss, rate, epochs = before, FIRST_RATE, 0
    epoch = _gpu_epoch(data, evaluation, model, slope) or _cpu_epoch(data, evaluation, model, slope)
    while rate >= LAST_RATE and epochs < MAX_EPOCHS:
        epochs += 1
        model, loss = epoch(rate, epochs)
        print(f"epoch {epochs}: loss {loss:.6f} on held-out games, learning rate {rate:.5f}", file=sys.stderr)
        if loss < best_loss:
            best, best_loss = model.copy(), loss
        else:
            rate /= 3
    scale = _find_scale(best, data, evaluation)
    scaled = Model(best.features * scale, best.tables * scale)
    return Fitted(scaled.weights(start), slope / scale, before, best_loss, epochs)


Epoch: TypeAlias = Callable[[float, int], tuple[Model, float]]  # (learning rate, epoch number) -> (weights, loss)


def _cpu_epoch(data: Data, evaluation: Evaluation, model: Model, slope: float) -> Epoch:
    rng, adam = np.random.default_rng(0), _Adam(model, _penalties(data))
    batch_size = _batch_size(data, BATCH)

    def epoch(rate: float, _number: int) -> tuple[Model, float]:
        order = rng.permutation(data.indices(held_out=False))
        for batch in data.batches(evaluation, order, batch_size):
            probabilities = sigmoid(slope * model.values(batch))
            adam.step(model.gradient(batch, slope * (probabilities - batch.targets) / len(batch.targets)), rate)
        return model, _loss(data, evaluation, model, slope)

    return epoch


def _gpu_epoch(data: Data, evaluation: Evaluation, model: Model, slope: float) -> Epoch | None:
    torch = torch_with_gpu()
    if torch is None:
        return None
    gpu = GpuFit(torch, data, evaluation, model, OptimiserSettings(_batch_size(data, GPU_BATCH), _penalties(data)))

    def epoch(rate: float, number: int) -> tuple[Model, float]:
        loss = gpu.epoch(slope, rate, number)
        return gpu.model(), loss

    return epoch


def _batch_size(data: Data, maximum: int) -> int:
    return min(maximum, len(data.records) // MIN_STEPS + 1)


def _penalties(data: Data) -> tuple[float, float]:
    """Return the strength of the penalty for weights, and for patterns."""
    return 1 / (SPREAD**2 * data.games), 1 / (PATTERN_SPREAD**2 * data.games)


def _loss(data: Data, evaluation: Evaluation, model: Model, slope: float) -> float:
    """Return the mean log loss on held-out positions."""
    indices = data.indices(held_out=True)
    total = 0.0
    for batch in data.batches(evaluation, indices, BATCH):
        total += float(log_loss(sigmoid(slope * model.values(batch)), batch.targets).sum())
    return total / max(1, len(indices))


def _find_slope(data: Data, evaluation: Evaluation, model: Model) -> float:
    """Return the slope of the sigmoid that minimises the loss of the initial weights."""
    indices = data.indices(held_out=False)
    sample = indices[:: max(1, len(indices) // (4 * BATCH))]
    values, targets = zip(
        *((model.values(batch), batch.targets) for batch in data.batches(evaluation, sample, BATCH)), strict=True
    )
    return find_slope(np.concatenate(values), np.concatenate(targets))


def _find_scale(model: Model, data: Data, evaluation: Evaluation) -> float:
    """Return the factor that makes a man worth one man again, limited to the range from 1/2 to 2."""
    sample = data.indices(held_out=False)[: 4 * BATCH]
    first, squares = len(FEATURES), (model.features.shape[1] - len(FEATURES)) // 2
    occupied = sum(
        np.abs(batch.counts[:, first : first + squares]).sum(axis=0)
        for batch in data.batches(evaluation, sample, BATCH)
    )
    on_squares = (model.features[:, first : first + squares] @ occupied) / max(1.0, float(np.sum(occupied)))
    man = float(np.abs(model.features[:, FEATURES.index("man")] + on_squares).mean())
    return float(np.clip(1 / max(man, 0.01), *SCALE_RANGE))


class _Adam:
    """The Adam optimiser, with a penalty for the distance from the initial weights."""

    def __init__(self, model: Model, penalties: tuple[float, float]) -> None:
        self._model = model
        self._initial = model.copy().arrays()
        self._penalties = penalties
        self._means = [np.zeros_like(array) for array in model.arrays()]
        self._squares = [np.zeros_like(array) for array in model.arrays()]
        self._steps = 0

    def step(self, gradient: Model, rate: float) -> None:
        """Take a step with this learning rate."""
        self._steps += 1
        for index, (weights, slopes) in enumerate(zip(self._model.arrays(), gradient.arrays(), strict=True)):
            derivative = slopes + self._penalties[index] * (weights - self._initial[index])
            mean, square = self._means[index], self._squares[index]
            mean += (1 - BETA_1) * (derivative - mean)
            square += (1 - BETA_2) * (derivative**2 - square)
            corrected = mean / (1 - BETA_1**self._steps)
            spread = np.sqrt(square / (1 - BETA_2**self._steps)) + EPSILON
            np.subtract(weights, rate * corrected / spread, out=weights)
