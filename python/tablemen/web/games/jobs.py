"""Work in threads of its own, in turn by whose game it is for."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tablemen.errors import GameError
from tablemen.web.fair_queue import BusyError, FairQueue

T = TypeVar("T")


class BusyComputerError(GameError):
    """There is too much to do for one address."""


class Jobs:
    """Does work in threads of its own, so much at a time; those who wait take turns, however much each asks."""

    def __init__(self, places: int, *, waiting_of_one: int, name: str) -> None:
        self.is_closed = False
        self._name = name  # of who works, in words
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=name)
        self._turns = FairQueue(places, max_waiting=sys.maxsize, max_waiting_per_client=waiting_of_one)

    async def run(self, work: Callable[[], T], owner: str) -> T:
        """What the work gives, which is done in a thread when it is the owner's turn.

        Raises `BusyComputerError` where too much of the owner's waits already.
        """
        try:
            turn = self._turns.enqueue(owner)
        except BusyError as error:
            raise BusyComputerError(f"{self._name} is at your other games; try again a little later") from error
        try:
            await turn.acquire()
        except asyncio.CancelledError:  # whoever asked has gone
            turn.release()
            raise
        if self.is_closed:
            turn.release()
            raise asyncio.CancelledError
        doing = self._begin(work)
        doing.add_done_callback(lambda _: turn.release())  # and not before, should whoever asked go away
        return await asyncio.shield(doing)

    def _begin(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Does the work in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def turn_away(self) -> None:
        """Nothing more is begun, and nobody waits any more."""
        self.is_closed = True
        self._turns.cancel_waiting()

    async def close(self) -> None:
        """Nothing more is begun; what is going on was stopped by whoever began it, and is waited for."""
        self.turn_away()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
