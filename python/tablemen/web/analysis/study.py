"""One analysis: a search that takes its turns, the exact values beside it, and what it tells meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeAlias

from tablemen.analysis import PositionAnalysis
from tablemen.analysis.analyse import analyse_current_position
from tablemen.game import Game
from tablemen.search import Analysis, Info, Limit, Searcher
from tablemen.web.analysis.findings import Finding, tell_found
from tablemen.web.analysis.mailbox import Mailbox
from tablemen.web.analysis.searchers import Searchers
from tablemen.web.analysis.solver import Solver, Wanted
from tablemen.web.models import Ended, Found, Values, Waiting
from tablemen.web.turns import Turns

log = logging.getLogger(__name__)

PAUSE = 0.1  # seconds between what was found and what was found next

Message: TypeAlias = Found | Values | Waiting | Ended
_NO_LIMIT = Limit()


@dataclass(frozen=True)
class Shared:
    """What all analyses share."""

    turns: Turns
    searchers: Searchers
    solver: Solver
    threads: Executor


@dataclass(frozen=True)
class Question:
    """What is to be analysed: a game, so many lines, and for how long."""

    game: Game[Any, Any]
    client: str
    lines: int = 1
    seconds: float = 1.0
    depth: int | None = None
    number: int = 0  # of the request


class Study:
    """An analysis that goes on until it ends or is closed; `messages` are what it tells.

    Raises `BusyError` where too many wait.
    """

    def __init__(self, question: Question, shared: Shared, on_end: Callable[[], None]) -> None:
        self._question = question
        self._shared = shared
        self._letters: Mailbox[Finding | Values | Waiting] = Mailbox(Finding, pause=PAUSE)
        self._error: str | None = None
        self._is_closed = False
        self._has_to_stop = False  # the search that is going on; another thread looks
        self._analysis: Analysis[Any] | None = None
        self._depth, self._nodes, self._spent = 0, 0, 0.0
        self._wanted = Wanted()
        self._loop = asyncio.get_running_loop()
        self._turn = None if question.game.outcome() else shared.turns.enter(question.client, self._stop_search)
        self._task = self._loop.create_task(self._run())
        self._task.add_done_callback(lambda _: on_end())

    async def messages(self) -> AsyncIterator[Message]:
        """All that it tells, to its end."""
        number = self._question.number
        async for letter in self._letters.read():
            if isinstance(letter, Finding):
                yield tell_found(letter, number)
            else:
                yield letter
        if not self._is_closed or self._error is not None:
            yield Ended(id=number, error=self._error)

    def close(self, reason: str | None = None) -> None:
        """Ends it; nothing is told any more but the reason. What still runs ends by itself soon."""
        self._is_closed = True
        self._error = reason
        self._wanted.stop()
        if self._turn is not None and self._turn.is_waiting:
            self._turn.leave()
        self._stop_search()
        self._letters.close()

    async def ended(self) -> None:
        """Waits until nothing of it runs any more."""
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._solve())
                await self._search()
                self._wanted.stop_waiting()
        except* Exception:
            log.exception("an analysis failed")
            self._error = "the analysis failed, which should not happen"
        finally:
            self._shared.searchers.forget(self)
            self._letters.close()

    async def _solve(self) -> None:
        question = self._question
        values = None
        if self._turn is not None:
            position, client, seconds = question.game.position, question.client, question.seconds
            values = await self._shared.solver.solve(position, client, seconds, self._wanted)
        if values is not None:
            self._letters.put(Values(id=question.number, values=dict(values)))

    async def _search(self) -> None:
        question, turn = self._question, self._turn
        if turn is None:
            over = analyse_current_position(question.game, _NO_LIMIT, Searcher(table_mb=1))
            self._letters.put(Finding(over))
            return
        try:
            is_done = False
            while not is_done and not self._is_closed:
                if turn.is_waiting:
                    self._letters.put(Waiting(id=question.number))
                if not await turn.come():
                    return
                is_done = await self._take_turn()
                if not is_done:
                    turn.give_way()
        finally:
            turn.leave()

    async def _take_turn(self) -> bool:
        """Searches until the end, or until others want their turn; whether it was the end."""
        question, searchers = self._question, self._shared.searchers
        limit = Limit(time=question.seconds - self._spent, depth=question.depth)
        searcher = searchers.take(self)
        begun, nodes = perf_counter(), self._nodes
        self._has_to_stop = self._is_closed
        try:
            await self._loop.run_in_executor(self._shared.threads, self._work, searcher, limit, nodes)
        finally:
            searchers.give_back(self, searcher)
        self._spent += perf_counter() - begun
        return not self._has_to_stop or self._spent >= question.seconds

    def _work(self, searcher: Searcher, limit: Limit, nodes: int) -> None:
        """In a thread: searches, and hands over the lines of each depth when all of them are there."""
        question, spent = self._question, self._spent
        position = question.game.position
        count = min(question.lines, len(position.legal_moves()))
        with searcher.analyse(question.game, limit, multipv=count) as analysis:
            self._analysis = analysis
            if self._has_to_stop:
                analysis.stop()
            lines: list[Info[Any]] = []
            for info in analysis:
                lines = [info] if info.rank == 1 else [*lines, info]
                if len(lines) == count:
                    what = PositionAnalysis(position, lines[0].score, tuple(lines))
                    found = Finding(what, info.depth, nodes + info.nodes, spent + info.time)
                    self._loop.call_soon_threadsafe(self._hear, found)
            self._analysis = None

    def _hear(self, found: Finding) -> None:
        self._nodes = found.nodes
        if found.depth >= self._depth and not self._is_closed:  # else it only gets back to where it was
            self._depth = found.depth
            self._letters.put(found)

    def _stop_search(self) -> None:
        self._has_to_stop = True
        if (analysis := self._analysis) is not None:
            analysis.stop()
