"""Work in threads that do not keep the program from ending."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["in_daemon"]

T = TypeVar("T")


def in_daemon(work: Callable[[], T]) -> asyncio.Future[T]:
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
