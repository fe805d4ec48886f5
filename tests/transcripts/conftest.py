"""Mark the transcripts of console programs as slow: each runs a command at a terminal."""

from __future__ import annotations

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.slow)
