"""Our client of the Kalah Game Protocol, which answers the requests of a server in parallel."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from tablemen.errors import PeerError, PeerGoneError
from tablemen.game import Game
from tablemen.mancala import Move, Position
from tablemen.mancala.moves import choose_robot_move
from tablemen.protocols.kgp.engine import KgpLink, KgpTimeouts
from tablemen.protocols.kgp.messages import parse_line
from tablemen.protocols.kgp.protocol import (
    EVAL,
    ErrorReceived,
    KgpClientProtocol,
    SearchRequested,
    SearchStopped,
    ServerLeft,
)
from tablemen.protocols.transport import Transport
from tablemen.search import Analysis, Limit, Searcher

if TYPE_CHECKING:
    from tablemen.players import Player

DEFAULT_WORKERS = 2
DEFAULT_LIMIT = Limit(time=1.0)
DEFAULT_TABLE_MB = 16  # for each worker
DEFAULT_TIMEOUTS = KgpTimeouts(idle=120.0, pong=30.0)
TIME_SHARE = 0.9  # part of the server's time for a move that is used; the rest is for the network
STOP_INTERVAL = 0.05  # seconds between two requests to stop a search


@dataclass(frozen=True, slots=True)
class FoundMove:
    """The best move so far, and the position's value for the side to move if it is known."""

    move: Move
    value: float | None = None


class KgpWorker(Protocol):
    """A search for the best move, in a thread, of one position at a time."""

    def search(
        self, request: SearchRequested, on_move: Callable[[FoundMove], object], stopped: threading.Event
    ) -> None:
        """Report every better move. Return when the search is complete or stopped."""
        ...

    def stop(self) -> None:
        """Let a running `search` return soon, if its `stopped` is set. Any thread may call this."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class SearchWorker:
    """A search with iterative deepening that reports every new move and score."""

    def __init__(
        self, limit: Limit = DEFAULT_LIMIT, *, table_mb: int = DEFAULT_TABLE_MB, threads: int = 1, seed: int = 0
    ) -> None:
        self._limit = limit
        self._searcher = Searcher(table_mb=table_mb, threads=threads, seed=seed)
        self._lock = threading.Lock()
        self._analysis: Analysis[Move] | None = None

    def search(
        self, request: SearchRequested, on_move: Callable[[FoundMove], object], stopped: threading.Event
    ) -> None:
        """Search within the limit and the server's time."""
        limit = self._limit if request.clock is None else replace(self._limit, clock=request.clock)
        if request.seconds is not None:
            times = (limit.time, request.seconds * TIME_SHARE)
            limit = replace(limit, time=min(time for time in times if time is not None))
        with self._searcher.analyse(request.position, limit) as analysis:
            with self._lock:
                self._analysis = analysis
            if stopped.is_set():  # `stop` was called before the analysis started
                analysis.stop()
            try:
                for info in analysis:
                    on_move(FoundMove(info.line[0], info.score.value))
                result = analysis.result()
                on_move(FoundMove(result.move, result.score.value))
            finally:
                with self._lock:
                    self._analysis = None

    def stop(self) -> None:
        """Stop the running search."""
        with self._lock:
            if self._analysis is not None:
                self._analysis.stop()

    def close(self) -> None:
        """Free the transposition table."""
        self._searcher.clear()


class PlayerWorker:
    """A player as a worker, which reports a single move."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def search(
        self, request: SearchRequested, on_move: Callable[[FoundMove], object], stopped: threading.Event
    ) -> None:
        """Report the player's move. Report nothing if it resigns: the protocol has no resignation."""
        if stopped.is_set():
            return
        self._player.clock = request.clock
        game: Game[Position, Move] = Game(request.position)
        choice = self._player.choose(game)
        if choice in game.legal_moves():
            score = self._player.score
            on_move(FoundMove(choice, None if score is None else score.value))

    def stop(self) -> None:
        """Stop the player."""
        self._player.stop()

    def close(self) -> None:
        """Close the player."""
        self._player.close()


@dataclass(eq=False, slots=True)
class _SearchTask:
    """A request with its latest answer."""

    request: SearchRequested
    stopped: threading.Event = field(default_factory=threading.Event)
    worker: KgpWorker | None = None
    house: int | None = None
    value: float | None = None


