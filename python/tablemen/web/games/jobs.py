"""Work in threads: so much of it at a time, and whose turn it is to have some done."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from tablemen.errors import GameError

T = TypeVar("T")


class BusyComputerError(GameError):
    """There is too much to do for one address."""


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: asyncio.Future[Any]


class Jobs:
    """Does work in threads of its own, so much at a time; those who wait take turns, however much each asks."""

    def __init__(self, places: int, *, waiting_of_one: int, name: str) -> None:
        self.is_closed = False
        self._name = name  # of who works, in words
        self._places = places
        self._most_of_one = waiting_of_one
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=name)
        self._running = 0
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()  # by who asks

    async def run(self, work: Callable[[], T], owner: str) -> T:
        """What the work gives, which is done in a thread when it is the owner's turn.

        Raises `BusyComputerError` where too much of the owner's waits already.
        """
        if len(self._waiting.get(owner, ())) >= self._most_of_one:
            raise BusyComputerError(f"{self._name} is at your other games; try again a little later")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(_Job(work, future))
        self._start()
        return await future

    def _start(self) -> None:
        """Begins what can be begun; of an owner one thing, before the next owner comes."""
        while self._running < self._places and self._waiting:
            owner, jobs = self._waiting.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._waiting[owner] = jobs
            if job.future.done():  # whoever asked has gone
                continue
            self._running += 1
            started = self._begin(job.work)
            started.add_done_callback(lambda done, future=job.future: self._finish(done, future))  # type: ignore[misc]

    def _begin(self, work: Callable[[], Any]) -> asyncio.Future[Any]:
        """Does the work in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _finish(self, done: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
        self._running -= 1
        if done.cancelled():
            future.cancel()
        elif error := done.exception():
            if not future.done():
                future.set_exception(error)
        elif not future.done():
            future.set_result(done.result())
        self._start()

    def turn_away(self) -> None:
        """Nothing more is begun, and nobody waits any more."""
        self.is_closed = True
        for job in itertools.chain.from_iterable(self._waiting.values()):
            job.future.cancel()
        self._waiting.clear()

    async def close(self) -> None:
        """Nothing more is begun; what is going on was stopped by whoever began it, and is waited for."""
        self.turn_away()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)
