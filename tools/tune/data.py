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
from tools.tune.records import FIRST_OF_GAME, RESULT, SCORE_BYTES, read_file, record_size

Array: TypeAlias = np.ndarray[Any, Any]

HELD_OUT_EVERY = 20  # every 20th game is held out for validation
SCORE_SHARE = 0.5  # the share of the search's score in a target; the rest is the result of the game
SLOPES = np.geomspace(0.05, 5, 60)  # candidates for the slope of the sigmoid, per man
SLOPE_SAMPLE = 65_536  # positions from which the slope of scores is found


@dataclass(frozen=True)
class Batch:
    """Features and targets of some positions. A target is the expected result for the side to move, from 0 to 1."""

    counts: Array  # positions × features
    phases: Array  # the weight of the opening phase, 0 to 1
    pattern_indices: Array  # positions × patterns × 2
    targets: Array


@dataclass(frozen=True)
class Data:
    """All records, one row of bytes each; a position occurs once."""

    rules: DraughtsRules
    records: Array
    games: int
    held_out: Array  # whether a record is held out for validation
    settings: Sequence[dict[str, object]]  # the settings of the games of each file
    slope: float  # that of the expected result as a function of the score, per man

    @classmethod
    def read(cls, paths: Sequence[Path], rules: DraughtsRules) -> Data:
        """Read the records of all files."""
        size = record_size(rules)
        parts, settings = [], []
        for path in paths:
            header, content = read_file(path, rules)
            parts.append(np.frombuffer(content, np.uint8).reshape(-1, size))
            settings.append(header)
        records = np.concatenate(parts)
        if not len(records):
            raise TablemenError(f"no positions in {', '.join(map(str, paths))}")
        game = np.cumsum(records[:, 0] >> FIRST_OF_GAME & 1)
        games, first = int(game[-1]), _find_first(records)
        records, held_out = records[first], game[first] % HELD_OUT_EVERY == 0
        sample = records[:: max(1, len(records) // SLOPE_SAMPLE)]
        return cls(rules, records, games, held_out, settings, find_slope(_scores(sample), _results(sample)))

    def indices(self, *, held_out: bool) -> Array:
        """Return the indices of the records for training, or of those held out."""
        return np.flatnonzero(self.held_out == held_out)

    def targets(self, indices: Array) -> Array:
        """Return the targets of the records with these indices."""
        return self._targets(self.records[indices])

    def _targets(self, records: Array) -> Array:
        targets: Array = SCORE_SHARE * sigmoid(self.slope * _scores(records)) + (1 - SCORE_SHARE) * _results(records)
        return targets

    def batches(self, evaluation: Evaluation, indices: Array, size: int) -> Iterator[Batch]:
        """Yield the records with these indices in batches."""
        for begin in range(0, len(indices), size):
            yield self._batch(evaluation, self.records[indices[begin : begin + size]])

    def _batch(self, evaluation: Evaluation, records: Array) -> Batch:
        packed = records[:, :-SCORE_BYTES].copy()
        packed[:, 0] &= 1
        features = evaluation.features([packed.tobytes()])
        count = len(records)
        return Batch(
            counts=np.frombuffer(features.counts, "<i2").reshape(count, -1).astype(np.float32),
            phases=np.frombuffer(features.phases, "<u2").astype(np.float32) / 256,
            pattern_indices=np.frombuffer(features.pattern_indices, "<u4").reshape(count, -1, 2),
            targets=self._targets(records),
        )


def _find_first(records: Array) -> Array:
    """Return the index of the first record of each position, in order."""
    keys: Array = np.zeros(len(records), np.uint64)
    for column in range(records.shape[1] - SCORE_BYTES):
        values = records[:, column] & 1 if column == 0 else records[:, column]
        keys = (keys ^ values) * np.uint64(0x9E37_79B9_7F4A_7C15)
        keys ^= keys >> np.uint64(29)
    _, first = np.unique(keys, return_index=True)
    return np.sort(first)


def _results(records: Array) -> Array:
    """Return the results for the side to move: 0 (loss), 0.5 (draw) or 1 (win)."""
    results: Array = (records[:, 0] >> RESULT & 3).astype(np.float32) / 2
    return results


def _scores(records: Array) -> Array:
    """Return the scores of the search in men, for the side to move."""
    scores: Array = records[:, -SCORE_BYTES:].copy().view("<i2")[:, 0].astype(np.float32) / 100
    return scores


def sigmoid(logits: Array) -> Array:
    """Return the logistic function of the values."""
    chances: Array = 1 / (1 + np.exp(-np.clip(logits, -60, 60)))
    return chances


def log_loss(probabilities: Array, targets: Array) -> Array:
    """Return the log loss (cross entropy) of each probability."""
    clipped = np.clip(probabilities, 1e-7, 1 - 1e-7)
    losses: Array = -(targets * np.log(clipped) + (1 - targets) * np.log(1 - clipped))
    return losses


def find_slope(values: Array, targets: Array) -> float:
    """Return the slope of the sigmoid for which values in men predict the targets best."""
    losses = [log_loss(sigmoid(slope * values), targets).mean() for slope in SLOPES]
    return float(SLOPES[int(np.argmin(losses))])
