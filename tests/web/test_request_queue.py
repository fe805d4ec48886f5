"""The queue of requests for files and positions, shared fairly between clients."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablemen.web.fair_queue import BusyError, RequestQueue
from tablemen.web.models import GameFileText, ParsedFile
from tablemen.web.settings import Settings
from tests.patience import LONG, run_in_time
from tests.web.running import running


class Work:
    """Work that blocks until it is finished, and counts how much of each client runs at a time."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.in_progress: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._end = threading.Event()
        self._lock = threading.Lock()

    def do(self, client: str) -> str:
        with self._lock:
            self.in_progress[client] += 1
            self.most = self.most | self.in_progress | Counter(all=self.in_progress.total())
        self._loop.call_soon_threadsafe(self.begun.put_nowait, client)
        assert self._end.wait(LONG)
        with self._lock:
            self.in_progress[client] -= 1
        return client

    def finish(self) -> None:
        self._end.set()


def request_queue(tmp_path: Path, **limits: Any) -> RequestQueue:
    return RequestQueue(Settings(database=tmp_path / "games.sqlite", **limits))


def test_no_client_has_all_threads(tmp_path: Path) -> None:
    async def ask() -> tuple[list[str], Work]:
        work, queue = Work(), request_queue(tmp_path, request_threads=3, request_threads_of_one=2)
        asked = [asyncio.create_task(queue.run("greedy", work.do, "greedy")) for _ in range(10)]
        assert [await work.begun.get() for _ in range(2)] == ["greedy", "greedy"]
        asked.append(asyncio.create_task(queue.run("modest", work.do, "modest")))
        assert await work.begun.get() == "modest"  # while eight wait that came before
        work.finish()
        return await asyncio.gather(*asked), work

    done, work = run_in_time(ask())
    assert done == ["greedy"] * 10 + ["modest"]
    assert work.most["greedy"] == 2
    assert work.most["all"] == 3


def test_clients_are_served_in_turn(tmp_path: Path) -> None:
    async def ask() -> list[str]:
        work, queue = Work(), request_queue(tmp_path, request_threads=1)
        names = ["greedy"] * 4 + ["modest"]
        asked = [asyncio.create_task(queue.run(name, work.do, name)) for name in names]
        await work.begun.get()
        work.finish()
        await asyncio.gather(*asked)
        return [work.begun.get_nowait() for _ in range(4)]

    assert run_in_time(ask()) == ["modest", "greedy", "greedy", "greedy"]


def test_failed_work_frees_its_slot(tmp_path: Path) -> None:
    async def ask() -> int:
        queue = request_queue(tmp_path, request_threads=1)
        with pytest.raises(ValueError, match="invalid literal"):
            await queue.run("a", int, "x")
        return await queue.run("a", int, "5")

    assert run_in_time(ask()) == 5


def test_a_full_queue_refuses_requests(tmp_path: Path) -> None:
    async def ask() -> None:
        work, queue = Work(), request_queue(tmp_path, request_threads=1, waiting=0)
        asked = asyncio.create_task(queue.run("a", work.do, "a"))
        await work.begun.get()
        with pytest.raises(BusyError, match="0 requests wait already"):
            await queue.run("b", work.do, "b")
        work.finish()
        await asked

    run_in_time(ask())


def test_a_slow_file_does_not_block_other_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, end = threading.Event(), threading.Event()

    def read(_file: GameFileText) -> ParsedFile:
        begun.set()
        assert end.wait(LONG)
        return ParsedFile(games=[])

    monkeypatch.setattr("tablemen.web.routes.positions.parse_file", read)
    with running(tmp_path, request_threads=1, waiting=0) as server, ThreadPoolExecutor(1) as threads:
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
