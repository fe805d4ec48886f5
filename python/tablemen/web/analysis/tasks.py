"""Analyses of positions and reviews of games, as tasks whose results are streamed to a client."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Generic, TypeVar

from tablemen.analysis import MoveAnalysis, PositionAnalysis
from tablemen.analysis.analyse import analyse_current_position, analyse_endgame
from tablemen.analysis.result import describe, format_score, serialize_score
from tablemen.endgame import EndgameResult
from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.search import Analysis, Info, Limit, Searcher
from tablemen.web.analysis.solver import CancelToken, Solver
from tablemen.web.endgames import try_probe
from tablemen.web.fair_queue import FairQueue, Slot
from tablemen.web.models import (
    AnalysisUpdate,
    EndgameInfo,
    LineInfo,
    MoveValues,
    QueuedNotice,
    ReviewedPosition,
    ScoreInfo,
    StreamEnd,
    StreamMessage,
    TablebaseNotice,
)
from tablemen.web.serialize import serialize_move

T = TypeVar("T")
log = logging.getLogger(__name__)
UPDATE_INTERVAL = 0.1  # minimum number of seconds between updates of a search
MAX_REVIEW_PLIES = 400
REVIEW_LIMIT = Limit(nodes=50_000)  # for each position; takes a few hundredths of a second
ENDGAME_LIMIT = Limit(nodes=200_000)  # for a position with a proven value; takes about a tenth of a second
FIRST = Side.WHITE  # the first of `Family.sides`; scores and chances are sent from its point of view


class ConflatingQueue(Generic[T]):
    """A queue that delivers messages in order, but only the newest of the conflated type.

    Conflated messages are delivered at least `interval` seconds apart. The last one is always delivered.
    """

    def __init__(self, conflated: type[T], *, interval: float) -> None:
        self._conflated = conflated
        self._interval = interval
        self._messages: deque[T] = deque()
        self._has_news = asyncio.Event()
        self._is_closed = asyncio.Event()

    def put(self, message: T) -> None:
        """Append a message. One of the conflated type replaces the undelivered one."""
        if isinstance(message, self._conflated):
            stale = next((each for each in self._messages if isinstance(each, self._conflated)), None)
            if stale is not None:
                self._messages.remove(stale)
        self._messages.append(message)
        self._has_news.set()

    def close(self) -> None:
        """Close the queue; messages in it are still delivered."""
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


class SearcherPool:
    """A bounded pool of searchers, each with a transposition table.

    A released searcher is reserved for its owner, since the next search profits from the table. If no searcher is free,
    another owner gets the one that was released first.
    """

    def __init__(self, size: int, *, table_mb: int) -> None:
        self._size = size
        self._table_mb = table_mb
        self._created = 0
        self._reserved: dict[object, Searcher] = {}  # by owner, in order of release
        self._free: list[Searcher] = []

    def acquire(self, owner: object) -> Searcher:
        """Return the owner's reserved searcher, or another one."""
        own = self._reserved.pop(owner, None)
        if own is not None:
            return own
        if self._free:
            return self._free.pop()
        if self._created < self._size or not self._reserved:
            self._created += 1
            return Searcher(table_mb=self._table_mb)
        return self._reserved.pop(next(iter(self._reserved)))

    def release(self, owner: object, searcher: Searcher) -> None:
        """Reserve the searcher for the owner's next search."""
        self._reserved[owner] = searcher

    def forget(self, owner: object) -> None:
        """Free the searcher of an owner that will not search again."""
        searcher = self._reserved.pop(owner, None)
        if searcher is not None:
            self._free.append(searcher)


@dataclass(frozen=True)
class Resources:
    """The resources that all analyses share."""

    queue: FairQueue
    searchers: SearcherPool
    solver: Solver
    executor: Executor
    suggests_tablebases: bool = False  # whether clients get the commands that build missing tablebases


@dataclass(frozen=True)
class SearchUpdate:
    """The lines of one depth, with totals of the search so far. Updates are serialised only when they are sent."""

    result: PositionAnalysis[Any]
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0


