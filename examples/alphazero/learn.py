"""Learn Kalah by self-play: `python -m examples.alphazero.learn --minutes 10 --out learnt`.

Each iteration plays games with the present network, and then trains it with the positions of the last iterations. The
folder has the weights to play with, the learning curve, and a checkpoint from which the same command continues.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from examples.alphazero.curve import Figures, LearningCurve, format_csv
from examples.alphazero.kalah import KalahEvaluator, create_shape, encode, find_legal, write_weights
from examples.alphazero.measure import TEST_POSITIONS, TestPositions, measure, measure_baselines
from examples.alphazero.network import (
    NETWORKS,
    VALUE_WEIGHT,
    Arrays,
    Batch,
    Loss,
    Network,
    Shape,
    create_learner,
    read_arrays,
    select_arrays,
    write_arrays,
    write_bytes,
)
from examples.alphazero.selfplay import Samples, SelfPlaySettings, SelfPlayTask
from tablemen.errors import TablemenError
from tablemen.process_pool import ProcessPool

CHECKPOINT, WEIGHTS, CURVE, PICTURE = "checkpoint.npz", "weights.npz", "curve.csv", "curve.svg"
FIRST_MEASURED = (1, 2, 5)  # iterations, besides those at the interval
GAMES_PER_TASK = 128  # the results do not depend on the number of workers
LEVELS = ("random", "minimax:depth=1", "searcher:depth=3")  # in the picture


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What decides the result of learning, apart from its duration."""

    seed: int = 1
    play: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    hidden: int = 256
    blocks: int = 2
    network: str = NETWORKS[0]
    games: int = 512  # in an iteration
    window: int = 20  # iterations whose positions are used
    batch: int = 256
    uses: int = 6  # how often each position is used, on average
    rate: float = 2e-3  # the learning rate of the first iteration …
    rate_half: int = 20  # … which is divided by √2 after this number of iterations, by √3 after twice that
    test_positions: int = TEST_POSITIONS  # of each kind
    test_simulations: int = 100
    measured_iterations: int = 10  # the interval of measurements

    def create_shape(self) -> Shape:
        """Return the shape of the network."""
        return create_shape(self.play.rules, hidden=self.hidden, blocks=self.blocks)

    def rate_of(self, iteration: int) -> float:
        """Return the learning rate of an iteration."""
        return self.rate / math.sqrt(1 + iteration / self.rate_half)


