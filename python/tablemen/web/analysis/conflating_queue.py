"""A conflating queue: messages for one reader that may be slower than the writer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

T = TypeVar("T")


class ConflatingQueue(Generic[T]):
    """Deliver messages in order, but of the conflated type only the newest.

    Conflated messages are delivered at least `interval` seconds apart; the last of them is always delivered.
    """

    def __init__(self, conflated: type[T], *, interval: float) -> None:
        self._conflated = conflated
        self._interval = interval
        self._messages: deque[T] = deque()
        self._has_news = asyncio.Event()
        self._is_closed = asyncio.Event()

    def put(self, message: T) -> None:
        """Append a message; it replaces an undelivered one of the conflated type."""
        if isinstance(message, self._conflated):
            stale = next((each for each in self._messages if isinstance(each, self._conflated)), None)
            if stale is not None:
                self._messages.remove(stale)
        self._messages.append(message)
        self._has_news.set()

    def close(self) -> None:
        """End the queue after the messages that it holds."""
        self._is_closed.set()
        self._has_news.set()

    async def read(self) -> AsyncIterator[T]:
        """Yield the messages until the queue is closed."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            while self._messages:
                message = self._messages.popleft()
                yield message
                if isinstance(message, self._conflated):
                    await self._pause()
            if self._is_closed.is_set():
                return

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._interval):
                await self._is_closed.wait()
        except TimeoutError:
            pass