class AnalysisStream(ABC):
    """A task whose results are a stream of messages.

    Raises `BusyError` if the task needs a slot and the queue is full.
    """

    def __init__(
        self, client: str, resources: Resources, on_end: Callable[[], None], *, request_id: int = 0, needs_slot: bool
    ) -> None:
        self._resources = resources
        self._request_id = request_id
        self._queue: ConflatingQueue[SearchUpdate | StreamMessage] = ConflatingQueue(
            SearchUpdate, interval=UPDATE_INTERVAL
        )
        self._error: str | None = None
        self._is_closed = False
        self._slot = resources.queue.enqueue(client, self._preempt) if needs_slot else None
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run())
        self._task.add_done_callback(lambda _: on_end())

    async def messages(self) -> AsyncIterator[StreamMessage]:
        """Yield the messages until the task ends or is closed."""
        async for message in self._queue.read():
            if isinstance(message, SearchUpdate):
                yield _serialize_update(message, self._request_id)
            else:
                yield message
        if not self._is_closed or self._error is not None:
            yield StreamEnd(id=self._request_id, error=self._error)

    def close(self, reason: str | None = None) -> None:
        """End the stream, with a reason if one is given. The task itself ends soon after."""
        self._is_closed = True
        self._error = reason
        if self._slot is not None and self._slot.is_waiting:
            self._slot.release()
        self._queue.close()

    async def ended(self) -> None:
        """Wait until the task has ended."""
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            await self._work()
        except Exception:
            log.exception("an analysis failed")
            self._error = "the analysis failed because of an internal error"
        finally:
            if self._slot is not None:
                self._slot.release()
            self._resources.searchers.forget(self)
            self._queue.close()

    async def _acquire(self, slot: Slot) -> bool:
        """Wait for the slot, and notify the client if it is not free; return False if the stream was closed."""
        if self._is_closed:
            return False
        if slot.is_waiting:
            self._queue.put(QueuedNotice(id=self._request_id))
        return await slot.acquire() and not self._is_closed

    async def _run_with_searcher(self, work: Callable[[Searcher], T]) -> T:
        """Run the work in a thread, with a searcher of the pool."""
        searchers = self._resources.searchers
        searcher = searchers.acquire(self)
        try:
            return await self._loop.run_in_executor(self._resources.executor, work, searcher)
        finally:
            searchers.release(self, searcher)

    @abstractmethod
    async def _work(self) -> None:
        """Put the results into the queue."""

    @abstractmethod
    def _preempt(self) -> None:
        """Requeue the slot as soon as possible."""


class AnalysisTask(AnalysisStream):
    """The analysis of a position: its proven value, or a search in time slices; and the exact values of its moves."""

    def __init__(  # noqa: PLR0913 - the options of a search
        self,
        game: Game[Any, Any],
        client: str,
        resources: Resources,
        on_end: Callable[[], None],
        *,
        lines: int,
        seconds: float,
        depth: int | None,
        request_id: int,
    ) -> None:
        self._game, self._client = game, client
        self._lines, self._seconds, self._max_depth = lines, seconds, depth
        self._must_stop = False  # read by the search thread
        self._is_probed = False  # whether tablebases have been probed
        self._analysis: Analysis[Any] | None = None
        self._depth, self._nodes, self._spent = 0, 0, 0.0
        self._token = CancelToken()
        super().__init__(client, resources, on_end, request_id=request_id, needs_slot=not game.outcome())

    def close(self, reason: str | None = None) -> None:
        """Stop the search and the solver, and end the stream with the reason."""
        self._token.cancel()
        super().close(reason)
        self._preempt()

    async def _work(self) -> None:
        if self._slot is None:
            self._queue.put(SearchUpdate(analyse_current_position(self._game, Limit(), Searcher(table_mb=1))))
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._solve())
            await self._search(self._slot)
            self._token.cancel_if_queued()

    async def _solve(self) -> None:
        solver = self._resources.solver
        values = await solver.solve(self._game.position, self._client, self._seconds, self._token)
        if values is not None:
            self._queue.put(MoveValues(id=self._request_id, values=dict(values)))

    async def _search(self, slot: Slot) -> None:
        try:
            while await self._acquire(slot) and not (await self._probe_tablebase() or await self._search_quantum()):
                self._must_stop = False
                slot.requeue()
        finally:
            slot.release()

    async def _probe_tablebase(self) -> bool:
        """Put the analysis of a position that a tablebase has; return False if none has it."""
        position = self._game.position
        if self._is_probed or not get_family(position).is_endgame(position):
            return False
        self._is_probed = True
        message = await self._run_with_searcher(partial(try_probe, self._probe_in_thread))
        if message is not None and not self._is_closed:
            self._queue.put(message)
        return isinstance(message, AnalysisUpdate)

    def _probe_in_thread(self, searcher: Searcher) -> AnalysisUpdate | TablebaseNotice | None:
        started = perf_counter()
        result = analyse_endgame(self._game, ENDGAME_LIMIT, searcher, self._lines)
        if result is not None:
            best = result.lines[0]
            update = SearchUpdate(result, best.depth, best.nodes, perf_counter() - started)
            return _serialize_update(update, self._request_id)  # here, because lines can be long
        position = self._game.position
        suggest = self._resources.suggests_tablebases
        command = get_family(position).suggest_tablebase(position) if suggest else None
        return None if command is None else TablebaseNotice(id=self._request_id, command=command)

    async def _search_quantum(self) -> bool:
        """Search until the end or until preempted; return whether the search is complete."""
        nodes, started = self._nodes, perf_counter()
        if not self._must_stop:  # it may be set during the probe
            await self._run_with_searcher(lambda searcher: self._search_in_thread(searcher, nodes))
        self._spent += perf_counter() - started
        return not self._must_stop or self._spent >= self._seconds

    def _search_in_thread(self, searcher: Searcher, nodes: int) -> None:
        """Search, and pass the lines of each completed depth to the event loop."""
        position, spent = self._game.position, self._spent
        count = min(self._lines, len(position.legal_moves()))
        limit = Limit(time=self._seconds - spent, depth=self._max_depth)
        with searcher.analyse(self._game, limit, multipv=count) as analysis:
            self._analysis = analysis
            if self._must_stop:
                analysis.stop()
            lines: list[Info[Any]] = []
            for info in analysis:
                lines = [info] if info.rank == 1 else [*lines, info]
                if len(lines) == count:
                    result = PositionAnalysis(position, lines[0].score, tuple(lines))
                    update = SearchUpdate(result, info.depth, nodes + info.nodes, spent + info.time)
                    self._loop.call_soon_threadsafe(self._put_update, update)
            self._analysis = None

    def _put_update(self, update: SearchUpdate) -> None:
        self._nodes = update.nodes
        if update.depth >= self._depth and not self._is_closed:  # after a requeue the first depths are searched again
            self._depth = update.depth
            self._queue.put(update)

    def _preempt(self) -> None:
        self._must_stop = True
        if (analysis := self._analysis) is not None:
            analysis.stop()


