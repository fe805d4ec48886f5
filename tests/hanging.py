"""Programs that should end: how long a test waits for one, and one that Ctrl-C ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

LONG = 300.0  # seconds after which something hangs


def interrupt(program: str, sign: str, *, after: float = 0.0) -> list[str]:
    """The complaints of a Python program that is interrupted so many seconds after it has written the sign.

    One that does not end is killed.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    late = threading.Timer(LONG, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"{sign}\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    finally:
        late.cancel()
        process.kill()
        process.wait()
    assert process.returncode != 0
    return said.splitlines()
