"""The synchronous facade of engines, and the event loop in a thread that it uses."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from tablemen import Game
from tablemen.draughts import Position
from tablemen.errors import ArgumentError, PeerGoneError
from tablemen.protocols.engine import NO_LIMIT, Answer, AsyncEngine, Engine, EventLoopThread, Timeouts
from tablemen.search import Clock, Limit
from tests.timeouts import TIMEOUT


class FakeAsyncEngine(AsyncEngine):
    """An engine that plays the first legal move; with `waits`, only after `stop`."""

    def __init__(self, *, waits: bool = False, fails: bool = False) -> None:
        self.waits, self.fails = waits, fails
        self.is_closed = False
        self.chooses = threading.Event()
        self._stopped: asyncio.Event | None = None

    @property
    def name(self) -> str:
        return "fake"

    async def choose(
        self,
        game: Game[Any, Any],
        limit: Limit = NO_LIMIT,  # noqa: ARG002
        *,
        clock: Clock | None = None,  # noqa: ARG002
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        if self.fails:
            raise PeerGoneError("a fake", "ended with status 3")
        self._stopped = asyncio.Event()
        self.chooses.set()
        if self.waits and not is_stopped():
            await self._stopped.wait()
        return Answer(game.legal_moves()[0])

    def stop(self) -> None:
        if self._stopped is not None:
            self._stopped.set()

    async def close(self) -> None:
        self.is_closed = True


async def opened(engine: FakeAsyncEngine) -> FakeAsyncEngine:
    await asyncio.sleep(0)
    return engine


GAME = Game(Position.start("international"))


def test_an_engine_is_opened_used_and_closed() -> None:
    fake = FakeAsyncEngine()
    with Engine(opened(fake)).start() as engine:
        assert engine.name == "fake"
        engine.begin_game(GAME)
        assert engine.choose(GAME).move == GAME.legal_moves()[0]
        engine.end_game(GAME, None)
    assert fake.is_closed
    with pytest.raises(PeerGoneError) as caught:
        engine.choose(GAME)
    assert caught.value.peer == "fake"
    assert caught.value.__cause__ is None
    engine.end_game(GAME, None)
    engine.stop()
    engine.close()


def test_a_failure_closes_the_engine_and_is_the_cause_of_later_errors() -> None:
    fake = FakeAsyncEngine(fails=True)
    engine = Engine(opened(fake)).start()
    with pytest.raises(PeerGoneError) as failure:
        engine.choose(GAME)
    assert (failure.value.peer, failure.value.problem) == ("a fake", "ended with status 3")
    assert fake.is_closed
    for _ in range(2):
        with pytest.raises(PeerGoneError) as caught:
            engine.choose(GAME)
        assert caught.value.peer == "a fake"
        assert caught.value.__cause__ is failure.value
        assert caught.value.problem.endswith("ended with status 3")


def test_stop_ends_the_current_move_and_no_later_one() -> None:
    fake = FakeAsyncEngine(waits=True)
    with Engine(opened(fake)).start() as engine, ThreadPoolExecutor() as threads:
        engine.stop()
        for _ in range(2):
            fake.chooses.clear()
            chosen = threads.submit(engine.choose, GAME)
            assert fake.chooses.wait(TIMEOUT)
            assert not chosen.done()
            engine.stop()
            assert chosen.result(TIMEOUT).move == GAME.legal_moves()[0]


def test_an_error_while_opening_is_raised() -> None:
    async def fail() -> FakeAsyncEngine:
        raise error

    error = PeerGoneError("a fake", "cannot be started")
    engine = Engine(fail())
    with pytest.raises(PeerGoneError) as caught:
        engine.start()
    assert caught.value is error
    engine.close()


def test_closing_while_opening_cleans_up() -> None:
    has_begun, has_ended = threading.Event(), threading.Event()

    async def wait() -> FakeAsyncEngine:
        has_begun.set()
        try:
            await asyncio.sleep(TIMEOUT)
        finally:
            await asyncio.sleep(0)
            has_ended.set()
        return FakeAsyncEngine()

    engine = Engine(wait())
    with ThreadPoolExecutor() as threads:
        starting = threads.submit(engine.start)
        assert has_begun.wait(TIMEOUT)
        for _ in range(2):
            engine.close()
            assert has_ended.is_set()
        with pytest.raises(PeerGoneError) as caught:
            starting.result(TIMEOUT)
    assert isinstance(caught.value.__cause__, CancelledError)


def interrupt_main_thread() -> None:
    """Send the signal of Ctrl-C."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def test_an_interrupt_while_opening_cleans_up() -> None:
    has_ended = threading.Event()

    async def wait() -> FakeAsyncEngine:
        interrupt_main_thread()
        try:
            await asyncio.sleep(TIMEOUT)
        finally:
            for _ in range(20):  # time for a second cancellation to arrive
                await asyncio.sleep(0.01)
            has_ended.set()
        return FakeAsyncEngine()

    with pytest.raises(KeyboardInterrupt):
        Engine(wait()).start()
    assert has_ended.is_set()


