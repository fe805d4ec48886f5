"""A residual network with a policy and a value head in NumPy: its gradients, its training and its file."""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tablemen.errors import TablemenError
from tablemen.paths import write_atomically

Array: TypeAlias = NDArray[Any]
Arrays: TypeAlias = dict[str, Array]

VALUE_WEIGHT = 10.0  # of the squared error of the value in the loss: values are small numbers
VALUE_HIDDEN = 32  # units of the hidden layer of the value head
WEIGHT_DECAY = 1e-4
BETAS, EPSILON = (0.9, 0.999), 1e-8  # of Adam
NETWORKS = ("numpy", "torch")
AVERAGE = 0.998  # share of the averaged weights that stays after a step
ABOUT = "about"  # the array of a file that has the shape and other facts
LOG_ZERO = -1e9  # the logit of an illegal move


class Shape(NamedTuple):
    """The size of a network: numbers of inputs and moves, units of a hidden layer, and residual blocks."""

    inputs: int
    moves: int
    hidden: int = 256
    blocks: int = 2

    def layers(self) -> dict[str, tuple[int, int]]:
        """Return the numbers of inputs and outputs of every linear layer."""
        return {
            "input": (self.inputs, self.hidden),
            **{
                f"block{number}.{part}": (self.hidden,) * 2
                for number in range(self.blocks)
                for part in ("first", "second")
            },
            "policy": (self.hidden, self.moves),
            "value.hidden": (self.hidden, VALUE_HIDDEN),
            "value.output": (VALUE_HIDDEN, 1),
        }

    def create_weights(self, seed: int) -> Arrays:
        """Return random weights; those of the heads and of the ends of blocks are small."""
        random = np.random.default_rng(seed)
        weights: Arrays = {}
        for name, (inputs, outputs) in self.layers().items():
            scale = math.sqrt(2 / inputs) * (1.0 if name.endswith(("input", "first", "hidden")) else 0.1)
            weights[f"{name}.weight"] = (random.standard_normal((inputs, outputs)) * scale).astype(np.float32)
            weights[f"{name}.bias"] = np.zeros(outputs, np.float32)
        return weights


class Batch(NamedTuple):
    """Positions to learn from: inputs, which moves are legal, their probabilities, and the values."""

    inputs: Array
    legal: Array
    policies: Array
    values: Array


class Loss(NamedTuple):
    """The mean loss of a batch: cross entropy of the policies, and squared error of the values."""

    policy: float
    value: float

    @property
    def total(self) -> float:
        """The weighted sum, which training minimises."""
        return self.policy + VALUE_WEIGHT * self.value


class Predictor(Protocol):
    """A network for playing."""

    @property
    def shape(self) -> Shape:
        """The size of the network."""
        ...

    def predict(self, inputs: Array, legal: Array) -> tuple[Array, Array]:
        """Return the probabilities of the moves of each position, 0 for illegal ones, and the values."""
        ...


