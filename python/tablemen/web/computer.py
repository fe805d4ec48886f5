"""The computer: a few searches for all games, and whose turn it is to have one."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from tablemen.errors import GameError
from tablemen.game import Game
from tablemen.players import HumanPlayer, Player
from tablemen.search import Analysis, Level, Limit, Searcher

HINT = Limit(nodes=200_000)

T = TypeVar("T")


class BusyComputerError(GameError):
    """The computer has too much to do for one address."""


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: asyncio.Future[Any]


class Computer:
    """Runs searches in threads of its own, so many at a time; those who wait take turns, however much each asks.

    The searchers are shared: each has its memory, and a game has one only while a move is chosen.
    """

    def __init__(self, *, searches: int, table_mb: int, seconds: float, waiting_of_one: int) -> None:
        self.seconds = seconds  # for a search, at most
        self.is_closed = False
        self._searches = searches
        self._table_mb = table_mb
        self._most_of_one = waiting_of_one
        self._threads = ThreadPoolExecutor(searches, thread_name_prefix="computer")
        self._free: list[Searcher] = []
        self._running = 0
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()  # by who asks

    async def run(self, work: Callable[[], T], owner: str) -> T:
        """What the work gives, which is done in a thread when it is the owner's turn.

        Raises `BusyComputerError` where too much of the owner's waits already.
        """
        if len(self._waiting.get(owner, ())) >= self._most_of_one:
            raise BusyComputerError("the computer is at your other games; try again a little later")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(_Job(work, future))
        self._start()
        return await future

    def _start(self) -> None:
        """Begins what can be begun; of an owner one thing, before the next owner comes."""
        while self._running < self._searches and self._waiting:
            owner, jobs = self._waiting.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._waiting[owner] = jobs
            if job.future.done():  # whoever asked has gone
                continue
            self._running += 1
            started = asyncio.get_running_loop().run_in_executor(self._threads, job.work)
            started.add_done_callback(lambda done, future=job.future: self._finish(done, future))  # type: ignore[misc]

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

    def lend(self) -> Searcher:
        """A searcher, for as long as a search takes."""
        return self._free.pop() if self._free else Searcher(table_mb=self._table_mb, seed=secrets.randbits(32))

    def take_back(self, searcher: Searcher) -> None:
        """The searcher can be lent again."""
        self._free.append(searcher)

    async def close(self) -> None:
        """Nothing more is begun; what is going on was stopped by whoever began it, and is waited for."""
        self.is_closed = True
        for job in itertools.chain.from_iterable(self._waiting.values()):
            job.future.cancel()
        self._waiting.clear()
        await asyncio.to_thread(self._threads.shutdown, wait=True, cancel_futures=True)


class Person(HumanPlayer):
    """Somebody who moves from elsewhere: nobody asks the keyboard of the server."""

    def choose(self, game: Game[Any, Any]) -> Any:
        """Raises `GameError`: what a person plays comes by itself."""
        raise GameError(f"it is for a person to move after {len(game.moves)} moves")


class ComputerPlayer(Player):
    """The computer as a player of a game: it has a searcher only while it chooses."""

    def __init__(self, computer: Computer, how: Level | Limit) -> None:
        self._computer = computer
        self._how = how
        self._analysis: Analysis[Any] | None = None
        self._is_stopped = False

    @property
    def name(self) -> str:
        """What it is called in game files."""
        return f"tablemen, level {self._how.number}" if isinstance(self._how, Level) else "tablemen"

    def choose(self, game: Game[Any, Any]) -> Any:
        """The move that the search finds best, or the level lets it find."""
        self._is_stopped = False
        searcher = self._computer.lend()
        try:
            analysis = self._analysis = searcher.begin(game, self._how, clock=self.clock)
            if self._is_stopped or self._computer.is_closed:  # while it began, when there was nothing to stop yet
                analysis.stop()
            limit = threading.Timer(self._computer.seconds, analysis.stop)
            limit.start()
            try:
                return analysis.result().move
            finally:
                limit.cancel()
        finally:
            self._analysis = None
            self._computer.take_back(searcher)

    def stop(self) -> None:
        """Ends the search that is going on."""
        self._is_stopped = True
        analysis = self._analysis
        if analysis is not None:
            analysis.stop()
