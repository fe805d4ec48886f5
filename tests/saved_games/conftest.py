"""Fixtures for the tests of saved games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen.saved_games import SavedGames


@pytest.fixture
def saved(tmp_path: Path) -> SavedGames:
    return SavedGames(tmp_path / "deep" / "games")
