"""Records as numbers: features in batches, for fitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.evaluation import Evaluation
from tablemen.errors import TablemenError
from tools.tune.records import BEGINS, RESULT, read_file, record_size

Array: TypeAlias = np.ndarray[Any, Any]

HELD_OUT = 20  # one game in so many is not learnt from


@dataclass(frozen=True)
class Batch:
    """Features of some positions, and what they came to: 0 lost, 0.5 drawn, 1 won for the side to move."""

    counts: Array  # positions × features
    shares: Array  # how much the opening counts, 0 to 1
    looks: Array  # positions × patterns × 2
    results: Array


@dataclass(frozen=True)
class Data:
    """Every record, as rows of bytes."""

    rules: DraughtsRules
    records: Array
    games: int
    held_out: Array  # which records are for the test
    how: Sequence[dict[str, object]]  # how the games of each file were played

    @classmethod
    def read(cls, paths: Sequence[Path], rules: DraughtsRules) -> Data:
        """The records of files."""
        size = record_size(rules)
        parts, how = [], []
        for path in paths:
            head, records = read_file(path)
            if head.get("variant") != rules.name:
                raise TablemenError(f"{path} has games of {head.get('variant')}, not of {rules.name}")
            if len(records) % size:
                raise TablemenError(f"{path} ends within a record")
            parts.append(np.frombuffer(records, np.uint8).reshape(-1, size))
            how.append(head)
        records = np.concatenate(parts)
        if not len(records):
            raise TablemenError("there is no position in these files")
        game = np.cumsum(records[:, 0] >> BEGINS & 1)
        return cls(rules, records, int(game[-1]), game % HELD_OUT == 0, how)

    def indices(self, *, held_out: bool) -> Array:
        """The numbers of the records to learn from, or of those to test with."""
        return np.flatnonzero(self.held_out == held_out)

    def batches(self, evaluation: Evaluation, indices: Array, size: int) -> Iterator[Batch]:
        """The records with these numbers, so many at a time."""
        for begin in range(0, len(indices), size):
            yield self._batch(evaluation, self.records[indices[begin : begin + size]])

    def _batch(self, evaluation: Evaluation, records: Array) -> Batch:
        packed = records.copy()
        packed[:, 0] &= 1
        features = evaluation.features([packed.tobytes()])
        count = len(records)
        return Batch(
            counts=np.frombuffer(features.counts, "<i2").reshape(count, -1).astype(np.float32),
            shares=np.frombuffer(features.phases, "<u2").astype(np.float32) / 256,
            looks=np.frombuffer(features.pattern_indices, "<u4").reshape(count, -1, 2),
            results=(records[:, 0] >> RESULT & 3).astype(np.float32) / 2,
        )
