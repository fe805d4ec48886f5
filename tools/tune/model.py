"""The fitted model: the probability of a win is the logistic function of the evaluation.

Weights are in men, in arrays of two rows: opening and endgame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.weights import FEATURES, MAX_WEIGHT, Pair, Pattern, Weights
from tablemen.errors import TablemenError
from tools.tune.data import Array, Batch

UNIT = 1000  # weights files contain thousandths of a man


@dataclass
class Model:
    """Weights as arrays: features and squares, and the tables of all patterns concatenated."""

    features: Array
    tables: Array

    @classmethod
    def of(cls, weights: Weights) -> Model:
        """Return the model with these weights."""
        features = np.array([*weights.counted(), *weights.men, *weights.kings], np.float32).T / UNIT
        tables = np.frombuffer(b"".join(pattern.table for pattern in weights.patterns), "<i2")
        return cls(np.ascontiguousarray(features), tables.reshape(-1, 2).T.astype(np.float32) / UNIT)

    def arrays(self) -> tuple[Array, Array]:
        """Return all weights."""
        return self.features, self.tables

    def copy(self) -> Model:
        """Return a copy of the weights."""
        return Model(self.features.copy(), self.tables.copy())

    def values(self, batch: Batch) -> Array:
        """Return the evaluations for the side to move, in men."""
        added, subtracted = batch.pattern_indices[:, :, 0], batch.pattern_indices[:, :, 1]
        opening, endgame = (
            batch.counts @ features + (table[added] - table[subtracted]).sum(axis=1)
            for features, table in zip(self.features, self.tables, strict=True)
        )
        blended: Array = batch.phases * opening + (1 - batch.phases) * endgame
        return blended

    def gradient(self, batch: Batch, slopes: Array) -> Model:
        """Return the gradient with respect to the weights, given the derivative of the loss for each value."""
        by_phase = np.stack([slopes * batch.phases, slopes * (1 - batch.phases)])
        tables = np.zeros_like(self.tables)
        if self.tables.size:
            added, subtracted = (batch.pattern_indices[:, :, side].ravel() for side in (0, 1))
            for phase in (0, 1):
                times = np.repeat(by_phase[phase], batch.pattern_indices.shape[1])
                size = self.tables.shape[1]
                tables[phase] = np.bincount(added, times, size) - np.bincount(subtracted, times, size)
        return Model(by_phase @ batch.counts, tables)

    def weights(self, like: Weights) -> Weights:
        """Return the weights in thousandths of a man, with the patterns of `like`."""
        features = _to_pairs(self.features)
        counts = dict(zip(FEATURES, features, strict=False))
        squares = features[len(FEATURES) :]
        half = len(squares) // 2
        patterns, begin = [], 0
        for pattern in like.patterns:
            table = np.array(_to_pairs(self.tables[:, begin : begin + pattern.entries]), "<i2")
            patterns.append(replace(pattern, table=table.tobytes()))
            begin += pattern.entries
        return replace(
            like, counts=counts, men=tuple(squares[:half]), kings=tuple(squares[half:]), patterns=tuple(patterns)
        )


def _to_pairs(weights: Array) -> list[Pair]:
    rounded = np.clip(np.rint(weights * UNIT), -MAX_WEIGHT, MAX_WEIGHT).astype(int)
    return [(int(opening), int(ending)) for opening, ending in rounded.T]


def add_patterns(weights: Weights, rules: DraughtsRules, rows: int, width: int) -> Weights:
    """Return the weights with empty patterns: rectangles of `rows` rows and `width` squares, at the far side.

    Raises `TablemenError` if the board is too small for the rectangle.
    """
    by_row: dict[int, list[int]] = {row: [] for row in range(rules.rows)}
    for square in rules.mover.squares:
        by_row[square.row].append(int(square))
    places = min(len(by_row.get(row, ())) for row in range(rows)) - width + 1
    if places < 1:
        raise TablemenError(f"{rules}: the board is too small for patterns of {rows}x{width} squares")
    rectangles = ([square for row in range(rows) for square in by_row[row][at : at + width]] for at in range(places))
    patterns = (Pattern(tuple(squares), bytes(4 * 3 ** len(squares))) for squares in rectangles)
    return replace(weights, patterns=tuple(patterns))