class GameReview(AnalysisStream):
    """The review of a game: a short search of every position, and marks for mistakes.

    Raises `TablemenError` if the game is too long, and `BusyError` if the queue is full.
    """

    def __init__(self, game: Game[Any, Any], client: str, resources: Resources, on_end: Callable[[], None]) -> None:
        if len(game.moves) > MAX_REVIEW_PLIES:
            raise TablemenError(
                f"the game is too long to review: it has {len(game.moves)} moves, the limit is {MAX_REVIEW_PLIES}"
            )
        self._game = game
        self._is_preempted = False
        super().__init__(client, resources, on_end, needs_slot=True)

    async def _work(self) -> None:
        assert self._slot is not None
        game = Game(self._game.start)
        before: PositionAnalysis[Any] | None = None
        for ply in range(len(self._game.moves) + 1):
            if not await self._acquire(self._slot):
                return
            move = self._game.moves[ply - 1] if before is not None else None
            here = await self._analyse(game, move)
            self._queue.put(_serialize_review(ply, move, before, here))
            before = here
            if self._is_preempted:
                self._is_preempted = False
                self._slot.requeue()

    async def _analyse(self, game: Game[Any, Any], move: Any) -> PositionAnalysis[Any]:
        def push_and_analyse(searcher: Searcher) -> PositionAnalysis[Any]:
            if move is not None:
                game.push(move)
            proven = try_probe(analyse_endgame, game, REVIEW_LIMIT, searcher)
            return analyse_current_position(game, REVIEW_LIMIT, searcher) if proven is None else proven

        return await self._run_with_searcher(push_and_analyse)

    def _preempt(self) -> None:
        self._is_preempted = True


def _serialize_score(result: PositionAnalysis[Any]) -> ScoreInfo:
    return ScoreInfo.model_validate({**serialize_score(result.score_for(FIRST)), "text": format_score(result)})


def _serialize_chances(result: PositionAnalysis[Any]) -> float:
    return round(result.chances_for(FIRST), 4)


def _serialize_update(update: SearchUpdate, request_id: int) -> AnalysisUpdate:
    result = update.result
    return AnalysisUpdate(
        id=request_id,
        depth=update.depth,
        nodes=update.nodes,
        seconds=round(update.seconds, 3),
        verdict=describe(result),
        score=_serialize_score(result),
        chances=_serialize_chances(result),
        lines=[_serialize_line(result.position, info) for info in result.lines],
        endgame=None if result.endgame is None else _serialize_endgame(result.position, result.endgame),
    )


def _serialize_endgame(position: Any, endgame: EndgameResult) -> EndgameInfo:
    fields: dict[str, Any] = {**get_family(position).serialize_endgame(endgame)}
    for each, value in zip(fields["moves"], endgame.moves, strict=True):
        each["move"] = serialize_move(position, value.move)
    return EndgameInfo.model_validate(fields)


def _serialize_line(position: Any, info: Info[Any]) -> LineInfo:
    result: PositionAnalysis[Any] = PositionAnalysis(position, info.score)
    return LineInfo(
        move=serialize_move(position, info.line[0]),
        line=[str(move) for move in info.line],
        score=_serialize_score(result),
        chances=_serialize_chances(result),
    )


def _serialize_review(
    ply: int, move: Any, before: PositionAnalysis[Any] | None, here: PositionAnalysis[Any]
) -> ReviewedPosition:
    mark = None if before is None else MoveAnalysis(ply - 1, 0, move, before, here).mark
    best = before.best if before is not None and mark is not None else None
    return ReviewedPosition(
        ply=ply,
        score=_serialize_score(here),
        chances=_serialize_chances(here),
        mark=None if mark is None else mark.value,
        best=None if best is None else str(best),
        proven=None if here.endgame is None else describe(here),
    )
