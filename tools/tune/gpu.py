"""The same fit on a graphics processor, where PyTorch finds one: for millions of positions and tables of patterns."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tablemen.draughts.evaluation import Evaluation
from tools.tune.data import Array, Data
from tools.tune.model import Model

CHUNK = 65_536  # positions whose features are made at a time


def torch_with_gpu() -> Any:
    """PyTorch, or None where it is not there or finds no graphics processor."""
    try:
        import torch  # noqa: PLC0415 - it is not needed, and slow to import
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


@dataclass(frozen=True)
class Tensors:
    """What `Batch` has, for many positions, on the processor."""

    counts: Any
    shares: Any
    looks: Any
    results: Any


@dataclass(frozen=True)
class Steps:
    """How steps are made."""

    batch_size: int
    pulls: tuple[float, float]  # how strongly weights are held to where they were begun, those of patterns last


class GpuFit:
    """Weights on the processor, and positions to learn from and to test with."""

    def __init__(self, torch: Any, data: Data, evaluation: Evaluation, model: Model, how: Steps) -> None:
        self._batch_size = how.batch_size
        self._torch = torch
        self._learnt = self._load(data, evaluation, data.indices(held_out=False))
        self._tested = self._load(data, evaluation, data.indices(held_out=True))
        self._weights = [torch.tensor(array, device="cuda", requires_grad=True) for array in model.arrays()]
        self._begun = [weights.detach().clone() for weights in self._weights]
        self._pulls = how.pulls
        self._adam = torch.optim.Adam(self._weights, lr=0.01)

    def epoch(self, slope: float, rate: float, seed: int) -> float:
        """Learn from every position once, and give the loss on those that were held out."""
        torch = self._torch
        for group in self._adam.param_groups:
            group["lr"] = rate
        chance = torch.Generator(device="cuda").manual_seed(seed)
        order = torch.randperm(len(self._learnt.results), generator=chance, device="cuda")
        for begin in range(0, len(order), self._batch_size):
            self._adam.zero_grad()
            pulls = zip(self._pulls, self._weights, self._begun, strict=True)
            pulled = sum(pull * (weights - begun).square().sum() / 2 for pull, weights, begun in pulls)
            (self._loss(self._learnt, order[begin : begin + self._batch_size], slope).mean() + pulled).backward()
            self._adam.step()
        with torch.no_grad():
            count = len(self._tested.results)
            parts = torch.arange(count, device="cuda").split(CHUNK)
            total = sum(float(self._loss(self._tested, part, slope).sum()) for part in parts)
        return total / max(1, count)

    def model(self) -> Model:
        """The weights now."""
        plain, tables = (weights.detach().cpu().numpy() for weights in self._weights)
        return Model(plain.copy(), tables.copy())

    def _loss(self, tensors: Tensors, rows: Any, slope: float) -> Any:
        plain, tables = self._weights
        counts, looks = tensors.counts[rows].float(), tensors.looks[rows].long()
        phases = counts @ plain.T
        if tables.shape[1]:
            phases = phases + (tables[:, looks[:, :, 0]] - tables[:, looks[:, :, 1]]).sum(dim=2).T
        share = tensors.shares[rows]
        values = share * phases[:, 0] + (1 - share) * phases[:, 1]
        loss = self._torch.nn.functional.binary_cross_entropy_with_logits
        return loss(slope * values, tensors.results[rows], reduction="none")

    def _load(self, data: Data, evaluation: Evaluation, indices: Array) -> Tensors:
        """The features of the records with these numbers."""
        parts = np.array_split(indices, max(1, len(indices) // CHUNK))

        def load(part: Array) -> tuple[Array, Array, Array, Array]:
            batch = next(data.batches(evaluation, part, len(part)))
            return batch.counts.astype(np.int8), batch.shares, batch.looks.astype(np.int32), batch.results

        with ThreadPoolExecutor() as pool:
            loaded = list(pool.map(load, parts))
        print(f"{len(indices)} positions on the processor", file=sys.stderr)
        joined = (np.concatenate(arrays) for arrays in zip(*loaded, strict=True))
        return Tensors(*(self._torch.from_numpy(array).cuda() for array in joined))
