"""Fixtures: a process that survives interrupted commands, a data folder, and `tablemen play` at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablemen.cli import group
from tests.cli.terminals import Terminal


@pytest.fixture(autouse=True)
def no_process_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep an interrupted command from ending the test process when other threads are running."""
    monkeypatch.setattr(group, "_exit", lambda context, status: context.exit(status))


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Use an empty folder for saved games, and return it."""
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def terminal(data: Path) -> Iterator[Callable[..., Terminal]]:
    """Return a function that starts `tablemen play` with arguments; the programs are killed after the test."""
    started: list[Terminal] = []

    def start(*arguments: str, stderr_pipe: bool = True, **variables: str) -> Terminal:
        started.append(Terminal("play", *arguments, variables=variables, stderr_pipe=stderr_pipe))
        return started[-1]

    yield start
    for each in started:
        each.close()
