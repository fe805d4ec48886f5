"""The network of `network` in PyTorch, to train and play on a GPU. Weights and checkpoints are the same as with NumPy.

It is chosen by `--network torch`. Without a GPU it runs on the processor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from examples.alphazero.network import (
    BETAS,
    EPSILON,
    LOG_ZERO,
    VALUE_WEIGHT,
    WEIGHT_DECAY,
    Array,
    Arrays,
    Batch,
    Loss,
    Network,
    Shape,
    average_share,
    select_arrays,
)
from tablemen.errors import TablemenError

try:
    import torch
except ImportError as error:
    raise TablemenError("--network torch needs PyTorch, which is not installed: pip install torch") from error


def _choose_device() -> Any:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class TorchModule(torch.nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch may be missing
    """The layers of a shape. `forward` returns the logarithms of the probabilities, and the values."""

    def __init__(self, shape: Shape, weights: Mapping[str, Array]) -> None:
        super().__init__()
        self.shape = shape
        self.arrays = Network(shape, weights).weights.keys()  # checked
        for name in self.arrays:
            parameter = torch.nn.Parameter(torch.tensor(weights[name], dtype=torch.float32))
            self.register_parameter(name.replace(".", "_"), parameter)

    def get(self, name: str) -> Any:
        """Return the parameter with the name that it has in files."""
        return getattr(self, name.replace(".", "_"))

    def _linear(self, name: str, inputs: Any) -> Any:
        return inputs @ self.get(f"{name}.weight") + self.get(f"{name}.bias")

    def forward(self, inputs: Any, legal: Any) -> tuple[Any, Any]:
        """Return the logarithms of the probabilities of the moves, and the values, of each position."""
        hidden = torch.relu(self._linear("input", inputs))
        for number in range(self.shape.blocks):
            inner = torch.relu(self._linear(f"block{number}.first", hidden))
            hidden = torch.relu(hidden + self._linear(f"block{number}.second", inner))
        logits = self._linear("policy", hidden).masked_fill(~legal, LOG_ZERO)
        values = self._linear("value.output", torch.relu(self._linear("value.hidden", hidden)))
        return torch.log_softmax(logits, dim=1), torch.tanh(values[:, 0])


class TorchNetwork:
    """A network for playing."""

    def __init__(self, shape: Shape, weights: Mapping[str, Array]) -> None:
        """Check the weights, and copy them to the GPU if there is one. Raises `TablemenError`."""
        self.shape = shape
        self._device = _choose_device()
        self._module = TorchModule(shape, weights).to(self._device).eval()

    def predict(self, inputs: Array, legal: Array) -> tuple[Array, Array]:
        """Return the probabilities of the moves of each position, 0 for illegal ones, and the values."""
        with torch.inference_mode():
            log_policies, values = self._module(*(torch.from_numpy(each).to(self._device) for each in (inputs, legal)))
            return log_policies.exp().cpu().numpy(), values.cpu().numpy()


class TorchLearner:
    """A network that is trained with AdamW."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self.shape = shape
        self._device = _choose_device()
        self._start(shape.create_weights(seed), shape.create_weights(seed), steps=0)

    def _start(self, weights: Mapping[str, Array], average: Mapping[str, Array], *, steps: int) -> None:
        self._steps = steps
        self._module = TorchModule(self.shape, weights).to(self._device)
        self._average = {name: self._to_device(array) for name, array in Network(self.shape, average).weights.items()}
        self._optimiser = torch.optim.AdamW(
            self._module.parameters(), betas=BETAS, eps=EPSILON, weight_decay=WEIGHT_DECAY
        )

    def _to_device(self, array: Array) -> Any:
        return torch.from_numpy(np.array(array)).to(self._device)

    def step(self, batch: Batch, rate: float) -> Loss:
        """Change the weights by one step of AdamW, and return the loss before it."""
        inputs, legal, policies, targets = (self._to_device(each) for each in batch)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        log_policies, values = self._module(inputs, legal)
        policy = -(policies * log_policies).sum(dim=1).mean()
        value = ((values - targets) ** 2).mean()
        self._optimiser.zero_grad()
        (policy + VALUE_WEIGHT * value).backward()
        self._optimiser.step()
        self._steps += 1
        with torch.no_grad():
            for name, array in self._average.items():
                array.lerp_(self._module.get(name), 1 - average_share(self._steps))
        return Loss(policy.item(), value.item())

    def weights(self) -> Arrays:
        """Return a copy of the average of the weights over the last steps."""
        return {name: array.cpu().numpy().copy() for name, array in self._average.items()}

    def state(self) -> Arrays:
        """Return the weights, their averages, the moments of AdamW, and the number of steps."""
        arrays: Arrays = {"steps": np.array(self._steps)}
        for name, average in self._average.items():
            parameter = self._module.get(name)
            moments = self._optimiser.state.get(parameter) or {}
            for part, tensor in (
                ("now", parameter.detach()),
                ("average", average),
                ("mean", moments.get("exp_avg", torch.zeros_like(average))),
                ("square", moments.get("exp_avg_sq", torch.zeros_like(average))),
            ):
                arrays[f"{part}.{name}"] = tensor.cpu().numpy().copy()
        return arrays

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from a state. Raises `TablemenError` if it does not fit."""
        steps = int(state["steps"])
        means, squares = (Network(self.shape, select_arrays(state, part)).weights for part in ("mean", "square"))
        self._start(select_arrays(state, "now"), select_arrays(state, "average"), steps=steps)
        for name in means:
            self._optimiser.state[self._module.get(name)] = {
                "step": torch.tensor(float(steps)),
                "exp_avg": self._to_device(means[name]),
                "exp_avg_sq": self._to_device(squares[name]),
            }
