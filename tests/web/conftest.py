"""A server that many tests ask, and programs to play against that are made up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_engines import add_fakes
from tests.web.in_process_server import Running, running

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for a module: with the usual limits, but without patience for positions of Kalah that are hard to solve."""
    with running(tmp_path_factory.mktemp("server"), solve_seconds=0.5) as one:
        yield one


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players called `fake`, which are asked again at once when they have failed."""
    add_fakes(monkeypatch)
    monkeypatch.setattr("tablemen.web.games.opponents.RETRY_INTERVAL", 0.0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what goes over the sockets of a real server as slow; tables, rooms, the store and the rest are quick."""
    for item in items:
        if item.path.is_relative_to(HERE) and "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
