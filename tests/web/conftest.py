"""A server that many tests ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.running import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for a module: with the usual limits, but without patience for positions of Kalah that are hard to solve."""
    with running(tmp_path_factory.mktemp("server"), solve_seconds=0.5) as one:
        yield one
