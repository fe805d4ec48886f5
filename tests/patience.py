"""How long tests wait, so that what hangs fails, and keeps nobody waiting for ever."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

LONG = 120  # seconds after which something hangs, however busy the machine is

T = TypeVar("T")


def run_in_time(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to; a test fails where it would be waited for in vain."""

    async def run() -> T:
        async with asyncio.timeout(LONG):
            return await work

    return asyncio.run(run())


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Waits until something is so, and says what was not where it never comes."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@contextmanager
def ended_when_late(process: subprocess.Popen[Any]) -> Iterator[None]:
    """A program that goes on for too long in this block is killed, so that whoever reads from it sees its end.

    However the block ends, so does the program.
    """
    try:
        with _killed_when_late(process):
            yield
    finally:
        process.kill()
        process.wait(LONG)


def read_first_line(process: subprocess.Popen[str]) -> str:
    """What a program says first; one that is silent is killed, and has said nothing."""
    assert process.stdout is not None
    with _killed_when_late(process):
        return process.stdout.readline()


@contextmanager
def _killed_when_late(process: subprocess.Popen[Any]) -> Iterator[None]:
    timer = threading.Timer(LONG, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