class Learner(Protocol):
    """A network in training. `state` has all arrays that training continues from, `weights` those to play with."""

    def step(self, batch: Batch, rate: float) -> Loss:
        """Change the weights by one step of gradient descent, and return the loss before it."""
        ...

    def weights(self) -> Arrays:
        """Return the average of the weights over the last steps."""
        ...

    def state(self) -> Arrays:
        """Return the weights, their averages and the state of the optimiser."""
        ...

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from a state."""
        ...


class Network:
    """A network for playing, with the weights of a `Shape`."""

    def __init__(self, shape: Shape, weights: Mapping[str, Array]) -> None:
        """Check the weights. Raises `TablemenError` if an array is missing, or has a wrong size or type, or a nan."""
        self.shape = shape
        self.weights: Arrays = {}
        for name, (inputs, outputs) in shape.layers().items():
            for part, size in (("weight", (inputs, outputs)), ("bias", (outputs,))):
                found = weights.get(f"{name}.{part}")
                if found is None or found.shape != size or found.dtype.kind != "f":
                    kind = "missing" if found is None else f"an array of {found.dtype} with the shape {found.shape}"
                    raise TablemenError(f"the weights {name}.{part} are {kind}: expected numbers with the shape {size}")
                if not np.isfinite(found).all():
                    raise TablemenError(f"the weights {name}.{part} contain a value that is not finite")
                self.weights[f"{name}.{part}"] = found

    def predict(self, inputs: Array, legal: Array) -> tuple[Array, Array]:
        """Return the probabilities of the moves of each position, 0 for illegal ones, and the values."""
        pass_ = _ForwardPass(self.shape, self.weights, inputs)
        return np.exp(pass_.log_policies(legal)), pass_.values

    def gradients(self, batch: Batch) -> tuple[Loss, Arrays]:
        """Return the loss of a batch and the gradients of its total."""
        pass_ = _ForwardPass(self.shape, self.weights, batch.inputs)
        size = len(batch.inputs)
        log_policies = pass_.log_policies(batch.legal)
        errors = pass_.values - batch.values
        loss = Loss(-float((batch.policies * log_policies).sum()) / size, float((errors**2).mean()))
        logits = (np.exp(log_policies) * batch.policies.sum(axis=1, keepdims=True) - batch.policies) / size
        outputs = 2 * VALUE_WEIGHT / size * errors * (1 - pass_.values**2)
        return loss, pass_.backward(logits, outputs[:, None])

    def write(self, path: Path, facts: Mapping[str, int | str]) -> None:
        """Write the weights and some facts about them to a file, atomically. Raises `OSError`."""
        about = json.dumps({**facts, **self.shape._asdict()})
        write_arrays(path, {**self.weights, ABOUT: np.array(about)})

    @classmethod
    def read(cls, path: Path) -> tuple[Network, dict[str, Any]]:
        """Read a file that `write` has written: the network and the facts.

        Raises `TablemenError` if the file is damaged or is not such a file, and `OSError`.
        """
        arrays = read_arrays(path)
        try:
            facts = json.loads(str(arrays[ABOUT]))
            shape = Shape(*(int(facts.pop(name)) for name in Shape._fields))
        except (KeyError, TypeError, ValueError) as error:
            raise TablemenError(f"{path} is not a file of weights: choose another file") from error
        try:
            return cls(shape, arrays), facts
        except TablemenError as error:
            raise TablemenError(f"{path} is damaged: {error}") from error


class _ForwardPass:
    """The activations of a batch, from which the gradients are computed."""

    def __init__(self, shape: Shape, weights: Mapping[str, Array], inputs: Array) -> None:
        self.shape, self.network_weights = shape, weights
        self.inputs = inputs
        self.before: list[tuple[Array, Array]] = []  # of each block: its input, and its hidden layer
        hidden = _relu(self._linear("input", inputs))
        for number in range(shape.blocks):
            inner = _relu(self._linear(f"block{number}.first", hidden))
            self.before.append((hidden, inner))
            hidden = _relu(hidden + self._linear(f"block{number}.second", inner))
        self.hidden = hidden
        self.logits = self._linear("policy", hidden)
        self.value_hidden = _relu(self._linear("value.hidden", hidden))
        self.values: Array = np.tanh(self._linear("value.output", self.value_hidden)[:, 0])

    def _linear(self, name: str, inputs: Array) -> Array:
        result: Array = inputs @ self.network_weights[f"{name}.weight"] + self.network_weights[f"{name}.bias"]
        return result

    def log_policies(self, legal: Array) -> Array:
        """Return the logarithms of the probabilities; those of illegal moves are very low."""
        logits = np.where(legal, self.logits, LOG_ZERO)
        logits = logits - logits.max(axis=1, keepdims=True)
        result: Array = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return np.where(legal, result, LOG_ZERO)

    def backward(self, logits: Array, outputs: Array) -> Arrays:
        """Return the gradients of all weights for those of the logits, and of the values before tanh."""
        found: Arrays = {}

        def back(name: str, inputs: Array, gradient: Array) -> Array:
            found[f"{name}.weight"] = inputs.T @ gradient
            found[f"{name}.bias"] = gradient.sum(axis=0)
            result: Array = gradient @ self.network_weights[f"{name}.weight"].T
            return result

        gradient = back("policy", self.hidden, logits)
        value_hidden = back("value.output", self.value_hidden, outputs) * (self.value_hidden > 0)
        gradient = gradient + back("value.hidden", self.hidden, value_hidden)
        after = self.hidden
        for number in reversed(range(self.shape.blocks)):
            before, inner = self.before[number]
            gradient = gradient * (after > 0)
            inner_gradient = back(f"block{number}.second", inner, gradient) * (inner > 0)
            gradient = gradient + back(f"block{number}.first", before, inner_gradient)
            after = before
        back("input", self.inputs, gradient * (after > 0))
        return found


def _relu(inputs: Array) -> Array:
    result: Array = np.maximum(inputs, 0)
    return result


class NumpyLearner:
    """A network that is trained with Adam, on the processor."""

    def __init__(self, shape: Shape, seed: int) -> None:
        self.shape = shape
        weights = shape.create_weights(seed)
        self._steps = 0
        self._network = Network(shape, weights)
        self._average = {name: array.copy() for name, array in weights.items()}
        self._means = {name: np.zeros_like(array) for name, array in weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in weights.items()}

    def step(self, batch: Batch, rate: float) -> Loss:
        """Change the weights by one step of Adam, and return the loss before it."""
        loss, gradients = self._network.gradients(batch)
        self._steps += 1
        first, second = (1 - beta**self._steps for beta in BETAS)
        share = average_share(self._steps)
        for name, gradient in gradients.items():
            array, mean, square = self._network.weights[name], self._means[name], self._squares[name]
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (gradient**2 - square)
            array -= rate * (mean / first / (np.sqrt(square / second) + EPSILON) + WEIGHT_DECAY * array)
            self._average[name] += (1 - share) * (array - self._average[name])
        return loss

    def weights(self) -> Arrays:
        """Return a copy of the average of the weights over the last steps."""
        return {name: array.copy() for name, array in self._average.items()}

    def state(self) -> Arrays:
        """Return the weights, their averages, the moments of Adam, and the number of steps."""
        parts = {"now": self._network.weights, "average": self._average, "mean": self._means, "square": self._squares}
        arrays = {f"{part}.{name}": array for part, group in parts.items() for name, array in group.items()}
        return arrays | {"steps": np.array(self._steps)}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from a state. Raises `TablemenError` if it does not fit."""
        self._steps = int(state["steps"])
        self._network, average, means, squares = (
            Network(self.shape, select_arrays(state, part)) for part in ("now", "average", "mean", "square")
        )
        self._average, self._means, self._squares = average.weights, means.weights, squares.weights


