"""Commands of tablemen as subprocesses that do not outlive their test."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from tests.timeouts import ended_when_late

COMMAND = (sys.executable, "-m", "tablemen")


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start the command with pipes for all streams; kill it if it runs for too long."""
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as program,
        ended_when_late(program),
    ):
        yield program
