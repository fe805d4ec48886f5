"""Fitting weights to the results of games: logistic regression, by Adam, with a test on games that are held out.

What is made small is the mean surprise at the results, and the distance from the weights that were begun with, as if
each of these were known to within `SPREAD` men, those of patterns to within `PATTERN_SPREAD`. Every game counts as one
observation, however many positions it has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tablemen.draughts.evaluation import Evaluation
from tablemen.draughts.weights import FEATURES, Weights
from tools.tune.data import Array, Data
from tools.tune.gpu import GpuFit, Steps, torch_with_gpu
from tools.tune.model import Model

SPREAD, PATTERN_SPREAD = 0.3, 0.1
BATCH, GPU_BATCH = 16_384, 65_536
STEPS = 100  # an epoch has at least so many; batches are smaller where positions are few
FIRST_RATE, LAST_RATE = 0.01, 0.0003  # men a step
MOST_EPOCHS = 40
MOMENTUM, MEMORY, TINY = 0.9, 0.999, 1e-8
SLOPES = np.geomspace(0.05, 5, 60)  # how steep the chance to win can be, for a man
RESCALING = (0.5, 2.0)


@dataclass(frozen=True)
class Fitted:
    """Weights and how well they tell the results of games that were held out."""

    weights: Weights
    slope: float
    loss_before: float
    loss_after: float
    epochs: int


def fit(data: Data, start: Weights) -> Fitted:
    """The weights that fit the games best, begun from others."""
    evaluation = Evaluation(data.rules, start)
    model = Model.of(start)
    slope = _best_slope(data, evaluation, model)
    best, before = model.copy(), _loss(data, evaluation, model, slope)
    least, rate, epochs = before, FIRST_RATE, 0
    epoch = _on_gpu(data, evaluation, model, slope) or _on_processor(data, evaluation, model, slope)
    while rate >= LAST_RATE and epochs < MOST_EPOCHS:
        epochs += 1
        model, loss = epoch(rate, epochs)
        print(f"epoch {epochs}: loss {loss:.6f} on games held out, rate {rate:.5f}", file=sys.stderr)
        if loss < least:
            best, least = model.copy(), loss
        else:
            rate /= 3
    scale = _scale(best, data, evaluation)
    scaled = Model(best.plain * scale, best.tables * scale)
    return Fitted(scaled.weights(start), slope / scale, before, least, epochs)


Epoch: TypeAlias = Callable[[float, int], tuple[Model, float]]  # from a rate and a number to weights and a loss


def _on_processor(data: Data, evaluation: Evaluation, model: Model, slope: float) -> Epoch:
    chance, adam = np.random.default_rng(0), _Adam(model, _pulls(data))
    batch_size = _batch_size(data, BATCH)

    def epoch(rate: float, _number: int) -> tuple[Model, float]:
        order = chance.permutation(data.indices(held_out=False))
        for batch in data.batches(evaluation, order, batch_size):
            chances = _chances(slope * model.values(batch))
            adam.step(model.gradient(batch, slope * (chances - batch.results) / len(batch.results)), rate)
        return model, _loss(data, evaluation, model, slope)

    return epoch


def _on_gpu(data: Data, evaluation: Evaluation, model: Model, slope: float) -> Epoch | None:
    torch = torch_with_gpu()
    if torch is None:
        return None
    gpu = GpuFit(torch, data, evaluation, model, Steps(_batch_size(data, GPU_BATCH), _pulls(data)))

    def epoch(rate: float, number: int) -> tuple[Model, float]:
        loss = gpu.epoch(slope, rate, number)
        return gpu.model(), loss

    return epoch


def _batch_size(data: Data, most: int) -> int:
    return min(most, len(data.records) // STEPS + 1)


def _pulls(data: Data) -> tuple[float, float]:
    """How strongly weights are held to where they were begun, those of patterns last."""
    return 1 / (SPREAD**2 * data.games), 1 / (PATTERN_SPREAD**2 * data.games)


def _chances(logits: Array) -> Array:
    """The logistic function."""
    return 1 / (1 + np.exp(-np.clip(logits, -60, 60)))


def _surprise(chances: Array, results: Array) -> Array:
    inside = np.clip(chances, 1e-7, 1 - 1e-7)
    surprise: Array = -(results * np.log(inside) + (1 - results) * np.log(1 - inside))
    return surprise


def _loss(data: Data, evaluation: Evaluation, model: Model, slope: float) -> float:
    """The mean surprise at the results of positions that were held out."""
    indices = data.indices(held_out=True)
    total = 0.0
    for batch in data.batches(evaluation, indices, BATCH):
        total += float(_surprise(_chances(slope * model.values(batch)), batch.results).sum())
    return total / max(1, len(indices))


def _best_slope(data: Data, evaluation: Evaluation, model: Model) -> float:
    """How steep the chance to win is, so that the weights to begin with fit best as they are."""
    indices = data.indices(held_out=False)
    sample = indices[:: max(1, len(indices) // (4 * BATCH))]
    values, results = zip(
        *((model.values(batch), batch.results) for batch in data.batches(evaluation, sample, BATCH)), strict=True
    )
    value, result = np.concatenate(values), np.concatenate(results)
    losses = [_surprise(_chances(slope * value), result).mean() for slope in SLOPES]
    return float(SLOPES[int(np.argmin(losses))])


def _scale(model: Model, data: Data, evaluation: Evaluation) -> float:
    """What to multiply by, so that a man is worth one man again; no more than a factor of two."""
    sample = data.indices(held_out=False)[: 4 * BATCH]
    first, squares = len(FEATURES), (model.plain.shape[1] - len(FEATURES)) // 2
    taken = sum(
        np.abs(batch.counts[:, first : first + squares]).sum(axis=0)
        for batch in data.batches(evaluation, sample, BATCH)
    )
    on_squares = (model.plain[:, first : first + squares] @ taken) / max(1.0, float(np.sum(taken)))
    man = float(np.abs(model.plain[:, FEATURES.index("man")] + on_squares).mean())
    return float(np.clip(1 / max(man, 0.01), *RESCALING))


class _Adam:
    """Steps against the gradient, each weight at its own pace, with a pull towards where it was begun."""

    def __init__(self, model: Model, pulls: tuple[float, float]) -> None:
        self._model = model
        self._begun = model.copy().arrays()
        self._pulls = pulls
        self._means = [np.zeros_like(array) for array in model.arrays()]
        self._squares = [np.zeros_like(array) for array in model.arrays()]
        self._steps = 0

    def step(self, gradient: Model, rate: float) -> None:
        """One step of this size."""
        self._steps += 1
        for index, (weights, slopes) in enumerate(zip(self._model.arrays(), gradient.arrays(), strict=True)):
            pulled = slopes + self._pulls[index] * (weights - self._begun[index])
            mean, square = self._means[index], self._squares[index]
            mean += (1 - MOMENTUM) * (pulled - mean)
            square += (1 - MEMORY) * (pulled**2 - square)
            ahead = mean / (1 - MOMENTUM**self._steps)
            spread = np.sqrt(square / (1 - MEMORY**self._steps)) + TINY
            np.subtract(weights, rate * ahead / spread, out=weights)