def test_an_engine_that_opens_despite_cancellation_is_closed() -> None:
    fake = FakeAsyncEngine()

    async def wait() -> FakeAsyncEngine:
        interrupt_main_thread()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(TIMEOUT)
        await asyncio.sleep(0.1)
        return fake

    with pytest.raises(KeyboardInterrupt):
        Engine(wait()).start()
    assert fake.is_closed


def test_an_interrupt_is_raised_even_if_closing_fails() -> None:
    class FailingEngine(FakeAsyncEngine):
        async def close(self) -> None:
            raise PeerGoneError("a fake", "is gone")

    async def wait() -> FakeAsyncEngine:
        interrupt_main_thread()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(TIMEOUT)
        return FailingEngine()

    with pytest.raises(KeyboardInterrupt):
        Engine(wait()).start()


def test_an_engine_is_closed_even_if_closing_it_is_interrupted() -> None:
    class SlowEngine(FakeAsyncEngine):
        async def close(self) -> None:
            interrupt_main_thread()
            await asyncio.sleep(0.2)
            self.is_closed = True

    slow = SlowEngine()
    engine = Engine(opened(slow)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.close()
    engine.close()
    assert slow.is_closed


def test_an_engine_closed_before_its_start_is_not_opened() -> None:
    begun: list[str] = []

    async def begin() -> FakeAsyncEngine:
        begun.append("begun")
        return FakeAsyncEngine()

    engine = Engine(begin())
    engine.close()
    with pytest.raises(PeerGoneError):
        engine.start()
    assert not begun


@dataclass(frozen=True, kw_only=True)
class SomeTimeouts(Timeouts):
    moving: float | None = None
    ending: float = 5.0


def test_timeouts_are_positive_numbers_of_seconds() -> None:
    assert SomeTimeouts(moving=1).moving == 1
    assert SomeTimeouts().moving is None
    for wrong in (0, -1, True, "5", float("nan"), None):
        with pytest.raises(ArgumentError) as caught:
            SomeTimeouts(ending=wrong)  # type: ignore[arg-type]
        assert caught.value.name == "ending"
        assert caught.value.value is wrong


def test_the_loop_returns_results_and_raises_errors() -> None:
    async def fail() -> None:
        raise error

    loop = EventLoopThread("test")
    assert loop.run(asyncio.sleep(0, 7)) == 7
    error = LookupError()
    with pytest.raises(LookupError) as caught:
        loop.run(fail())
    assert caught.value is error
    loop.close()
    loop.close()


def test_a_coroutine_is_cancelled_if_the_loop_is_closed() -> None:
    loop = EventLoopThread("test")
    loop.close()
    with pytest.raises(CancelledError):
        loop.run(asyncio.sleep(0))
    loop.call(print)


def test_closing_the_loop_cancels_running_tasks() -> None:
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    async def begin() -> asyncio.Task[None]:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        return task

    loop = EventLoopThread("test")
    task = loop.run(begin())
    loop.close()
    assert ended.is_set()
    assert task.cancelled()


def test_submitted_coroutines_are_cancelled_before_other_tasks() -> None:
    """When the start of a process is cancelled, asyncio waits for another task that connects its pipes."""
    has_begun, has_ended = threading.Event(), threading.Event()

    async def connect(connected: asyncio.Event) -> None:
        await asyncio.sleep(0.1)
        connected.set()

    async def start() -> None:
        connected = asyncio.Event()
        connecting = asyncio.create_task(connect(connected))
        has_begun.set()
        try:
            await asyncio.sleep(TIMEOUT)
        finally:
            await connected.wait()
            await connecting
            has_ended.set()

    def run() -> None:
        with pytest.raises(CancelledError):
            loop.run(start())

    loop = EventLoopThread("test")
    threads = [threading.Thread(target=each, daemon=True) for each in (run, loop.close)]  # daemons, since they may hang
    threads[0].start()
    assert has_begun.wait(TIMEOUT)
    threads[1].start()
    assert has_ended.wait(TIMEOUT)
    for thread in threads:
        thread.join(TIMEOUT)
        assert not thread.is_alive()


def test_cleanup_runs_before_tasks_are_cancelled() -> None:
    events: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.sleep(TIMEOUT)
        finally:
            events.append("cancelled")

    async def begin() -> asyncio.Task[None]:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        return task

    async def clean_up() -> None:
        await asyncio.sleep(0)
        events.append("cleaned up")
        raise error

    error = LookupError()
    loop = EventLoopThread("test", clean_up)
    loop.run(begin())
    with pytest.raises(LookupError) as caught:
        loop.close()
    assert caught.value is error
    assert events == ["cleaned up", "cancelled"]
