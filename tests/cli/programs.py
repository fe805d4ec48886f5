"""Commands of tablemen as processes: none of them outlasts its test, and none is waited for in vain."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator

from tests.patience import ended_when_late

COMMAND = (sys.executable, "-m", "tablemen")


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command, with pipes for all that it reads and writes; it is killed where it goes on for too long."""
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, text=True) as program,
        ended_when_late(program),
    ):
        yield program
