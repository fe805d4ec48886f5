"""Fixtures for tests that run at a terminal and over pipes."""

from __future__ import annotations

import pytest

from tablemen.transcript import run
from tablemen.transcript.process import PipeProcess, TerminalProcess


@pytest.fixture(params=[TerminalProcess, PipeProcess])
def either_channel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test at a terminal, and over pipes as on systems without pseudo-terminals."""
    monkeypatch.setattr(run, "start_process", request.param)
