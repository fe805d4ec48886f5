"""Training data: batches of features from the records of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tablemen.draughts import DraughtsRules
from tablemen.draughts.evaluation import Evaluation
from tablemen.errors import TablemenError
from tools.tune.records import FIRST_OF_GAME, RESULT, read_file, record_size

Array: TypeAlias = np.ndarray[Any, Any]

HELD_OUT_EVERY = 20  # every 20th game is held out for validation


@dataclass(frozen=True)
class Batch:
    """Features and results of some positions. A result is 0 (loss), 0.5 (draw) or 1 (win) for the side to move."""

    counts: Array  # positions × features
    phases: Array  # the weight of the opening phase, 0 to 1
    pattern_indices: Array  # positions × patterns × 2
    results: Array


@dataclass(frozen=True)
class Data:
    """All records, one row of bytes each."""

    rules: DraughtsRules
    records: Array
    games: int
    held_out: Array  # whether a record is held out for validation
    settings: Sequence[dict[str, object]]  # the settings of the games of each file

    @classmethod
    def read(cls, paths: Sequence[Path], rules: DraughtsRules) -> Data:
        """Read the records of all files."""
        size = record_size(rules)
        parts, settings = [], []
        for path in paths:
            header, records = read_file(path)
            if header.get("variant") != rules.name:
                raise TablemenError(f"{path}: expected games of {rules.name}, got {header.get('variant')}")
            if len(records) % size:
                raise TablemenError(f"{path}: the last record is incomplete")
            parts.append(np.frombuffer(records, np.uint8).reshape(-1, size))
            settings.append(header)
        records = np.concatenate(parts)
        if not len(records):
            raise TablemenError(f"no positions in {', '.join(map(str, paths))}")
        game = np.cumsum(records[:, 0] >> FIRST_OF_GAME & 1)
        return cls(rules, records, int(game[-1]), game % HELD_OUT_EVERY == 0, settings)

    def indices(self, *, held_out: bool) -> Array:
        """Return the indices of the records for training, or of those held out."""
        return np.flatnonzero(self.held_out == held_out)

    def batches(self, evaluation: Evaluation, indices: Array, size: int) -> Iterator[Batch]:
        """Yield the records with these indices in batches."""
        for begin in range(0, len(indices), size):
            yield self._batch(evaluation, self.records[indices[begin : begin + size]])

    def _batch(self, evaluation: Evaluation, records: Array) -> Batch:
        packed = records.copy()
        packed[:, 0] &= 1
        features = evaluation.features([packed.tobytes()])
        count = len(records)
        return Batch(
            counts=np.frombuffer(features.counts, "<i2").reshape(count, -1).astype(np.float32),
            phases=np.frombuffer(features.phases, "<u2").astype(np.float32) / 256,
            pattern_indices=np.frombuffer(features.pattern_indices, "<u4").reshape(count, -1, 2),
            results=(records[:, 0] >> RESULT & 3).astype(np.float32) / 2,
        )
