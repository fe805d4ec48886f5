"""The model that is fitted: the chance to win is the logistic function of an evaluation.

Weights are kept in men here, in arrays of two rows: for the opening and for the ending.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.weights import FEATURES, MAX_WEIGHT, Pair, Pattern, Weights
from tablemen.errors import TablemenError
from tools.tune.data import Array, Batch

UNIT = 1000  # weights in files are thousandths of a man


@dataclass
class Model:
    """Weights as arrays: of the counted features and squares, and of all patterns one after the other."""

    plain: Array
    tables: Array

    @classmethod
    def of(cls, weights: Weights) -> Model:
        """The model that has these weights."""
        plain = np.array([*weights.counted(), *weights.men, *weights.kings], np.float32).T / UNIT
        tables = np.frombuffer(b"".join(pattern.table for pattern in weights.patterns), "<i2")
        return cls(np.ascontiguousarray(plain), tables.reshape(-1, 2).T.astype(np.float32) / UNIT)

    def arrays(self) -> tuple[Array, Array]:
        """All weights."""
        return self.plain, self.tables

    def copy(self) -> Model:
        """The same weights, to be changed by themselves."""
        return Model(self.plain.copy(), self.tables.copy())

    def values(self, batch: Batch) -> Array:
        """What the positions are worth to the side to move, in men."""
        opening, ending = (
            batch.counts @ plain + (table[batch.looks[:, :, 0]] - table[batch.looks[:, :, 1]]).sum(axis=1)
            for plain, table in zip(self.plain, self.tables, strict=True)
        )
        blended: Array = batch.shares * opening + (1 - batch.shares) * ending
        return blended

    def gradient(self, batch: Batch, slopes: Array) -> Model:
        """The sum of how fast each value changes with the weights, times a slope for each position."""
        by_phase = np.stack([slopes * batch.shares, slopes * (1 - batch.shares)])
        tables = np.zeros_like(self.tables)
        if self.tables.size:
            added, taken = (batch.looks[:, :, side].ravel() for side in (0, 1))
            for phase in (0, 1):
                times = np.repeat(by_phase[phase], batch.looks.shape[1])
                size = self.tables.shape[1]
                tables[phase] = np.bincount(added, times, size) - np.bincount(taken, times, size)
        return Model(by_phase @ batch.counts, tables)

    def weights(self, like: Weights) -> Weights:
        """The weights in the form of files."""
        plain = _whole(self.plain)
        counts = dict(zip(FEATURES, plain, strict=False))
        squares = plain[len(FEATURES) :]
        half = len(squares) // 2
        patterns, begin = [], 0
        for pattern in like.patterns:
            table = np.array(_whole(self.tables[:, begin : begin + pattern.entries]), "<i2")
            patterns.append(replace(pattern, table=table.tobytes()))
            begin += pattern.entries
        return replace(
            like, counts=counts, men=tuple(squares[:half]), kings=tuple(squares[half:]), patterns=tuple(patterns)
        )


def _whole(weights: Array) -> list[Pair]:
    rounded = np.clip(np.rint(weights * UNIT), -MAX_WEIGHT, MAX_WEIGHT).astype(int)
    return [(int(opening), int(ending)) for opening, ending in rounded.T]


def with_patterns(weights: Weights, rules: DraughtsRules, rows: int, width: int) -> Weights:
    """The weights with patterns that weigh nothing yet: rectangles of rows and squares of a row, at the far side.

    Raises `TablemenError` where the board has no such rectangle.
    """
    by_row: dict[int, list[int]] = {row: [] for row in range(rules.rows)}
    for square in rules.mover.squares:
        by_row[square.row].append(int(square))
    places = min(len(by_row.get(row, ())) for row in range(rows)) - width + 1
    if places < 1:
        raise TablemenError(f"the board of {rules} has no {rows} rows of {width} squares")
    rectangles = ([square for row in range(rows) for square in by_row[row][at : at + width]] for at in range(places))
    patterns = (Pattern(tuple(squares), bytes(4 * 3 ** len(squares))) for squares in rectangles)
    return replace(weights, patterns=tuple(patterns))
