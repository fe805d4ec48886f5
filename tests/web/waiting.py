"""Waits that come to an end: what hangs fails, and keeps nobody waiting for ever."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

LONG = 120  # seconds after which something hangs, however busy the machine is

T = TypeVar("T")


def run_to_end(scene: Coroutine[Any, Any, T]) -> T:
    """What a scene gives; fails where it does not end."""
    return asyncio.run(asyncio.wait_for(scene, LONG))


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Waits until something is so, and says what was not where it never comes."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def read_first_line(process: subprocess.Popen[str]) -> str:
    """What a program says first; one that is silent is killed, and has said nothing."""
    assert process.stdout is not None
    silence = threading.Timer(LONG, process.kill)
    silence.start()
    try:
        return process.stdout.readline()
    finally:
        silence.cancel()
