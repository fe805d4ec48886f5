"""The fit on a GPU with PyTorch, for millions of positions and large pattern tables."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablemen.draughts.evaluation import Evaluation
from tools.tune.data import Array, Data
from tools.tune.model import Model

CHUNK = 65_536  # positions whose features are computed at a time


def torch_with_gpu() -> Any:
    """Return the module torch, or None if it is not installed or finds no GPU."""
    try:
        import torch  # noqa: PLC0415 - optional, and slow to import
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


@dataclass(frozen=True)
class Tensors:
    """The fields of `Batch` for many positions, on the GPU."""

    counts: Any
    phases: Any
    pattern_indices: Any
    targets: Any


@dataclass(frozen=True)
class OptimiserSettings:
    """The settings of the optimiser."""

    batch_size: int
    penalties: tuple[float, float]  # the strength of the penalty for weights, and for patterns


class GpuFit:
    """The weights and all positions on the GPU."""

    def __init__(
        self, torch: Any, data: Data, evaluation: Evaluation, model: Model, settings: OptimiserSettings
    ) -> None:
        self._batch_size = settings.batch_size
        self._torch = torch
        self._training = self._load(data, evaluation, data.indices(held_out=False))
        self._validation = self._load(data, evaluation, data.indices(held_out=True))
        self._weights = [torch.tensor(array, device="cuda", requires_grad=True) for array in model.arrays()]
        self._initial = [weights.detach().clone() for weights in self._weights]
        self._penalties = settings.penalties
        self._adam = torch.optim.Adam(self._weights, lr=0.01)

    def epoch(self, slope: float, rate: float, seed: int) -> float:
        """Train on every position once, and return the loss on held-out positions."""
        torch = self._torch
        for group in self._adam.param_groups:
            group["lr"] = rate
        generator = torch.Generator(device="cuda").manual_seed(seed)
        order = torch.randperm(len(self._training.targets), generator=generator, device="cuda")
        for begin in range(0, len(order), self._batch_size):
            self._adam.zero_grad()
            penalties = zip(self._penalties, self._weights, self._initial, strict=True)
            total_penalty = sum(
                penalty * (weights - initial).square().sum() / 2 for penalty, weights, initial in penalties
            )
            loss = self._loss(self._training, order[begin : begin + self._batch_size], slope).mean()
            (loss + total_penalty).backward()
            self._adam.step()
        with torch.no_grad():
            count = len(self._validation.targets)
            parts = torch.arange(count, device="cuda").split(CHUNK)
            total = sum(float(self._loss(self._validation, part, slope).sum()) for part in parts)
        return total / max(1, count)

    def model(self) -> Model:
        """Return the current weights."""
        features, tables = (weights.detach().cpu().numpy() for weights in self._weights)
        return Model(features.copy(), tables.copy())

    def _loss(self, tensors: Tensors, rows: Any, slope: float) -> Any:
        features, tables = self._weights
        counts, indices = tensors.counts[rows].float(), tensors.pattern_indices[rows].long()
        by_phase = counts @ features.T
        if tables.shape[1]:
            by_phase = by_phase + (tables[:, indices[:, :, 0]] - tables[:, indices[:, :, 1]]).sum(dim=2).T
        phase = tensors.phases[rows]
        values = phase * by_phase[:, 0] + (1 - phase) * by_phase[:, 1]
        loss = self._torch.nn.functional.binary_cross_entropy_with_logits
        return loss(slope * values, tensors.targets[rows], reduction="none")

    def _load(self, data: Data, evaluation: Evaluation, indices: Array) -> Tensors:
        """Copy the features of the records with these indices to the GPU."""
        parts = np.array_split(indices, max(1, len(indices) // CHUNK))

        def load(part: Array) -> tuple[Array, Array, Array, Array]:
            batch = next(data.batches(evaluation, part, len(part)))
            return batch.counts.astype(np.int8), batch.phases, batch.pattern_indices.astype(np.int32), batch.targets

        with ThreadPoolExecutor() as pool:
            loaded = list(pool.map(load, parts))
        print(f"loaded {len(indices)} positions on the GPU", file=sys.stderr)
        joined = (np.concatenate(arrays) for arrays in zip(*loaded, strict=True))
        return Tensors(*(self._torch.from_numpy(array).cuda() for array in joined))
