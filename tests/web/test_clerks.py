"""Files and positions in turn: one who asks for much keeps nobody else from being answered."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablemen.web.clerks import Clerks
from tablemen.web.models import GameFile, ReadFile
from tablemen.web.settings import Settings
from tablemen.web.turns import BusyError
from tests.patience import LONG, run_in_time
from tests.web.running import running


class Work:
    """Work that goes on until it is let go; it knows whose is going on, and how much of each client's ever was."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.going_on: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._end = threading.Event()
        self._lock = threading.Lock()

    def do(self, client: str) -> str:
        with self._lock:
            self.going_on[client] += 1
            self.most = self.most | self.going_on | Counter(all=self.going_on.total())
        self._loop.call_soon_threadsafe(self.begun.put_nowait, client)
        assert self._end.wait(LONG)
        with self._lock:
            self.going_on[client] -= 1
        return client

    def let_go(self) -> None:
        self._end.set()


def clerks(tmp_path: Path, **limits: Any) -> Clerks:
    return Clerks(Settings(database=tmp_path / "games.sqlite", **limits))


def test_nobody_has_all_of_them(tmp_path: Path) -> None:
    async def ask() -> tuple[list[str], Work]:
        work, some = Work(), clerks(tmp_path, clerks=3, clerks_of_one=2)
        asked = [asyncio.create_task(some.do("greedy", work.do, "greedy")) for _ in range(10)]
        assert [await work.begun.get() for _ in range(2)] == ["greedy", "greedy"]
        asked.append(asyncio.create_task(some.do("modest", work.do, "modest")))
        assert await work.begun.get() == "modest"  # while eight wait that came before
        work.let_go()
        return await asyncio.gather(*asked), work

    done, work = run_in_time(ask())
    assert done == ["greedy"] * 10 + ["modest"]
    assert work.most["greedy"] == 2
    assert work.most["all"] == 3


def test_whoever_waits_is_served_in_turn(tmp_path: Path) -> None:
    async def ask() -> list[str]:
        work, some = Work(), clerks(tmp_path, clerks=1)
        names = ["greedy"] * 4 + ["modest"]
        asked = [asyncio.create_task(some.do(name, work.do, name)) for name in names]
        await work.begun.get()
        work.let_go()
        await asyncio.gather(*asked)
        return [work.begun.get_nowait() for _ in range(4)]

    assert run_in_time(ask()) == ["modest", "greedy", "greedy", "greedy"]


def test_work_that_fails_leaves_its_place(tmp_path: Path) -> None:
    async def ask() -> int:
        some = clerks(tmp_path, clerks=1)
        with pytest.raises(ValueError, match="invalid literal"):
            await some.do("a", int, "x")
        return await some.do("a", int, "5")

    assert run_in_time(ask()) == 5


def test_who_comes_when_too_many_wait_is_told_so(tmp_path: Path) -> None:
    async def ask() -> None:
        work, some = Work(), clerks(tmp_path, clerks=1, waiting=0)
        asked = asyncio.create_task(some.do("a", work.do, "a"))
        await work.begun.get()
        with pytest.raises(BusyError, match="0 requests wait already"):
            await some.do("b", work.do, "b")
        work.let_go()
        await asked

    run_in_time(ask())


def test_a_file_that_takes_long_keeps_no_other_request_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, end = threading.Event(), threading.Event()

    def read(_file: GameFile) -> ReadFile:
        begun.set()
        assert end.wait(LONG)
        return ReadFile(games=[])

    monkeypatch.setattr("tablemen.web.routes.files.read_file", read)
    with running(tmp_path, clerks=1, waiting=0) as server, ThreadPoolExecutor(1) as threads:
        try:
            answer = threads.submit(server.post, "/api/files/read", {"text": ""})
            assert begun.wait(LONG)
            assert server.post("/api/games", {"variant": "kalah"}).status_code == 201
            for path, body in (
                ("/api/files/read", {"text": ""}),
                ("/api/files/write", {"variant": "kalah"}),
                ("/api/positions", {"variant": "kalah"}),
                ("/api/analyse", {"subject": {"variant": "kalah"}}),
            ):
                refused = server.post(path, body)
                assert refused.status_code == 503
                assert refused.headers["retry-after"] == "5"
                assert refused.json()["error"] == "0 requests wait already; try again a little later"
        finally:
            end.set()
        assert answer.result(LONG).json() == {"games": [], "problems": []}
