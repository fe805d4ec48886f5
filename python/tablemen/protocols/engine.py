"""Engines: other programs that choose moves, with asyncio (`AsyncEngine`) or without it (`Engine`).

A protocol implements `AsyncEngine`. `Engine` is the synchronous facade of all protocols: it runs an `AsyncEngine` in
the event loop of a thread. A protocol with further methods derives from `Engine`, and wraps them with `blocking`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, fields
from importlib import import_module
from types import TracebackType
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Self, TypeVar
from weakref import WeakSet

from tablemen.errors import ArgumentError, PeerError, PeerGoneError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.search import Clock, Limit, Score

PROTOCOLS = {
    "hub": ("tablemen.protocols.hub.engine", "HubEngine"),
    "dxp": ("tablemen.protocols.dxp.engine", "DxpEngine"),
    "kgp": ("tablemen.protocols.kgp.engine", "KgpEngine"),
}

NO_LIMIT = Limit()
CLOSED = "is closed"
CANCEL_TIMEOUT = 30.0  # seconds for cancelled tasks to end; longer than a process needs to end

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Engine")


@dataclass(frozen=True, slots=True)
class Answer:
    """The choice of an engine: a legal move, or None if it resigns, and what the engine reported about its search."""

    move: Any
    score: Score | None = None  # from the point of view of the side that moves
    ponder: Any = None  # the expected reply of the opponent
    line: tuple[Any, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Timeouts:
    """Base of the timeouts of a protocol, in seconds. A field whose default is None may be None."""

    def __post_init__(self) -> None:
        for field in fields(self):
            seconds = getattr(self, field.name)
            if seconds is None and field.default is None:
                continue
            if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
                raise ArgumentError(field.name, seconds, "a number of seconds above 0")


class AsyncEngine(ABC):
    """A program at the other end of a connection; `async with` closes it.

    Its failures raise a `PeerError`: `PeerGoneError` if it has exited or disconnected, `PeerTimeoutError` if it does
    not answer in time, and `ProtocolError` if it violates the protocol or plays an illegal move. After a failure the
    engine is closed, and every further call raises `PeerGoneError`.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name that the program reports."""

    @property
    def id(self) -> Mapping[str, str]:
        """What the program has reported about itself, as far as known: its name, version, author and country."""
        return {}

    @abstractmethod
    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """Return the move of the program in a game that is not over, within the limit and the clock.

        The program ignores limits that the protocol cannot express. Call `is_stopped` when the search has started: it
        returns whether `stop` was called before.
        """

    @abstractmethod
    def stop(self) -> None:
        """End the current `choose` soon, with the best move found; do nothing if no `choose` is in progress."""

    async def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: B027 - most engines need no preparation
        """Prepare the program for the variant of a game, if that takes time."""

    async def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: B027 - as above
        """Report that the game is over, or abandoned if there is no outcome."""

    @abstractmethod
    async def close(self) -> None:
        """End the program or the connection, and wait until it has ended. May be called again."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _do_nothing() -> None:
    pass


