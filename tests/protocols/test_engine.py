"""The synchronous facade of engines, and the event loop in a thread that it uses."""

from __future__ import annotations

import asyncio
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
    """Plays the first legal move, when it is stopped if `waits`; records whether it is closed."""

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
    with pytest.raises(PeerGoneError, match="fake is closed"):
        engine.choose(GAME)
    engine.end_game(GAME, None)
    engine.stop()
    engine.close()


def test_an_engine_that_fails_in_a_move_is_closed_and_says_why() -> None:
    fake = FakeAsyncEngine(fails=True)
    engine = Engine(opened(fake)).start()
    with pytest.raises(PeerGoneError, match=r"^a fake ended with status 3$"):
        engine.choose(GAME)
    assert fake.is_closed
    for _ in range(2):
        with pytest.raises(PeerGoneError, match=r"^a fake is closed: it ended with status 3$"):
            engine.choose(GAME)


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


def test_the_error_of_an_opening_is_raised() -> None:
    async def fail() -> FakeAsyncEngine:
        raise PeerGoneError("tea", "is cold")

    engine = Engine(fail())
    with pytest.raises(PeerGoneError, match="is cold"):
        engine.start()
    engine.close()


def test_an_opening_that_is_closed_cleans_up() -> None:
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
        with pytest.raises(PeerGoneError, match="engine was closed before it was open"):
            starting.result(TIMEOUT)


def test_an_engine_that_is_closed_before_its_start_is_not_opened() -> None:
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
        with pytest.raises(ArgumentError, match=r"ending is .*: a number of seconds above 0 is expected"):
            SomeTimeouts(ending=wrong)  # type: ignore[arg-type]


def test_coroutines_run_for_any_thread_and_errors_come_back() -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    loop = EventLoopThread("test")
    assert loop.run(asyncio.sleep(0, 7)) == 7
    with pytest.raises(LookupError, match="nothing there"):
        loop.run(fail())
    loop.close()
    loop.close()


def test_a_coroutine_after_the_end_of_the_loop_is_cancelled() -> None:
    loop = EventLoopThread("test")
    loop.close()
    with pytest.raises(CancelledError):
        loop.run(asyncio.sleep(0))
    loop.call(print)


def test_a_task_that_runs_at_the_end_of_the_loop_is_cancelled() -> None:
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
