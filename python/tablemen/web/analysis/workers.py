"""Threads for long work, which let those go first that answer somebody."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

NICENESS = 10


def make_workers(count: int, name: str) -> ThreadPoolExecutor:
    """So many threads; the searches that they begin are as modest as they are."""
    return ThreadPoolExecutor(count, name, initializer=_be_modest)


def _be_modest() -> None:
    if sys.platform == "linux":  # elsewhere threads cannot differ in this
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
