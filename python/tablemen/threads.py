"""Daemon threads, which do not keep the program from exiting, and threads of low priority."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["RETRY_INTERVAL", "call_after", "low_priority_executor", "run_in_daemon_thread", "stop_until_done"]

T = TypeVar("T")

NICENESS = 10  # of threads of low priority
RETRY_INTERVAL = 0.05  # seconds between stop requests; an early one may come before the work has started


def run_in_daemon_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Run a function in a daemon thread, and return a future for its result."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def resolve(setter: Callable[[Any], None], value: object) -> None:
        if not future.done():
            setter(value)

    def run() -> None:
        try:
            result: tuple[Callable[[Any], None], object] = (future.set_result, work())
        except StopIteration:  # not allowed as the exception of a future
            result = (future.set_exception, RuntimeError("the work raised StopIteration"))
        except BaseException as error:  # noqa: BLE001 - awaiting the future raises it
            result = (future.set_exception, error)
        with contextlib.suppress(RuntimeError):  # the event loop is closed
            loop.call_soon_threadsafe(resolve, *result)

    threading.Thread(target=run, daemon=True).start()
    return future


def low_priority_executor(size: int, name: str) -> ThreadPoolExecutor:
    """Create a pool of low-priority threads; searches started from it inherit the priority."""
    return ThreadPoolExecutor(size, name, initializer=_lower_priority)


def _lower_priority() -> None:
    if sys.platform == "linux":  # other systems have no priorities of single threads
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@contextlib.contextmanager
def call_after(function: Callable[[], object], *, after: float) -> Iterator[None]:
    """Call a function `after` seconds from the start of the block, then every `RETRY_INTERVAL` until its end."""
    is_over = threading.Event()

    def call() -> None:
        wait = min(after, threading.TIMEOUT_MAX)
        while not is_over.wait(wait):
            function()
            wait = RETRY_INTERVAL

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


async def stop_until_done(future: asyncio.Future[Any], stop: Callable[[], object], seconds: float) -> bool:
    """Call `stop` until a future is done, since a single call may come too early; return whether it is done in time."""
    now = asyncio.get_running_loop().time
    ends = now() + seconds
    while not future.done() and now() < ends:
        stop()
        await asyncio.wait([future], timeout=RETRY_INTERVAL)
    return future.done()
