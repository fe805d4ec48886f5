"""Fit a network (see `tablemen.draughts.network`) to scores and results of games, with the Adam optimiser.

The target of a position is the same as in `tools.tune.fit`. The gradients are computed in the core, on the CPU, or on a
GPU if PyTorch finds one.
"""

from __future__ import annotations

import math
import os
import sys
import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tablemen import _core
from tablemen.draughts import DraughtsRules
from tablemen.draughts.network import INPUT_UNIT, MAX_OUTPUT_WEIGHT, PLANES, SCALE_UNIT, Network
from tablemen.draughts.weights import full_board
from tablemen.errors import TablemenError
from tools.tune.data import Array, Data
from tools.tune.dense import DenseModel
from tools.tune.gpu import torch_with_gpu
from tools.tune.records import SCORE_BYTES

MAX_OUTPUT_SUM = 0.9 * 2**31 / INPUT_UNIT**2  # of the output weights of a bucket
MIN_STEPS = 100  # minimum number of steps per epoch; with few positions the batches are smaller
VALIDATION_BATCH = 1 << 18


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """The settings of a fit."""

    hidden: int = 256
    buckets: int = 8
    epochs: int = 12
    batch: int = 16_384
    rate: float = 0.002  # the learning rate, to which it rises during the first epoch …
    last_rate: float = 0.00002  # … and to which it falls then, along a cosine
    seed: int = 1


@dataclass(frozen=True)
class FittedNetwork:
    """A fitted network, and the mean loss on held-out games before and after rounding the weights."""

    network: Network
    loss: float
    rounded_loss: float


class Model(Protocol):
    """A network that is being fitted."""

    @property
    def weights(self) -> list[Array]:
        """The weights: of the inputs, biases, output weights (buckets × twice the hidden layer) and biases."""

    def loss(self, indices: Array) -> float:
        """Return the sum of the losses of the records with these indices."""

    def step(self, indices: Array, rate: float) -> float:
        """Take a step with this learning rate, and return the sum of the losses before it."""


class CoreModel:
    """A model whose gradients are computed in the core."""

    def __init__(self, data: Data, weights: list[Array], threads: int) -> None:
        self._data, self._threads, self._shapes = data, threads, [each.shape for each in weights]
        self._trainer = _core.NetworkTrainer(
            np.concatenate([each.astype("<f4").ravel() for each in weights]).tobytes(),
            squares=len(data.rules.mover.squares),
            hidden=len(weights[1]),
            buckets=len(weights[3]),
            full=full_board(data.rules),
        )

    @property
    def weights(self) -> list[Array]:
        """The weights, see `Model`."""
        return self._split(self._trainer.weights())

    def loss(self, indices: Array) -> float:
        """Return the sum of the losses of the records with these indices."""
        batches = (indices[begin : begin + VALIDATION_BATCH] for begin in range(0, len(indices), VALIDATION_BATCH))
        return sum(self._trainer.loss(*self._pack(batch), threads=self._threads) for batch in batches)

    def step(self, indices: Array, rate: float) -> float:
        """Take a step with this learning rate, and return the sum of the losses before it."""
        return self._trainer.step(*self._pack(indices), rate=rate, threads=self._threads)

    def gradient(self, indices: Array) -> list[Array]:
        """Return the gradient of the mean loss with respect to the weights."""
        return self._split(self._trainer.gradient(*self._pack(indices), threads=self._threads))

    def _pack(self, indices: Array) -> tuple[bytes, bytes]:
        """Return the packed positions and the targets."""
        packed = self._data.records[indices, :-SCORE_BYTES]
        return packed.tobytes(), self._data.targets(indices).astype("<f4").tobytes()

    def _split(self, data: bytes) -> list[Array]:
        """Return the numbers of each layer."""
        numbers, ends = np.frombuffer(data, "<f4"), np.cumsum([math.prod(shape) for shape in self._shapes])
        parts = np.split(numbers, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)]


