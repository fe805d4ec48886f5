"""The two ways to a program and back."""

from __future__ import annotations

import pytest

from tablemen.transcript import command
from tablemen.transcript.channel import Pipes, Terminal


@pytest.fixture(params=[Terminal, Pipes])
def either_channel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs over a terminal, and over pipes as on systems that have none."""
    monkeypatch.setattr(command, "open_channel", request.param)
