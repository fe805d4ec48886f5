"""Processes that were started: whether they are still there."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from tests.protocols.patience import LONG


def is_running(number: int) -> bool:
    """Whether a process does anything: what has ended may wait for its parent."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for_end(number: int) -> None:
    """Until there is no such process."""
    ends = time.monotonic() + LONG
    while is_running(number):
        assert time.monotonic() < ends, f"process {number} goes on"
        time.sleep(0.01)