class KgpClient:
    """A client of one server. `make_worker` is called once for each of the parallel `workers`."""

    def __init__(  # noqa: PLR0913 - the last three are optional
        self,
        transport: Transport,
        protocol: KgpClientProtocol,
        make_worker: Callable[[], KgpWorker],
        *,
        workers: int = DEFAULT_WORKERS,
        on_error: Callable[[str], object] | None = None,
        timeouts: KgpTimeouts = DEFAULT_TIMEOUTS,
    ) -> None:
        self.answered = 0  # number of requests
        self._transport = transport
        self._protocol = protocol
        self._link = KgpLink(transport, protocol, timeouts)
        self._make_worker = make_worker
        self._workers = workers
        self._on_error = on_error or (lambda _: None)
        self._tasks: dict[int, _SearchTask] = {}
        self._queue: asyncio.Queue[_SearchTask] = asyncio.Queue()  # bounded by MAX_SERVER_REQUESTS
        self._has_answers = asyncio.Event()

    async def run(self) -> None:
        """Answer requests until the server says goodbye.

        On any other exit, release all resources and raise `PeerError`.
        """
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(self._workers, thread_name_prefix="kgp") as threads:
            tasks = [asyncio.create_task(self._search(loop, threads)) for _ in range(self._workers)]
            tasks += [asyncio.create_task(self._send_answers()), asyncio.create_task(self._receive())]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    if task.done():
                        task.result()  # raise its error
            finally:
                self._stop_all()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                self._protocol.leave()
                with contextlib.suppress(PeerError):
                    await self._link.flush()
                await self._transport.close()

    async def _receive(self) -> None:
        """Handle the server's messages until it says goodbye."""
        while not self._protocol.is_over:
            if self._protocol.is_greeted:
                line = await self._link.receive()
            else:
                seconds = self._link.timeouts.handshake
                line = await self._link.receive_within(seconds, "did not send the KGP greeting")
            if line is None:
                raise PeerGoneError(self._transport.peer, "has closed the connection")
            self._handle(line)
            await self._link.flush()

    def _handle(self, line: bytes) -> None:
        message = parse_line(line, self._protocol.report_error)
        if message is None:
            return
        for event in self._protocol.receive(message):
            match event:
                case SearchRequested():
                    self._start(event)
                case SearchStopped(number):
                    self._stop(number)
                case ErrorReceived(text):
                    self._on_error(text)
                case ServerLeft():
                    self._stop_all()

    def _start(self, request: SearchRequested) -> None:
        """Answer at once with the move of a simple strategy, and queue the search."""
        self.answered += 1
        moves = request.position.legal_moves()
        task = _SearchTask(request)
        if self._protocol.mode != EVAL:
            self._answer(task, FoundMove(moves[0] if len(moves) == 1 else choose_robot_move(request.position).move))
            if len(moves) == 1:
                self._protocol.finish(request.id)
                return
        self._tasks[request.id] = task
        self._queue.put_nowait(task)

    def _stop(self, number: int) -> None:
        task = self._tasks.pop(number, None)
        if task is not None:
            task.stopped.set()
            if task.worker is not None:
                task.worker.stop()

    def _stop_all(self) -> None:
        for number in tuple(self._tasks):
            self._stop(number)

    async def _search(self, loop: asyncio.AbstractEventLoop, threads: ThreadPoolExecutor) -> None:
        """Run queued searches one after the other, in a thread."""
        worker = await loop.run_in_executor(threads, self._make_worker)
        try:
            while True:
                task = await self._queue.get()
                if task.stopped.is_set():
                    continue
                task.worker = worker

                def on_move(found: FoundMove, task: _SearchTask = task) -> None:
                    loop.call_soon_threadsafe(self._answer, task, found)

                search = loop.run_in_executor(threads, worker.search, task.request, on_move, task.stopped)
                try:
                    await _wait_for_search(search, worker, task.stopped)
                except asyncio.CancelledError:
                    task.stopped.set()
                    await _wait_for_search(search, worker, task.stopped)
                    raise
                search.result()  # raise its error
                if self._tasks.pop(task.request.id, None) is task:
                    self._protocol.finish(task.request.id)
                    self._has_answers.set()
        finally:
            worker.close()

    def _answer(self, task: _SearchTask, found: FoundMove) -> None:
        """Send a move or an evaluation, unless it equals the previous one."""
        number = task.request.id
        if task.stopped.is_set():
            return
        if self._protocol.mode == EVAL:
            value = task.request.position.evaluate() if found.value is None else found.value
            if value != task.value and math.isfinite(value):
                self._protocol.send_evaluation(number, value)
                task.value = value
        elif found.move.house != task.house:
            self._protocol.send_move(number, found.move.house)
            task.house = found.move.house
        self._has_answers.set()

    async def _send_answers(self) -> None:
        while True:
            await self._has_answers.wait()
            self._has_answers.clear()
            await self._link.flush()


async def _wait_for_search(search: asyncio.Future[None], worker: KgpWorker, stopped: threading.Event) -> None:
    """Wait for a search, repeating the stop request in case it arrived before the search started."""
    while not search.done():
        if stopped.is_set():
            worker.stop()
        await asyncio.wait([search], timeout=STOP_INTERVAL)
