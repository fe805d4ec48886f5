"""Fit a network (see `tablemen.draughts.network`) to scores and results of games, with Adam.

The target of a position is the same as in `tools.tune.fit`. The code uses only operations that NumPy arrays and PyTorch
tensors have in common: it runs on the CPU with NumPy, or on a GPU if PyTorch finds one.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.network import INPUT_UNIT, MAX_OUTPUT_WEIGHT, PLANES, SCALE_UNIT, Network
from tablemen.draughts.weights import full_board
from tablemen.errors import TablemenError
from tools.tune.data import Array, Data
from tools.tune.gpu import torch_with_gpu

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
# The maximum absolute values of weights, in the order of `_Model.weights`: the sums of the hidden layer fit in 16 bits.
LIMITS = (1.98, 2.0, 8.0, 8.0)
MAX_OUTPUT_SUM = 0.9 * 2**31 / INPUT_UNIT**2  # of the output weights of a bucket
MIN_STEPS = 100  # minimum number of steps per epoch; with few positions the batches are smaller
CHUNK = 1 << 18  # positions that are unpacked at a time
VALIDATION_BATCH = 1 << 15


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
    """A fitted network, and the loss on held-out games before and after rounding the weights."""

    network: Network
    loss: float
    rounded_loss: float


def fit_network(data: Data, settings: NetworkSettings) -> FittedNetwork:
    """Fit a network to the games."""
    arrays = _Arrays(torch_with_gpu())
    model = _Model.random(data.rules, settings, arrays)
    training, validation = (
        _Positions(data, data.indices(held_out=held_out), settings, arrays) for held_out in (False, True)
    )
    size = min(settings.batch, len(training) // MIN_STEPS + 1)
    adam, batches = _Adam(model, arrays), math.ceil(len(training) / size)
    rng, began, step = np.random.default_rng(settings.seed), time.monotonic(), 0
    for epoch in range(1, settings.epochs + 1):
        total = arrays.of(np.zeros(1, np.float32))
        for inputs in training.batches(rng.permutation(len(training)), size):
            gradient, losses = model.gradient(inputs)
            total += losses.sum()
            adam.step(gradient, _rate(settings, step, batches))
            step += 1
        print(
            f"epoch {epoch} of {settings.epochs}: loss {float(total[0]) / len(training):.5f} in training,"
            f" {model.loss(validation):.5f} on held-out games, {(time.monotonic() - began) / 60:.1f} min",
            file=sys.stderr,
            flush=True,
        )
    network, rounded = model.quantise(data.slope)
    return FittedNetwork(network, model.loss(validation), rounded.loss(validation))


def _rate(settings: NetworkSettings, step: int, batches: int) -> float:
    """Return the learning rate of a step; an epoch has this number of batches."""
    if settings.epochs > 1 and step < batches:
        return settings.rate * (step + 1) / batches
    done = (step - batches) / max(1, batches * (settings.epochs - 1))
    return settings.last_rate + (settings.rate - settings.last_rate) * (1 + math.cos(math.pi * done)) / 2


class _Arrays:
    """The library of the arrays: PyTorch with tensors on the GPU, or NumPy."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self.library: Any = torch or np

    def of(self, array: Array) -> Any:
        """Return the array in this library."""
        return self._torch.from_numpy(np.ascontiguousarray(array)).cuda() if self._torch else array

    def to_numpy(self, array: Any) -> Array:
        """Return the array as a NumPy array."""
        numbers: Array = array.cpu().numpy() if self._torch else array
        return numbers

    def to_floats(self, array: Any) -> Any:
        """Convert to 32-bit floating-point numbers."""
        return array.float() if self._torch else array.astype(np.float32)


@dataclass(frozen=True)
class _Inputs:
    """The inputs of a batch, from the point of view of the side to move and from that of the opponent."""

    own: Any
    enemy: Any
    in_bucket: Any  # positions × buckets: 1 for the bucket of the position, otherwise 0
    targets: Any


