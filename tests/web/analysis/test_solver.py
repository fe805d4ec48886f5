"""The limits of the solver."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablemen.mancala import NORTH, SOUTH, Position, Progress
from tablemen.web.analysis.solver import CancelToken, Solver
from tablemen.web.settings import Settings

# Thirty seeds in the houses. It is solved quickly; without a limit, the tables have 1.35 million positions.
MIDDLE = Position(
    "kalah",
    SOUTH,
    houses={SOUTH: [3, 1, 4, 1, 5, 1], NORTH: [2, 6, 1, 3, 2, 1]},
    stores={SOUTH: 10, NORTH: 8},
)


def solve_within(tmp_path: Path, position: Position, seconds: float, **limits: Any) -> object:
    with ThreadPoolExecutor(1) as executor:
        solver = Solver(Settings(database=tmp_path / "games.sqlite", **limits), executor)
        return solver._solve(position, seconds, CancelToken())


def test_the_size_of_tables_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEMEN_CACHE", str(tmp_path / "cache"))
    assert solve_within(tmp_path, MIDDLE, 60, solve_layers_mb=1)
    assert sum(file.stat().st_size for file in (tmp_path / "cache").iterdir()) < 1_000_000


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ([Progress(1.0, layer=1), Progress(2.0, layer=2), Progress(3.5, layer=3), Progress(3.6)], 3),
        ([Progress(1.0, layer=1), Progress(2.0, layer=2), Progress(4.5), Progress(5.5)], 4),
    ],
)
def test_a_layer_that_takes_too_long_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: list[Progress], count: int
) -> None:
    """Stop before a layer that would exceed the time limit, since a layer cannot be interrupted."""
    reported: list[Progress] = []

    def solve(_position: Position, *, on_progress: Callable[[Progress], None], **_options: object) -> None:
        for progress in steps:
            reported.append(progress)
            on_progress(progress)

    monkeypatch.setattr("tablemen.mancala.solver.solve", solve)
    assert solve_within(tmp_path, MIDDLE, 60, solve_seconds=4.9) is None
    assert reported == steps[:count]
