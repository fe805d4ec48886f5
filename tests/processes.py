"""Processes that were started: whether they are still there, and one that Ctrl-C ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.timeouts import ended_when_late, wait_until


def is_running(number: int) -> bool:
    """Whether a process does anything: what has ended may wait for its parent."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:  # it has ended just now, or the system has no such files
        return not Path("/proc/self").exists()


def wait_for_end(number: int) -> None:
    """Until there is no such process."""
    wait_until(lambda: not is_running(number), f"process {number} goes on")


def interrupt(program: str, sign: str, *, after: float = 0.0) -> list[str]:
    """The complaints of a Python program that is interrupted so many seconds after it has written the sign.

    One that does not end is killed.
    """
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([sys.executable, "-c", program], stdout=pipe, stderr=pipe, encoding="utf-8") as process,
        ended_when_late(process),
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == f"{sign}\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode != 0
    return said.splitlines()
