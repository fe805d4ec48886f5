"""Timeouts of engines that send lines continuously, over a connection in memory."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest

from tablemen import Game
from tablemen.draughts import Position
from tablemen.errors import PeerTimeoutError
from tablemen.protocols.hub import AsyncHubEngine, HubTimeouts
from tablemen.search import Limit
from tests.fake_clock import run_in_fake_time
from tests.protocols.hub.fakes import MemoryTransport, make_transports
from tests.timeouts import TIMEOUT, run_in_time


class FloodingEngine:
    """An engine that answers commands with `answers`, and sends lines continuously after `go`."""

    def __init__(self, transport: MemoryTransport, make_line: Callable[[int], str], answers: dict[str, str]) -> None:
        self.transport, self.make_line, self.answers = transport, make_line, answers
        self.received: list[str] = []

    async def run(self) -> None:
        while (line := await self.transport.receive()) is not None:
            self.received.append(line.decode().split()[0])
            for answer in self.answers.get(self.received[-1], "").splitlines():
                await self.transport.send(answer.encode())
            if self.received[-1] == "go":
                self.flooding = asyncio.create_task(self.flood())

    async def flood(self) -> None:
        for number in itertools.count(1):
            await self.transport.send(self.make_line(number).encode())
            await asyncio.sleep(0.001)


def choose(timeouts: HubTimeouts, make_line: Callable[[int], str], **answers: str) -> tuple[str, list[str]]:
    """Return the move of a `FloodingEngine` in a search by depth, and the commands that it received."""

    async def run() -> tuple[str, list[str]]:
        ours, theirs = make_transports()
        fake = FloodingEngine(theirs, make_line, {"hub": "id name=Fake\nwait", "init": "ready", **answers})
        running = asyncio.create_task(fake.run())
        try:
            async with await AsyncHubEngine.over(ours, timeouts=timeouts) as engine:
                answer = await engine.choose(Game(Position.start("international")), Limit(depth=4))
                return str(answer.move), fake.received
        finally:
            tasks = {running, getattr(fake, "flooding", running)}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    return run_in_time(run())


@pytest.mark.parametrize("line", ["info depth=1 nodes=9 score=0.1 pv=32-28", "hello", "info", "info depth=x"])
def test_lines_without_progress_do_not_replace_a_pong(line: str) -> None:
    timeouts = HubTimeouts(quiet=0.01, pong=0.02, thinking=TIMEOUT)
    with pytest.raises(PeerTimeoutError) as caught:
        choose(timeouts, lambda _: line)
    assert caught.value.seconds == timeouts.pong


def test_an_engine_that_answers_pings_is_stopped_in_time() -> None:
    timeouts = HubTimeouts(quiet=0.005, pong=TIMEOUT, thinking=0.05, stopping=0.02)
    with pytest.raises(PeerTimeoutError) as caught:
        choose(timeouts, lambda _: "info", ping="pong")
    assert caught.value.seconds == timeouts.stopping


@pytest.mark.parametrize("line", ["info depth={}", "info nodes={}"])
def test_an_engine_with_progress_is_stopped_in_time(line: str) -> None:
    timeouts = HubTimeouts(quiet=TIMEOUT, thinking=0.02, stopping=TIMEOUT)
    assert choose(timeouts, line.format, stop="done move=32-28")[0] == "32-28"


def test_a_pong_does_not_end_a_stopped_search() -> None:
    timeouts = HubTimeouts(quiet=0.005, pong=TIMEOUT, thinking=0.05, stopping=0.06)
    with pytest.raises(PeerTimeoutError) as caught:
        choose(timeouts, lambda _: "info", stop="pong")
    assert caught.value.seconds == timeouts.stopping


def test_an_engine_with_progress_is_not_pinged() -> None:
    def make_line(number: int) -> str:
        return f"info depth={number}" if number < 50 else "done move=32-28"

    timeouts = HubTimeouts(quiet=TIMEOUT, pong=TIMEOUT, thinking=TIMEOUT)
    move, received = choose(timeouts, make_line)
    assert move == "32-28"
    assert "ping" not in received


SLOW_LINES = {"silent": [], "text": ["loading"], "options": ["param name={} value=1 type=int"], "names": ["id name={}"]}


@pytest.mark.parametrize("lines", SLOW_LINES.values(), ids=SLOW_LINES)
@pytest.mark.parametrize("is_greeted", [False, True])
def test_an_engine_that_never_becomes_ready_is_closed(lines: list[str], *, is_greeted: bool) -> None:
    timeouts = HubTimeouts()

    async def run() -> None:
        ours, theirs = make_transports()

        async def drip() -> None:
            assert await theirs.receive() == b"hub"
            if is_greeted:
                await theirs.send(b"wait")
                assert await theirs.receive() == b"init"
            for number in itertools.count():
                for line in lines:
                    await theirs.send(line.format(number % 100).encode())
                await asyncio.sleep(1.5)

        dripping = asyncio.create_task(drip())
        with pytest.raises(PeerTimeoutError) as caught:
            await AsyncHubEngine.over(ours, timeouts=timeouts)
        assert caught.value.seconds == (timeouts.init if is_greeted else timeouts.opening)
        assert ours.is_closed
        dripping.cancel()

    _, seconds = run_in_fake_time(run())
    assert seconds == pytest.approx(timeouts.init if is_greeted else timeouts.opening)
