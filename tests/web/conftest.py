"""Fixtures: a server for each test module, and fake players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_engines import add_fakes
from tests.web.in_process_server import Running, running

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a server for a module, with the default limits but a short time limit of the solver."""
    with running(tmp_path_factory.mktemp("server"), solve_seconds=0.5) as one:
        yield one


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register fake players, which can be restarted without delay after a failure."""
    add_fakes(monkeypatch)
    monkeypatch.setattr("tablemen.web.games.opponents.RETRY_INTERVAL", 0.0)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests that use the server fixture as slow."""
    for item in items:
        if item.path.is_relative_to(HERE) and "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