class _Positions:
    """Positions with their targets. They stay packed, because their inputs would need too much memory."""

    def __init__(self, data: Data, indices: Array, settings: NetworkSettings, arrays: _Arrays) -> None:
        self._arrays, self._squares = arrays, len(data.rules.mover.squares)
        parts = [indices[begin : begin + CHUNK] for begin in range(0, len(indices), CHUNK)]
        sets = [_relative_sets(data.records[part], self._squares) for part in parts]
        full = full_board(data.rules)
        pieces = np.concatenate([each[:, : 2 * self._squares].sum(axis=1, dtype=np.int64) for each in sets])
        buckets = np.minimum(pieces * settings.buckets // (full + 1), settings.buckets - 1)
        self._packed = arrays.of(np.concatenate([np.packbits(each, axis=1, bitorder="little") for each in sets]))
        self._buckets, self._targets = arrays.of(buckets), arrays.of(data.targets(indices))
        self._eye = arrays.of(np.eye(settings.buckets, dtype=np.float32))
        bits = np.arange(3 * self._squares)
        self._byte, self._bit = arrays.of(bits // 8), arrays.of((bits % 8).astype(np.uint8))
        turned = np.arange(PLANES * self._squares).reshape(PLANES, -1)[[2, 3, 0, 1], ::-1]
        self._turned = arrays.of(turned.ravel())

    def __len__(self) -> int:
        return len(self._targets)

    def batches(self, order: Array, size: int) -> Iterator[_Inputs]:
        """Yield the positions in this order in batches."""
        places = self._arrays.of(order)
        for begin in range(0, len(order), size):
            yield self._inputs(places[begin : begin + size])

    def _inputs(self, places: Any) -> _Inputs:
        bits = (self._packed[places][:, self._byte] >> self._bit) & 1
        own, enemy, kings = (bits[:, self._squares * index :][:, : self._squares] for index in range(3))
        men = 1 - kings
        planes = [own * men, own * kings, enemy * men, enemy * kings]
        inputs = self._arrays.to_floats(self._arrays.library.concatenate(planes, 1))
        return _Inputs(inputs, inputs[:, self._turned], self._eye[self._buckets[places]], self._targets[places])


def _relative_sets(records: Array, squares: int) -> Array:
    """Return the bits of own pieces, enemy pieces and kings, from the point of view of the side to move."""
    size = (squares + 7) // 8
    packed = records[:, 1 : 1 + 3 * size].reshape(-1, 3, size)
    bits = np.unpackbits(packed, axis=2, bitorder="little")[:, :, :squares]
    black = records[:, 0] & 1 == 1
    bits[black] = bits[black][:, [1, 0, 2], ::-1]
    return bits.reshape(len(records), -1)


@dataclass
class _Model:
    """The weights: of the inputs, biases, output weights (buckets × twice the hidden layer) and biases."""

    weights: list[Any]
    full: int
    arrays: _Arrays

    @classmethod
    def random(cls, rules: DraughtsRules, settings: NetworkSettings, arrays: _Arrays) -> _Model:
        """Return a model with small random weights."""
        if (rules.rows + rules.columns) % 2:
            raise TablemenError(f"{rules}: a network needs a board that has the same squares when it is turned around")
        rng = np.random.default_rng(settings.seed)
        weights = [
            rng.normal(0, 0.1, (PLANES * len(rules.mover.squares), settings.hidden)),
            rng.uniform(0, 0.5, settings.hidden),
            rng.normal(0, 0.05, (settings.buckets, 2 * settings.hidden)),
            np.zeros(settings.buckets),
        ]
        return cls([arrays.of(each.astype(np.float32)) for each in weights], full_board(rules), arrays)

    def loss(self, positions: _Positions) -> float:
        """Return the mean log loss."""
        order = np.arange(len(positions))
        total = sum(float(self._run(inputs)[2].sum()) for inputs in positions.batches(order, VALIDATION_BATCH))
        return total / max(1, len(positions))

    def gradient(self, inputs: _Inputs) -> tuple[list[Any], Any]:
        """Return the gradient of the mean loss with respect to the weights, and the losses."""
        clipped, errors, losses = self._run(inputs)
        _, first_bias, second, _ = self.weights
        in_bucket = inputs.in_bucket * (errors / len(errors))[:, None]
        hidden = first_bias.shape[0]
        derivatives = [
            (in_bucket @ weights) * (2 * units * (units < 1))
            for weights, units in zip((second[:, :hidden], second[:, hidden:]), clipped, strict=True)
        ]
        concatenate = self.arrays.library.concatenate
        gradient = [
            inputs.own.T @ derivatives[0] + inputs.enemy.T @ derivatives[1],
            derivatives[0].sum(0) + derivatives[1].sum(0),
            concatenate([in_bucket.T @ (units * units) for units in clipped], 1),
            in_bucket.sum(0),
        ]
        return gradient, losses

    def _run(self, inputs: _Inputs) -> tuple[list[Any], Any, Any]:
        """Return the clipped hidden units, the derivatives of the losses for the outputs, and the losses."""
        first, first_bias, second, second_bias = self.weights
        hidden = first_bias.shape[0]
        clipped = [(each @ first + first_bias).clip(0, 1) for each in (inputs.own, inputs.enemy)]
        squares = [units * units for units in clipped]
        outputs = squares[0] @ second[:, :hidden].T + squares[1] @ second[:, hidden:].T + second_bias
        output = (outputs * inputs.in_bucket).sum(1)
        probabilities = 1 / (1 + self.arrays.library.exp(-output.clip(-30, 30)))
        library, targets = self.arrays.library, inputs.targets
        limited = probabilities.clip(1e-7, 1 - 1e-7)
        losses = -(targets * library.log(limited) + (1 - targets) * library.log(1 - limited))
        return clipped, probabilities - targets, losses

    def quantise(self, slope: float) -> tuple[Network, _Model]:
        """Return the network with rounded weights, and the model that is equal to it.

        `slope` is that of the expected result as a function of the value, per man.
        """
        first, first_bias, second, second_bias = (self.arrays.to_numpy(each).astype(float) for each in self.weights)
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
            full=self.full,
            hidden=len(first_bias),
            input=rounded[0].tobytes(),
            input_bias=rounded[1].tobytes(),
            output=rounded[2].tobytes(),
            output_bias=rounded[3].tobytes(),
            scale=round(100 / slope / output_unit * SCALE_UNIT),
        )
        weights = [self.arrays.of((ints / unit).astype(np.float32)) for ints, unit in zip(rounded, units, strict=True)]
        return network, _Model(weights, self.full, self.arrays)


class _Adam:
    """The Adam optimiser, with limits for the weights."""

    def __init__(self, model: _Model, arrays: _Arrays) -> None:
        self._model, self._library = model, arrays.library
        self._means = [self._library.zeros_like(weights) for weights in model.weights]
        self._squares = [self._library.zeros_like(weights) for weights in model.weights]
        self._steps = 0

    def step(self, gradient: list[Any], rate: float) -> None:
        """Take a step with this learning rate."""
        self._steps += 1
        mean_scale, square_scale = 1 - BETA_1**self._steps, 1 - BETA_2**self._steps
        weights = self._model.weights
        for index, slopes in enumerate(gradient):
            mean, square = self._means[index], self._squares[index]
            mean += (1 - BETA_1) * (slopes - mean)
            square += (1 - BETA_2) * (slopes * slopes - square)
            change = (rate / mean_scale) * mean / ((square / square_scale) ** 0.5 + EPSILON)
            weights[index] = (weights[index] - change).clip(-LIMITS[index], LIMITS[index])
