"""Sessions at the table, a file each: here they run as commands at a terminal, which takes its time."""

from __future__ import annotations

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.slow)
