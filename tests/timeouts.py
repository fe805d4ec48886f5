"""Timeouts for tests: a test that hangs fails."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

TIMEOUT = 120  # seconds, long enough for a busy machine

T = TypeVar("T")


def run_in_time(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine; raise `TimeoutError` if it takes too long."""

    async def run() -> T:
        async with asyncio.timeout(TIMEOUT):
            return await work

    return asyncio.run(run())


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds; `what` is the message of the failure if it does not hold in time."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@contextmanager
def ended_when_late(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill a program at the end of the block, or after `TIMEOUT`, so that reading from it does not block."""
    try:
        with _killed_when_late(process):
            yield
    finally:
        process.kill()
        process.wait(TIMEOUT)


def read_first_line(process: subprocess.Popen[str]) -> str:
    """Return the first line of a program's output; kill the program if it prints none in time."""
    assert process.stdout is not None
    with _killed_when_late(process):
        return process.stdout.readline()


@contextmanager
def _killed_when_late(process: subprocess.Popen[Any]) -> Iterator[None]:
    timer = threading.Timer(TIMEOUT, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