def fit_network(data: Data, settings: NetworkSettings, threads: int = os.cpu_count() or 1) -> FittedNetwork:
    """Fit a network to the games. The number of threads has no effect on the result."""

    def model_of(weights: list[Array]) -> Model:
        torch = torch_with_gpu()
        return DenseModel(data, weights, torch) if torch else CoreModel(data, weights, threads)

    model = model_of(random_weights(data.rules, settings))
    training, validation = (data.indices(held_out=held_out) for held_out in (False, True))
    size = min(settings.batch, len(training) // MIN_STEPS + 1)
    steps = math.ceil(len(training) / size)
    rng, began = np.random.default_rng(settings.seed), time.monotonic()
    loss = math.nan
    for epoch in range(settings.epochs):
        order, total = rng.permutation(training), 0.0
        for step in range(steps):
            rate = _rate(settings, epoch * steps + step, steps)
            total += model.step(order[step * size :][:size], rate)
        loss = model.loss(validation) / max(1, len(validation))
        print(
            f"epoch {epoch + 1} of {settings.epochs}: loss {total / len(training):.5f} in training, {loss:.5f} on"
            f" held-out games, {(time.monotonic() - began) / 60:.1f} min",
            file=sys.stderr,
            flush=True,
        )
    network, rounded = quantise(model.weights, data.rules, data.slope)
    return FittedNetwork(network, loss, model_of(rounded).loss(validation) / max(1, len(validation)))


def _rate(settings: NetworkSettings, step: int, steps: int) -> float:
    """Return the learning rate of a step; an epoch has this number of steps."""
    if settings.epochs > 1 and step < steps:
        return settings.rate * (step + 1) / steps
    done = (step - steps) / max(1, steps * (settings.epochs - 1))
    return settings.last_rate + (settings.rate - settings.last_rate) * (1 + math.cos(math.pi * done)) / 2


def random_weights(rules: DraughtsRules, settings: NetworkSettings) -> list[Array]:
    """Return small random weights."""
    if (rules.rows + rules.columns) % 2:
        raise TablemenError(f"{rules}: a network needs a board that has the same squares when it is turned around")
    rng = np.random.default_rng(settings.seed)
    return [
        rng.normal(0, 0.1, (PLANES * len(rules.mover.squares), settings.hidden)),
        rng.uniform(0, 0.5, settings.hidden),
        rng.normal(0, 0.05, (settings.buckets, 2 * settings.hidden)),
        np.zeros(settings.buckets),
    ]


def quantise(weights: list[Array], rules: DraughtsRules, slope: float) -> tuple[Network, list[Array]]:
    """Return the network with rounded weights, and these as floating-point numbers.

    `slope` is that of the expected result as a function of the value, per man.
    """
    first, first_bias, second, second_bias = (each.astype(float) for each in weights)
    # The integer that stands for 1 in the output weights; the output must fit in 32 bits.
    unit = MAX_OUTPUT_WEIGHT / max(1e-3, float(np.abs(second).max()))
    unit = min(unit, MAX_OUTPUT_SUM / max(1e-3, float(np.abs(second).sum(axis=1).max())))
    output_unit = unit * INPUT_UNIT**2
    units = (INPUT_UNIT, INPUT_UNIT, unit, output_unit)
    types = ("<i2", "<i2", "<i2", "<i4")
    rounded = [
        np.rint(weights * unit).astype(kind)
        for weights, unit, kind in zip((first, first_bias, second, second_bias), units, types, strict=True)
    ]
    network = Network(
        full=full_board(rules),
        hidden=len(first_bias),
        input=rounded[0].tobytes(),
        input_bias=rounded[1].tobytes(),
        output=rounded[2].tobytes(),
        output_bias=rounded[3].tobytes(),
        scale=round(100 / slope / output_unit * SCALE_UNIT),
    )
    return network, [ints / unit for ints, unit in zip(rounded, units, strict=True)]