class Learning:
    """Learning in progress. The same settings give the same weights after the same number of iterations."""

    def __init__(self, settings: Settings, folder: Path, *, executor: Executor | None = None) -> None:
        """Begin, or continue from the checkpoint in the folder.

        Raises `TablemenError` if the checkpoint is damaged or has other settings, and `OSError`.
        """
        self.settings = settings
        self.folder = folder
        self.shape = settings.create_shape()
        self.learner = create_learner(settings.network, self.shape, settings.seed)
        self.iteration = 0
        self.seconds = 0.0  # of playing and training, without measurements …
        self.cpu_seconds = 0.0  # … and the CPU time of all processes, which hardly depends on the load of the machine
        self.rows: list[Figures] = []
        self.parts: list[Samples] = []  # of the last iterations
        self._loss: Loss | None = None  # of the last iteration
        self._executor = executor
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._read_checkpoint()
        self.tests = TestPositions.create(settings.play.rules, count=settings.test_positions)
        self._excluded = self.tests.observed()

    @property
    def evaluator(self) -> KalahEvaluator:
        """The present network, for playing."""
        return KalahEvaluator(self._create_network(), self.settings.play.rules)

    def run_iteration(self) -> Loss:
        """Play games, train the network and write a checkpoint; return the mean loss."""
        begun, cpu_begun = time.monotonic(), time.process_time()
        self.parts = [*self.parts, self._play()][-self.settings.window :]
        loss = self._loss = self._train()
        self.iteration += 1
        self.seconds += time.monotonic() - begun
        self.cpu_seconds += time.process_time() - cpu_begun
        if self.iteration % self.settings.measured_iterations == 0 or self.iteration in FIRST_MEASURED:
            self._measure(loss)
        self._write_checkpoint()
        return loss

    def _play(self) -> Samples:
        """Play the games of an iteration, without the test positions."""
        settings, weights = self.settings, self.learner.weights()
        tasks = [
            SelfPlayTask(
                settings.play,
                settings.network,
                self.shape,
                weights,
                min(GAMES_PER_TASK, settings.games - begin),
                f"{settings.seed} {self.iteration} {begin}",
            )
            for begin in range(0, settings.games, GAMES_PER_TASK)
        ]
        if self._executor is None:
            played = [task.run() for task in tasks]
        else:
            played = list(self._executor.map(SelfPlayTask.run, tasks))
            self.cpu_seconds += sum(seconds for _, seconds in played)
        samples = Samples.join([part for part, _ in played])
        return samples.select(np.array([row.tobytes() not in self._excluded for row in samples.observations], bool))

    def _train(self) -> Loss:
        """Train with random batches of the positions in the window."""
        settings = self.settings
        samples = Samples.join(self.parts)
        if not len(self.parts[-1]):
            raise TablemenError("the games had only test positions, which are not learnt: use fewer test positions")
        random = np.random.default_rng((settings.seed, self.iteration))
        steps = math.ceil(settings.uses * len(self.parts[-1]) / settings.batch)
        rate = settings.rate_of(self.iteration)
        losses = []
        for _ in range(steps):
            chosen = samples.select(random.integers(len(samples), size=settings.batch))
            losses.append(self.learner.step(create_batch(chosen), rate))
        return Loss(*(sum(parts) / len(losses) for parts in zip(*losses, strict=True)))

    def finish(self) -> None:
        """Measure the present network if that was not done, and draw the curve.

        Raises `TablemenError` before the first iteration.
        """
        if self._loss is None:
            raise TablemenError("nothing was learnt yet: run an iteration first")
        if self.rows[-1].iteration != self.iteration:
            self._measure(self._loss)
        write_bytes(self.folder / PICTURE, self.curve().svg().encode())

    def curve(self) -> LearningCurve:
        """Return the learning curve, with the levels of a few players. Raises `TablemenError` before it has a row."""
        rules, simulations = self.settings.play.rules, self.settings.test_simulations
        levels = {name: share for name, (share, _) in measure_baselines(self.tests, LEVELS).items()}
        title = f"Optimal moves in Kalah({rules.houses},{rules.seeds}); search: {simulations} simulations"
        return LearningCurve(tuple(self.rows), title, levels)

    def _measure(self, loss: Loss) -> None:
        """Add a row to the learning curve, and write the curve and the weights."""
        found = measure(self.evaluator, self.tests, self.settings.test_simulations)
        games = self.iteration * self.settings.games
        self.rows.append(
            Figures(self.seconds / 60, self.cpu_seconds / 60, self.iteration, games, loss.policy, loss.value, **found)
        )
        write_weights(self.folder / WEIGHTS, self._create_network(), self.settings.play.rules)
        write_bytes(self.folder / CURVE, format_csv(self.rows).encode())

    def _create_network(self) -> Network:
        return Network(self.shape, self.learner.weights())

    def _write_checkpoint(self) -> None:
        arrays: Arrays = {f"learner.{name}": array for name, array in self.learner.state().items()}
        arrays |= {f"samples.{name}": array for name, array in Samples.join(self.parts).arrays().items()}
        arrays["sizes"] = np.array([len(part) for part in self.parts])
        arrays["rows"] = np.array([astuple(row) for row in self.rows], np.float64)
        arrays["progress"] = np.array([self.iteration, self.seconds, self.cpu_seconds, *(self._loss or ())], np.float64)
        arrays["settings"] = np.array(json.dumps(asdict(self.settings)))
        write_arrays(self.folder / CHECKPOINT, arrays)

    def _read_checkpoint(self) -> None:
        path = self.folder / CHECKPOINT
        arrays = read_arrays(path)
        try:
            found = json.loads(str(arrays["settings"]))
            self._check_settings(path, found)
            self.learner.restore(select_arrays(arrays, "learner"))
            samples = Samples(**select_arrays(arrays, "samples"))
            ends = np.cumsum(arrays["sizes"])
            self.parts = [samples.select(part) for part in np.split(np.arange(len(samples)), ends[:-1])]
            iteration, self.seconds, self.cpu_seconds, *loss = arrays["progress"].tolist()
            self.iteration, self._loss = int(iteration), Loss(*loss)
            self.rows = [Figures(*row[:2], *map(int, row[2:4]), *row[4:]) for row in arrays["rows"].tolist()]
        except TablemenError:
            raise
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise TablemenError(
                f"{path} is not a checkpoint of this program: {error!r}; choose another folder"
            ) from error

    def _check_settings(self, path: Path, found: Any) -> None:
        """Raise `TablemenError` if the checkpoint has other settings."""
        own = json.loads(json.dumps(asdict(self.settings)))
        flat, flat_found = ({**each, **each.get("play", {})} for each in (own, found))
        other = [
            f"{name} is {flat_found.get(name)}, not {value}"
            for name, value in flat.items()
            if name not in {"play", "network"} and flat_found.get(name) != value  # both networks continue either's run
        ]
        if other:
            raise TablemenError(f"{path} has other settings: {', '.join(other)}; use them, or choose another folder")


