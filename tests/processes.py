"""Helpers for tests that start processes: wait for their end, and interrupt a Python program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.timeouts import ended_when_late, wait_until


def is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie, which waits for its parent, does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:  # the process has just ended, or the system has no /proc
        return not Path("/proc/self").exists()


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended."""
    wait_until(lambda: not is_running(pid), f"process {pid} still runs")


def interrupt(program: str, first_line: str, *, after: float = 0.0) -> list[str]:
    """Run a Python program, interrupt it `after` seconds from its first line, and return its standard error.

    The first line must be `first_line`. A program that does not end in time is killed.
    """
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([sys.executable, "-c", program], stdout=pipe, stderr=pipe, encoding="utf-8") as process,
        ended_when_late(process),
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == f"{first_line}\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode != 0
    return errors.splitlines()
