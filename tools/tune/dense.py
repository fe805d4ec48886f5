"""The fit of a network with dense arrays: PyTorch tensors on a GPU. The tests run it with NumPy.

The code uses only operations that NumPy arrays and PyTorch tensors have in common.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tablemen.draughts.network import PLANES
from tablemen.draughts.weights import full_board
from tools.tune.data import Array, Data

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
# The maximum absolute values of the weights of each layer, as in the core.
LIMITS = (1.98, 2.0, 8.0, 8.0)
CHUNK = 1 << 18  # positions that are unpacked at a time
VALIDATION_BATCH = 1 << 15


class _Inputs(NamedTuple):
    """The inputs of a batch, from the point of view of the side to move and from that of the opponent."""

    own: Any
    enemy: Any
    in_bucket: Any  # positions × buckets: 1 for the bucket of the position, otherwise 0
    targets: Any


class DenseModel:
    """A model on the GPU with PyTorch, or on the CPU with NumPy if `torch` is None.

    Positions stay packed, because their inputs would need too much memory.
    """

    def __init__(self, data: Data, weights: list[Array], torch: Any) -> None:
        self._torch, self._library = torch, torch or np
        self._weights = [self._array(each.astype(np.float32)) for each in weights]
        self._means = [self._library.zeros_like(each) for each in self._weights]
        self._squares = [self._library.zeros_like(each) for each in self._weights]
        self._steps = 0
        self._count = len(data.rules.mover.squares)
        parts = (data.records[begin : begin + CHUNK] for begin in range(0, len(data.records), CHUNK))
        sets = [_relative_sets(part, self._count) for part in parts]
        pieces = np.concatenate([each[:, : 2 * self._count].sum(axis=1, dtype=np.int64) for each in sets])
        buckets = len(weights[-1])
        self._buckets = self._array(np.minimum(pieces * buckets // (full_board(data.rules) + 1), buckets - 1))
        self._packed = self._array(np.concatenate([np.packbits(each, axis=1, bitorder="little") for each in sets]))
        self._targets = self._array(data.targets(np.arange(len(data.records))))
        self._eye = self._array(np.eye(buckets, dtype=np.float32))
        bits = np.arange(3 * self._count)
        self._byte, self._bit = self._array(bits // 8), self._array((bits % 8).astype(np.uint8))
        turned = np.arange(PLANES * self._count).reshape(PLANES, -1)[[2, 3, 0, 1], ::-1]
        self._turned = self._array(turned.ravel())

    @property
    def weights(self) -> list[Array]:
        """The weights: of the inputs, biases, output weights (buckets × twice the hidden layer) and biases."""
        return [each.cpu().numpy() if self._torch else each for each in self._weights]

    def loss(self, indices: Array) -> float:
        """Return the sum of the losses of the records with these indices."""
        batches = (indices[begin : begin + VALIDATION_BATCH] for begin in range(0, len(indices), VALIDATION_BATCH))
        return sum(float(self._run(self._inputs(batch))[2].sum()) for batch in batches)

    def step(self, indices: Array, rate: float) -> float:
        """Take a step with this learning rate, and return the sum of the losses before it."""
        gradient, loss = self.gradient(indices)
        self._steps += 1
        mean_scale, square_scale = 1 - BETA_1**self._steps, 1 - BETA_2**self._steps
        for index, slopes in enumerate(gradient):
            mean, square = self._means[index], self._squares[index]
            mean += (1 - BETA_1) * (slopes - mean)
            square += (1 - BETA_2) * (slopes * slopes - square)
            change = (rate / mean_scale) * mean / ((square / square_scale) ** 0.5 + EPSILON)
            self._weights[index] = (self._weights[index] - change).clip(-LIMITS[index], LIMITS[index])
        return loss

    def gradient(self, indices: Array) -> tuple[list[Any], float]:
        """Return the gradient of the mean loss with respect to the weights, and the sum of the losses."""
        inputs = self._inputs(indices)
        clipped, errors, losses = self._run(inputs)
        _, first_bias, second, _ = self._weights
        in_bucket = inputs.in_bucket * (errors / len(errors))[:, None]
        hidden = first_bias.shape[0]
        derivatives = [
            (in_bucket @ weights) * (2 * units * (units < 1))
            for weights, units in zip((second[:, :hidden], second[:, hidden:]), clipped, strict=True)
        ]
        gradient = [
            inputs.own.T @ derivatives[0] + inputs.enemy.T @ derivatives[1],
            derivatives[0].sum(0) + derivatives[1].sum(0),
            self._library.concatenate([in_bucket.T @ (units * units) for units in clipped], 1),
            in_bucket.sum(0),
        ]
        return gradient, float(losses.sum())

    def _array(self, array: Array) -> Any:
        """Return the array in the library of the model."""
        return self._torch.from_numpy(np.ascontiguousarray(array)).cuda() if self._torch else array

    def _inputs(self, indices: Array) -> _Inputs:
        places = self._array(indices)
        bits = (self._packed[places][:, self._byte] >> self._bit) & 1
        own, enemy, kings = (bits[:, self._count * index :][:, : self._count] for index in range(3))
        men = 1 - kings
        inputs = self._library.concatenate([own * men, own * kings, enemy * men, enemy * kings], 1)
        inputs = inputs.float() if self._torch else inputs.astype(np.float32)
        return _Inputs(inputs, inputs[:, self._turned], self._eye[self._buckets[places]], self._targets[places])

    def _run(self, inputs: _Inputs) -> tuple[list[Any], Any, Any]:
        """Return the clipped hidden units, the derivatives of the losses for the outputs, and the losses."""
        first, first_bias, second, second_bias = self._weights
        hidden = first_bias.shape[0]
        clipped = [(each @ first + first_bias).clip(0, 1) for each in (inputs.own, inputs.enemy)]
        squares = [units * units for units in clipped]
        outputs = squares[0] @ second[:, :hidden].T + squares[1] @ second[:, hidden:].T + second_bias
        output = (outputs * inputs.in_bucket).sum(1).clip(-30, 30)
        library, targets = self._library, inputs.targets
        losses = output.clip(0, 30) - output * targets + library.log1p(library.exp(-abs(output)))
        return clipped, 1 / (1 + library.exp(-output)) - targets, losses


def _relative_sets(records: Array, squares: int) -> Array:
    """Return the bits of own pieces, enemy pieces and kings, from the point of view of the side to move."""
    size = (squares + 7) // 8
    packed = records[:, 1 : 1 + 3 * size].reshape(-1, 3, size)
    bits = np.unpackbits(packed, axis=2, bitorder="little")[:, :, :squares]
    black = records[:, 0] & 1 == 1
    bits[black] = bits[black][:, [1, 0, 2], ::-1]
    return bits.reshape(len(records), -1)
