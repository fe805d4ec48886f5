"""Fixtures: no exit of the test process, a data folder, and `tablemen play` at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tablemen.cli import group
from tests.cli.terminals import Terminal


@pytest.fixture(autouse=True)
def process_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep an interrupted command from ending the test process when other threads are running."""
    monkeypatch.setattr(group, "_exit", lambda context, status: context.exit(status))


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("TABLEMEN_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def terminal(data: Path) -> Iterator[Callable[..., Terminal]]:
    """Return a function that starts `tablemen play` with arguments; programs are ended after the test."""
    started: list[Terminal] = []

    def start(*arguments: str, has_errors_apart: bool = True, **variables: str) -> Terminal:
        started.append(Terminal("play", *arguments, variables=variables, has_errors_apart=has_errors_apart))
        return started[-1]

    yield start
    for each in started:
        each.close()
