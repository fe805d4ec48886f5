"""The application's shutdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen.web.app import create_app
from tablemen.web.games.store import Store
from tablemen.web.settings import Settings
from tests.timeouts import run_in_time


def test_games_are_closed_even_if_closing_analyses_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise RuntimeError("not closed")

    async def run() -> None:
        app = create_app(Settings(database=tmp_path / "games.sqlite"))
        async with app.router.lifespan_context(app):
            close = app.state.analysis.close
            monkeypatch.setattr(app.state.analysis, "close", fail)
        await close()

    with pytest.raises(RuntimeError, match="not closed"):
        run_in_time(run())
    again = Store(tmp_path / "games.sqlite")
    again.open()  # fails if the server has it open
    again.close()
