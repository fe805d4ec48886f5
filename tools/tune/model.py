"""The model that is fitted: the chance to win is the logistic function of an evaluation.

Weights are kept in men here, in arrays of two rows: for the opening and for the ending.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.weights import FEATURES, Pair, Pattern, Weights
from tools.tune.data import Array, Batch

UNIT = 1000  # weights in files are thousandths of a man
LARGEST = 32_767


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

    def weights(self, like: Weights, rules: DraughtsRules) -> Weights:
        """The weights in the form of files. Where there are patterns, the squares of men go into them."""
        folded = _folded(self, like, rules) if like.patterns else self
        plain = _whole(folded.plain)
        counts = dict(zip(FEATURES, plain, strict=False))
        squares = plain[len(FEATURES) :]
        half = len(squares) // 2
        patterns, begin = [], 0
        for pattern in like.patterns:
            table = np.array(_whole(folded.tables[:, begin : begin + pattern.entries]), "<i2")
            patterns.append(replace(pattern, table=table.tobytes()))
            begin += pattern.entries
        return replace(
            like, counts=counts, men=tuple(squares[:half]), kings=tuple(squares[half:]), patterns=tuple(patterns)
        )


def _whole(weights: Array) -> list[Pair]:
    rounded = np.clip(np.rint(weights * UNIT), -LARGEST, LARGEST).astype(int)
    return [(int(opening), int(ending)) for opening, ending in rounded.T]


def _folded(model: Model, like: Weights, rules: DraughtsRules) -> Model:
    """The same values with the squares of men in the tables of patterns: so they need not be looked up by themselves.

    A man on a square is seen by its own side as its own, and by the other side, from across the board, as the enemy's.
    """
    numbers = {int(square): index for index, square in enumerate(rules.mover.squares)}
    last = len(numbers) - 1
    regions = [[numbers[int(square)] for square in pattern.squares] for pattern in like.patterns]
    seen = np.zeros(last + 1)
    for region in regions:
        for square in region:
            seen[square] += 1
            seen[last - square] += 1
    folded = model.copy()
    men = folded.plain[:, len(FEATURES) : len(FEATURES) + last + 1]
    shares = np.where(seen > 0, men / np.maximum(seen, 1), 0)
    begin = 0
    for region, pattern in zip(regions, like.patterns, strict=True):
        ways = np.arange(pattern.entries)
        for place, square in enumerate(region):
            digit = ways // 3**place % 3
            folded.tables[:, begin : begin + pattern.entries] += np.where(
                digit == 1, shares[:, square, None], np.where(digit == 2, -shares[:, last - square, None], 0)
            )
        begin += pattern.entries
    men[:, seen > 0] = 0
    return folded


def with_patterns(weights: Weights, rules: DraughtsRules, rows: int, width: int) -> Weights:
    """The weights with patterns that weigh nothing yet: rectangles of rows and squares of a row, at the far side."""
    by_row: dict[int, list[int]] = {}
    for square in rules.mover.squares:
        by_row.setdefault(square.row, []).append(int(square))
    places = min(len(by_row[row]) for row in range(rows)) - width + 1
    rectangles = ([square for row in range(rows) for square in by_row[row][at : at + width]] for at in range(places))
    patterns = (Pattern(tuple(squares), bytes(4 * 3 ** len(squares))) for squares in rectangles)
    return replace(weights, patterns=tuple(patterns))
