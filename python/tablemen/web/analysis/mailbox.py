"""Messages for one reader, who may be slower than the writer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Messages in their order. Of those of a kind that is out of date with the next one, only the newest waits.

    Such messages come no more often than `pause` seconds apart, but the last of them always comes.
    """

    def __init__(self, fleeting: type[T] | tuple[()], *, pause: float) -> None:
        self._fleeting = fleeting
        self._pause = pause
        self._letters: deque[T] = deque()
        self._has_news = asyncio.Event()
        self._is_closed = asyncio.Event()

    def put(self, letter: T) -> None:
        """One more message."""
        if isinstance(letter, self._fleeting):
            old = next((each for each in self._letters if isinstance(each, self._fleeting)), None)
            if old is not None:
                self._letters.remove(old)
        self._letters.append(letter)
        self._has_news.set()

    def close(self) -> None:
        """Nothing more comes."""
        self._is_closed.set()
        self._has_news.set()

    async def read(self) -> AsyncIterator[T]:
        """The messages until it is closed."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            while self._letters:
                letter = self._letters.popleft()
                yield letter
                if isinstance(letter, self._fleeting):
                    await self._rest()
            if self._is_closed.is_set():
                return

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self._pause):
                await self._is_closed.wait()
        except TimeoutError:
            pass
