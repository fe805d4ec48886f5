"""How long tests wait for the programs that they start, so that none is waited for without end."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LONG = 120  # seconds after which something hangs


@contextmanager
def ended_when_late(process: subprocess.Popen[Any]) -> Iterator[None]:
    """A program that goes on for too long in this block is killed, so that whoever reads from it sees its end.

    However the block ends, so does the program.
    """
    timer = threading.Timer(LONG, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        process.kill()
        process.wait(LONG)