def create_batch(samples: Samples) -> Batch:
    """Return samples as the network learns them."""
    return Batch(encode(samples.observations), find_legal(samples.observations), samples.policies, samples.values)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    play, whole = SelfPlaySettings(), _parse_whole
    parser = argparse.ArgumentParser(prog="python -m examples.alphazero.learn", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("learnt"), help="folder of the results [%(default)s]")
    parser.add_argument(
        "--minutes", type=_parse_minutes, default=10.0, help="duration, with earlier runs [%(default)s]"
    )
    parser.add_argument("--cpu-minutes", type=_parse_minutes, help="CPU time of all processes, in place of --minutes")
    parser.add_argument("--iterations", type=whole, help="stop after this number of iterations in place of --minutes")
    parser.add_argument("--workers", type=whole, default=os.cpu_count() or 1, help="processes that play [%(default)s]")
    parser.add_argument(
        "--seed", type=_parse_seed, default=1, help="the same seed gives the same iterations [%(default)s]"
    )
    parser.add_argument("--houses", type=whole, default=play.houses, help="houses of a side [%(default)s]")
    parser.add_argument("--seeds", type=whole, default=play.seeds, help="seeds in a house at the start [%(default)s]")
    parser.add_argument("--simulations", type=whole, default=play.simulations, help="for a move [%(default)s]")
    parser.add_argument("--games", type=whole, default=Settings.games, help="in an iteration [%(default)s]")
    parser.add_argument("--hidden", type=whole, default=Settings.hidden, help="units of a layer [%(default)s]")
    parser.add_argument("--blocks", type=whole, default=Settings.blocks, help="residual blocks [%(default)s]")
    parser.add_argument(
        "--test-positions", type=whole, default=Settings.test_positions, help="of each kind [%(default)s]"
    )
    parser.add_argument("--network", choices=NETWORKS, default=NETWORKS[0], help="library [%(default)s]")
    return parser.parse_args(arguments)


def _parse_whole(text: str, minimum: int = 1) -> int:
    number = int(text) if text.isdecimal() else -1
    if number < minimum:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least {minimum}")
    return number


def _parse_seed(text: str) -> int:
    return _parse_whole(text, minimum=0)


def _parse_minutes(text: str) -> float:
    minutes = float(text)
    if not 0 <= minutes < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a number of minutes")
    return minutes


def create_settings(options: argparse.Namespace) -> Settings:
    """Return the settings that the options describe."""
    play = SelfPlaySettings(houses=options.houses, seeds=options.seeds, simulations=options.simulations)
    names = ("seed", "games", "hidden", "blocks", "network", "test_positions")
    return Settings(play=play, **{name: getattr(options, name) for name in names})


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn until the time is over, and print each iteration and measurement."""
    options = parse_arguments(arguments)
    with ExitStack() as stack:
        executor = stack.enter_context(ProcessPool(options.workers)) if options.workers > 1 else None
        learning = Learning(create_settings(options), options.out, executor=executor)
        if learning.iteration:
            print(f"continuing after iteration {learning.iteration}, {learning.seconds / 60:.1f} minutes")
        while not _is_finished(learning, options):
            rows = len(learning.rows)
            loss = learning.run_iteration()
            print(
                f"{learning.seconds / 60:5.1f} min, iteration {learning.iteration}: "
                f"loss {loss.total:.3f} = {loss.policy:.3f} + {VALUE_WEIGHT:g} × {loss.value:.4f}",
                flush=True,
            )
            if len(learning.rows) > rows:
                print(format_row(learning.rows[-1]), flush=True)
        learning.finish()
        print(format_row(learning.rows[-1]))
        for player, shares in measure_baselines(learning.tests).items():
            print(f"{player:>18}: random {shares[0]:.1%}, play {shares[1]:.1%}")
        print(f"the results are in {options.out}: {WEIGHTS}, {CURVE}, {PICTURE}")


def _is_finished(learning: Learning, options: argparse.Namespace) -> bool:
    if options.iterations is not None:
        return learning.iteration >= int(options.iterations)
    if options.cpu_minutes is not None:
        return learning.iteration > 0 and learning.cpu_seconds >= float(options.cpu_minutes) * 60
    return learning.iteration > 0 and learning.seconds >= options.minutes * 60


def format_row(row: Figures) -> str:
    """Describe a measurement in a line."""
    return (
        f"          optimal moves: policy {row.policy_random:.1%} (random), {row.policy_play:.1%} (play); "
        f"search {row.search_random:.1%}, {row.search_play:.1%}"
    )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command continues after the last complete iteration")
    except (TablemenError, OSError) as error:
        sys.exit(str(error))
