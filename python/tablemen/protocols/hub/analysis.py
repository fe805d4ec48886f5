"""A search that another program makes, while one looks on."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tablemen._core import Position
from tablemen.protocols.engine import Answer
from tablemen.protocols.hub.board_conversation import Mode
from tablemen.protocols.hub.event import Finished
from tablemen.protocols.hub.info import read_info
from tablemen.protocols.hub.numbers import read_whole
from tablemen.search import Info, Limit, Score, SearchResult

if TYPE_CHECKING:
    from tablemen.protocols.hub.asynchronous import AsyncHubEngine

KEPT = 32  # what it told, until somebody looks; then the older goes


class AsyncHubAnalysis:
    """What a program finds: iterate it, `stop` it, or wait for its `result`. `async with` stops it in the end."""

    def __init__(self, engine: AsyncHubEngine, position: Position, limit: Limit, mode: Mode) -> None:
        self._engine = engine
        self._position = position
        self._seconds = _seconds_of(limit)
        self._told: deque[Mapping[str, str]] = deque(maxlen=KEPT)
        self._news = asyncio.Event()
        self.mode = mode
        self.finished: Finished | None = None
        self.is_over = False  # finished, or the program is gone
        self.is_stopped = False
        self.nudged = asyncio.Event()  # the time-outs are others now
        self.ends = math.inf  # when it is to be told to stop
        self.alive = asyncio.get_running_loop().time()  # when it last got further, or was seen to be there
        self._reached = {"depth": 0, "nodes": 0}

    @property
    def allowed(self) -> float | None:
        """The seconds that it may think from now on, if there is an end to them."""
        return None if self.mode is Mode.PONDER else self._seconds

    def inform(self, told: Mapping[str, str]) -> None:
        """It has told something; what is deeper, or has more nodes, is a sign of life."""
        self._told.append(told)
        self._news.set()
        for name, reached in self._reached.items():
            if (number := read_whole(told.get(name)) or 0) > reached:
                self._reached[name] = number
                self.live()

    def live(self) -> None:
        """It has shown that it is there."""
        self.alive = asyncio.get_running_loop().time()

    def finish(self, finished: Finished | None) -> None:
        """It is over; without a result where the program is gone."""
        self.finished = finished
        self.is_over = True
        self._news.set()
        self.nudged.set()

    async def lasts_until(self, moment: float) -> bool:
        """Whether it comes to this moment before it ends, or its time-outs are others."""
        try:
            async with asyncio.timeout_at(moment):
                await self.nudged.wait()
        except TimeoutError:
            return not self.is_over
        return False

    def __aiter__(self) -> AsyncHubAnalysis:
        return self

    async def __anext__(self) -> Info[Any]:
        """What it has found next; of what nobody looked at in time, the older is left out. Raises `PeerError`."""
        while True:
            while self._told:
                info = read_info(self._told.popleft(), self._position)
                if info is not None:
                    return info
            if self.is_over:
                self._engine.check_alive(self)
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()

    def stop(self) -> None:
        """End the search soon; what it has found stands."""
        self._engine.stop_search(self)

    def ponder_hit(self) -> None:
        """The opponent has played the expected move: from now on the limits of time count."""
        self._engine.hit_search(self)

    async def answer(self) -> Answer:
        """What it ended with, waiting for the end. Raises `PeerError`."""
        finished = await self._end()
        info = read_info(finished.told, self._position)
        if info is None:
            return Answer(finished.move, None, finished.ponder)
        return Answer(finished.move, info.score, finished.ponder, info.line)

    async def result(self) -> SearchResult[Any]:
        """The same as a searcher has it; the score is 0 where the program told none, and there are no lines then."""
        finished = await self._end()
        info = read_info(finished.told, self._position)
        lines = () if info is None else (info,)
        return SearchResult(finished.move, Score(0.0) if info is None else info.score, finished.ponder, lines)

    async def _end(self) -> Finished:
        while not self.is_over:
            self._news.clear()
            await self._news.wait()
        self._engine.check_alive(self)
        assert self.finished is not None
        return self.finished

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _seconds_of(limit: Limit) -> float | None:
    """The most that a search may take."""
    times = [limit.time, None if limit.clock is None else limit.clock.left]
    return min((time for time in times if time is not None), default=None)
