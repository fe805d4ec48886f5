"""Where a database is kept."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database in a folder that is not there yet."""
    return tmp_path / "folder" / "games.sqlite"