def create_network(name: str, shape: Shape, weights: Mapping[str, Array]) -> Predictor:
    """Return a network for playing: `numpy` or `torch`. Raises `TablemenError` if PyTorch is missing."""
    if name == "numpy":
        return Network(shape, weights)
    from examples.alphazero.torch_network import TorchNetwork  # noqa: PLC0415 - PyTorch is optional

    return TorchNetwork(shape, weights)


def create_learner(name: str, shape: Shape, seed: int) -> Learner:
    """Return a network in training: `numpy` or `torch`. Raises `TablemenError` if PyTorch is missing."""
    if name == "numpy":
        return NumpyLearner(shape, seed)
    from examples.alphazero.torch_network import TorchLearner  # noqa: PLC0415 - PyTorch is optional

    return TorchLearner(shape, seed)


def average_share(steps: int) -> float:
    """Return the share of the averaged weights that stays after a step: less in the first steps."""
    return min(AVERAGE, steps / (steps + 9))


def select_arrays(arrays: Mapping[str, Array], part: str) -> Arrays:
    """Return the arrays whose names begin with a part and a dot, without both."""
    return {name.removeprefix(f"{part}."): array for name, array in arrays.items() if name.startswith(f"{part}.")}


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays to an .npz file, atomically. Raises `OSError`."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # the stub takes the names for options
    write_bytes(path, content.getvalue())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, atomically. Raises `OSError`."""
    write_atomically(path, content, path.with_name(f".{path.name}.{os.getpid()}.part"))


def read_arrays(path: Path) -> Arrays:
    """Read an .npz file, and check its checksums. Raises `TablemenError` if the file is damaged, and `OSError`."""
    content = io.BytesIO(path.read_bytes())
    try:
        with zipfile.ZipFile(content) as file:
            for name in file.namelist():
                file.read(name)  # checks the checksum, before NumPy trusts a size
        content.seek(0)
        with np.load(content, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, LookupError, EOFError, RuntimeError, struct.error, zipfile.BadZipFile, zlib.error) as error:
        raise TablemenError(
            f"{path} is damaged, or is not an .npz file ({error}): restore it, or learn again"
        ) from error
