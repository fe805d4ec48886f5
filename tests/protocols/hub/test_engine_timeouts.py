"""Searches of engines that send lines without an end, over a connection in memory."""

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
from tests.protocols.hub.fakes import MemoryTransport, wire
from tests.timeouts import TIMEOUT, run_in_time


class Talker:
    """An engine that sends lines all the time while it searches, and given answers."""

    def __init__(self, end: MemoryTransport, talk: Callable[[int], str], answers: dict[str, str]) -> None:
        self.end, self.talk, self.answers = end, talk, answers
        self.heard: list[str] = []

    async def run(self) -> None:
        while (line := await self.end.receive()) is not None:
            self.heard.append(line.decode().split()[0])
            for answer in self.answers.get(self.heard[-1], "").splitlines():
                await self.end.send(answer.encode())
            if self.heard[-1] == "go":
                self.talking = asyncio.create_task(self.flood())

    async def flood(self) -> None:
        for number in itertools.count(1):
            await self.end.send(self.talk(number).encode())
            await asyncio.sleep(0.001)


def choose(timeouts: HubTimeouts, talk: Callable[[int], str], **answers: str) -> tuple[str, list[str]]:
    """Return the move of a talker in a search by depth, and the commands that it received."""

    async def run() -> tuple[str, list[str]]:
        board, program = wire()
        talker = Talker(program, talk, {"hub": "id name=Talker\nwait", "init": "ready", **answers})
        running = asyncio.create_task(talker.run())
        try:
            async with await AsyncHubEngine.over(board, timeouts=timeouts) as engine:
                answer = await engine.choose(Game(Position.start("international")), Limit(depth=4))
                return str(answer.move), talker.heard
        finally:
            for task in (running, getattr(talker, "talking", running)):
                task.cancel()
            await asyncio.gather(running, getattr(talker, "talking", running), return_exceptions=True)

    return run_in_time(run())


@pytest.mark.parametrize("line", ["info depth=1 nodes=9 score=0.1 pv=32-28", "news of nothing", "info", "info depth=x"])
def test_lines_without_progress_are_not_a_sign_of_life(line: str) -> None:
    timeouts = HubTimeouts(quiet=0.02, pong=0.02, thinking=TIMEOUT)
    with pytest.raises(PeerTimeoutError, match=r"did not answer a ping within 0\.02 s$"):
        choose(timeouts, lambda _: line)


def test_an_engine_that_answers_pings_is_stopped_in_time() -> None:
    timeouts = HubTimeouts(quiet=0.005, pong=TIMEOUT, thinking=0.05, stopping=0.02)
    with pytest.raises(PeerTimeoutError, match=r"was told to stop its search, and did not within 0\.02 s$"):
        choose(timeouts, lambda _: "info", ping="pong")


@pytest.mark.parametrize("talk", ["info depth={}", "info nodes={}"])
def test_an_engine_with_progress_is_stopped_in_time(talk: str) -> None:
    timeouts = HubTimeouts(quiet=TIMEOUT, thinking=0.02, stopping=TIMEOUT)
    assert choose(timeouts, talk.format, stop="done move=32-28")[0] == "32-28"


def test_a_pong_does_not_end_a_stopped_search() -> None:
    timeouts = HubTimeouts(quiet=0.005, pong=TIMEOUT, thinking=0.05, stopping=0.05)
    with pytest.raises(PeerTimeoutError, match="was told to stop its search"):
        choose(timeouts, lambda _: "info", stop="pong")


def test_an_engine_with_progress_is_not_pinged() -> None:
    def talk(number: int) -> str:
        return f"info depth={number}" if number < 50 else "done move=32-28"

    timeouts = HubTimeouts(quiet=TIMEOUT, pong=TIMEOUT, thinking=TIMEOUT)
    move, heard = choose(timeouts, talk)
    assert move == "32-28"
    assert "ping" not in heard