async def _cancel(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait for their end. A task is not cancelled twice, which would interrupt its cleanup."""
    for task in tasks:
        if not task.cancelling():
            task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=CANCEL_TIMEOUT)


class EventLoopThread:
    """An event loop in a thread, which runs coroutines for synchronous callers in other threads.

    `close` runs `cleanup` in the loop, and then cancels the remaining tasks.

    >>> loop = EventLoopThread("example")
    >>> loop.run(asyncio.sleep(0, "done"))
    'done'
    >>> loop.close()
    """

    def __init__(self, name: str, cleanup: Callable[[], Coroutine[Any, Any, None]] = _do_nothing) -> None:
        self._loop = asyncio.new_event_loop()
        self._cleanup = cleanup
        self._submitted: WeakSet[Coroutine[Any, Any, Any]] = WeakSet()
        self._closing = threading.Lock()
        self._is_closed = False
        self._stopping = asyncio.Event()
        self._ended: Future[None] = Future()  # fails with the error of the cleanup
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        error: BaseException | None = None
        try:
            self._loop.run_until_complete(self._run_until_closed())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        except BaseException as raised:  # noqa: BLE001 - `close` raises it
            error = raised
        self._loop.close()
        if error is None:
            self._ended.set_result(None)
        else:
            self._ended.set_exception(error)

    async def _run_until_closed(self) -> None:
        """Wait for `close`, then clean up and cancel the remaining tasks.

        The submitted coroutines are cancelled first, since they may still need other tasks: a coroutine that starts a
        process waits until a task of asyncio has connected its pipes.
        """
        await self._stopping.wait()
        try:
            await self._cleanup()
        finally:
            await _cancel([task for task in asyncio.all_tasks() if task.get_coro() in self._submitted])
            await _cancel([task for task in asyncio.all_tasks() if task is not asyncio.current_task()])

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the result of the coroutine; cancel it if the caller is interrupted.

        Raises `concurrent.futures.CancelledError` if the loop is closed.
        """
        with self._closing:  # a coroutine submitted to a stopped loop would never finish
            if self._is_closed:
                coroutine.close()
                raise CancelledError
            self._submitted.add(coroutine)
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the loop without waiting for it; do nothing if the loop is closed."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """Clean up, cancel all tasks, and end the loop and its thread. May be called again.

        If the caller is interrupted, this continues in the thread.
        """
        with self._closing:
            self._is_closed = True
        self.call(self._stopping.set)
        self._ended.result()
        self._thread.join()


class Engine:
    """The synchronous facade of an `AsyncEngine`; `with` closes it.

    It raises the same errors. Any thread may call its methods. `choose` and `end_game` run one at a time; `stop` and
    `close` may be called at any time.
    """

    protocol: ClassVar[str] = "engine"
    _engine: AsyncEngine  # set when the engine is open

    def __init__(self, opened: Coroutine[Any, Any, AsyncEngine]) -> None:
        """Create the facade of the engine that a coroutine returns; `start` runs the coroutine."""
        self._opened = opened
        self._opening: asyncio.Task[Any] | None = None
        self._loop = EventLoopThread(self.protocol, self._close)
        self._choosing = threading.Lock()
        self._is_open = self._is_closed = False
        self._is_stopped = False  # whether `stop` was called since the last `choose` began
        self._failure: PeerError | None = None  # the error that closed the engine

    @staticmethod
    def open(protocol: str, address: Any, **settings: Any) -> Engine:
        """Open the program at an address: for `hub` the command that starts it, for `dxp` and `kgp` a host and a port.

        The settings are those of the `open` of the protocol. Raises `PeerError` if the program cannot be opened, and
        `ArgumentError` for an unknown protocol.
        """
        if protocol not in PROTOCOLS:
            raise ArgumentError("protocol", protocol, f"one of {', '.join(PROTOCOLS)}")
        module, name = PROTOCOLS[protocol]
        kind: type[Engine] = getattr(import_module(module), name)
        return kind.open(address, **settings)

    def start(self) -> Self:
        """Wait until the engine is open. Raises `PeerGoneError` if another thread calls `close` meanwhile."""
        try:
            self._loop.run(self._open())
        except BaseException as error:
            with contextlib.suppress(Exception):  # an error of `close` must not replace an interrupt
                self.close()
            if isinstance(error, CancelledError):
                raise PeerGoneError(self.protocol, "was closed before it was open") from error
            raise
        return self

    async def _open(self) -> None:
        self._opening = asyncio.current_task()
        self._engine = await self._opened
        self._is_open = True

    @property
    def name(self) -> str:
        """The name that the program reports."""
        return self._engine.name if self._is_open else self.protocol

    @property
    def id(self) -> Mapping[str, str]:
        """What the program has reported about itself, as far as known: its name, version, author and country."""
        return self._engine.id if self._is_open else {}

    def run(self, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the coroutine that `begin` creates. Raises `PeerGoneError` if the engine is closed."""
        if self._failure is not None:
            problem = self._failure.problem
            problem = problem if problem.startswith(CLOSED) else f"{CLOSED}: it {problem}"
            raise PeerGoneError(self._failure.peer, problem) from self._failure
        if self._is_closed or not self._is_open:
            raise PeerGoneError(self.name, CLOSED)
        try:
            return self._loop.run(begin())
        except CancelledError as error:
            raise PeerGoneError(self.name, "was closed meanwhile") from error

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the loop without waiting for it; do nothing if the engine is closed."""
        self._loop.call(function, *arguments)

    def choose(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, clock: Clock | None = None) -> Answer:
        """Return the move of the program in a game that is not over, within the limit and the clock.

        The program ignores limits that the protocol cannot express.
        """
        with self._choosing:
            self._is_stopped = False
            try:
                return self.run(
                    lambda: self._engine.choose(game, limit, clock=clock, is_stopped=lambda: self._is_stopped)
                )
            except PeerError as error:
                self._failure = self._failure or error
                self.close()
                raise

    def stop(self) -> None:
        """End the current `choose` soon, with the best move found; a later one is not affected."""
        self._is_stopped = True
        if self._is_open:
            self.call(self._engine.stop)

    def begin_game(self, game: Game[Any, Any]) -> None:
        """Prepare the program for the variant of a game, if that takes time."""
        self.run(lambda: self._engine.begin_game(game))

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Report that the game is over, or abandoned if there is no outcome; wait for a `choose` in progress first."""
        with self._choosing:
            if not self._is_closed:
                self.run(lambda: self._engine.end_game(game, outcome))

    def close(self) -> None:
        """End the program or the connection, and wait until it has ended. May be called again.

        If the caller is interrupted, this continues in the background.
        """
        self._is_closed = True
        try:
            self._loop.close()
        finally:
            if inspect.getcoroutinestate(self._opened) == inspect.CORO_CREATED:
                self._opened.close()  # `start` was not called, or was called after `close`

    async def _close(self) -> None:
        if self._opening is not None and not self._opening.done():
            await _cancel([self._opening])
        if self._is_open:
            await self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def blocking(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Engine, P], T]:
    """Return the synchronous method of an `Engine` for a method of its `AsyncEngine`."""

    @functools.wraps(method)
    def run(engine: Engine, /, *arguments: P.args, **settings: P.kwargs) -> T:
        return engine.run(lambda: method(engine._engine, *arguments, **settings))  # noqa: SLF001 - this becomes a method of Engine

    return run


class opener(Generic[P]):  # noqa: N801 - a descriptor, used like a function
    """A static method that opens an `Engine` with the coroutine that opens its `AsyncEngine`."""

    def __init__(self, method: Callable[P, Coroutine[Any, Any, AsyncEngine]]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, _: object, owner: type[S]) -> Callable[P, S]:
        @functools.wraps(self._method)
        def open_engine(*arguments: P.args, **settings: P.kwargs) -> S:
            return owner(self._method(*arguments, **settings)).start()

        return open_engine
