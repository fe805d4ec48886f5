"""Solving many positions of the Kalah family by tasks for an executor, each of which writes a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from tablemen._core import MancalaPosition as Position
from tablemen.errors import ArgumentError
from tablemen.mancala.solver import Solution, check_numbers, check_position, solve_all, to_solution
from tablemen.tasks import FileTask, OnTasks, format_rows, has_rows, name_file, read_rows, run_tasks, split, write_input
from tablemen.validation import is_int

KIND = "solution"
DEFAULT_POSITIONS_PER_TASK = 100


def solve_in_tasks(  # noqa: PLR0913 - all but the positions, the executor and the folder are options
    positions: Sequence[Position],
    *,
    executor: Executor,
    folder: str | os.PathLike[str],
    each_move: bool = True,
    threads: int = 1,
    table_mb: int = 512,
    layers_mb: int | None = None,
    cache: bool = True,
    positions_per_task: int = DEFAULT_POSITIONS_PER_TASK,
    on_tasks: OnTasks | None = None,
) -> list[Solution]:
    """Solve positions by tasks of an executor, and return their solutions in the same order.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from dataclasses import replace
    >>> from tempfile import TemporaryDirectory
    >>> from tablemen.mancala import KALAH
    >>> start = Position.start(replace(KALAH, name="small", houses=3, seeds=2))
    >>> with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as executor:
    ...     (solution,) = solve_in_tasks([start], executor=executor, folder=folder)
    >>> solution.value
    4

    The values are those of `solve_all`; `nodes` is 0. The `folder`, which all workers must see, has the positions and
    the values of the tasks: a call that is repeated uses those that exist. A task solves `positions_per_task`
    positions, and the other options are those of `solve_all` in each task. `on_tasks` is called with the progress.

    Raises `UnsolvableError` as `solve` does, `TaskError` if a task is lost, and `OSError`.
    """
    check_numbers(threads=threads, table_mb=table_mb, layers_mb=layers_mb)
    if not is_int(positions_per_task, minimum=1):
        raise ArgumentError("positions_per_task", positions_per_task, "a whole number of at least 1")
    for index, position in enumerate(positions):
        check_position(f"positions[{index}]", position)
    started = perf_counter()
    options = {
        "each_move": each_move,
        "threads": threads,
        "table_mb": table_mb,
        "layers_mb": layers_mb,
        "cache": cache,
    }
    parts = split(positions, positions_per_task)
    tasks = (_create_task(part, Path(folder), options) for part in parts)
    found: list[Solution] = []
    for part, task in zip(parts, run_tasks(tasks, executor, total=len(parts), on_progress=on_tasks), strict=True):
        for position, row in zip(part, read_rows(task.path), strict=True):
            found.append(_parse_solution(position, row, each_move=each_move))
    time = perf_counter() - started
    return [replace(each, time=time) for each in found]


def _create_task(part: Sequence[Position], folder: Path, options: dict[str, Any]) -> FileTask:
    rules = tuple(position.variant for position in part)
    source = write_input(folder, [[position.text() for position in part], list(map(repr, rules))])
    path = name_file(folder, KIND, [source.stem, options["each_move"]])
    name = f"the solution of {len(part)} positions ({path.stem})"
    return FileTask(name, path, solve_task, (str(source), rules, options), has_rows)


def solve_task(source: str, rules: tuple[Any, ...], options: dict[str, Any]) -> bytes:
    """Solve the positions of an input file, and return the rows of their values."""
    texts = read_rows(Path(source))[0]
    positions = [Position.from_text(text, each) for text, each in zip(texts, rules, strict=True)]
    return format_rows(map(_serialize_solution, solve_all(positions, **options)))


def _serialize_solution(solution: Solution) -> list[object]:
    """Return the value and the values of the moves, by their houses, or only those of the best ones."""
    moves = solution.values or dict.fromkeys(solution.best, solution.value)
    return [solution.value, [[move.house, value] for move, value in moves.items()]]


def _parse_solution(position: Position, row: list[Any], *, each_move: bool) -> Solution:
    value, found = row
    moves = {move.house: move for move in position.legal_moves()}
    return to_solution(value, {moves[house]: known for house, known in found}, 0, 0, each_move=each_move)
