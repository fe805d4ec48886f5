"""An event loop in a thread of its own, for those who do without asyncio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

T = TypeVar("T")


class Background:
    """Runs coroutines for plain functions that wait for them, in any thread.

    >>> background = Background("tea")
    >>> background.run(asyncio.sleep(0, "ready"))
    'ready'
    >>> background.close()
    """

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._closing = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine gives; it is cancelled where the wait is interrupted.

        Raises `concurrent.futures.CancelledError` where the loop is closed meanwhile, or was before.
        """
        with self._closing:  # else it could come to a loop that has stopped, and be waited for in vain
            if self._is_closed:
                coroutine.close()
                raise CancelledError
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function in the loop, soon; nothing is waited for."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """End the loop and its thread; what still runs there is cancelled. May be called again."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
