"""Fixtures for tests of hosted games."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a database in a folder that does not exist yet."""
    return tmp_path / "folder" / "games.sqlite"
