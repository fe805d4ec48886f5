"""Work in threads that do not keep the program from ending."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

__all__ = ["RETRY_INTERVAL", "call_after", "run_in_daemon_thread"]

T = TypeVar("T")

RETRY_INTERVAL = 0.05  # seconds, after which somebody is told once more to stop: perhaps he was just about to begin


def run_in_daemon_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """What the work comes to, in a thread that ends with the program, however long the work would still take."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(settled: Callable[[Any], None], value: object) -> None:
        if not future.done():
            settled(value)

    def run() -> None:
        try:
            ended: tuple[Callable[[Any], None], object] = (future.set_result, work())
        except StopIteration:  # which no future takes
            ended = (future.set_exception, RuntimeError("the work raised StopIteration"))
        except BaseException as error:  # noqa: BLE001 - it is raised where the work is awaited
            ended = (future.set_exception, error)
        with contextlib.suppress(RuntimeError):  # a loop that has ended waits for nothing
            loop.call_soon_threadsafe(settle, *ended)

    threading.Thread(target=run, daemon=True).start()
    return future


@contextlib.contextmanager
def call_after(function: Callable[[], object], *, after: float) -> Iterator[None]:
    """The function is called after so many seconds in this block, then again and again, and never behind it."""
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
