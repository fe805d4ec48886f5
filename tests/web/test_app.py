"""The server put together: whatever fails at its end, the games are closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablemen.web.app import create_app
from tablemen.web.games.store import Store
from tablemen.web.settings import Settings
from tests.patience import run_in_time


def test_games_are_closed_whatever_fails_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail() -> None:
        raise RuntimeError("an analysis does not end")

    async def run() -> None:
        app = create_app(Settings(database=tmp_path / "games.sqlite"))
        async with app.router.lifespan_context(app):
            close = app.state.analyst.close
            monkeypatch.setattr(app.state.analyst, "close", fail)
        await close()

    with pytest.raises(RuntimeError, match="does not end"):
        run_in_time(run())
    again = Store(tmp_path / "games.sqlite")
    again.open()  # nobody has it
    again.close()
