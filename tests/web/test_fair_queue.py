"""The fair queue, and the request queue that is built on it."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablemen.web.fair_queue import BusyError, FairQueue, RequestQueue, Slot
from tablemen.web.models import GameFileText, ParsedFile
from tablemen.web.settings import Settings
from tests.timeouts import TIMEOUT, run_in_time
from tests.web.in_process_server import running


class Timers:
    """A fake timer service: the test fires the timers."""

    def __init__(self) -> None:
        self.calls: list[Callable[[], None]] = []

    def call_later(self, _seconds: float, call: Callable[[], None]) -> Timers.Timer:
        self.calls.append(call)
        return Timers.Timer(self, call)

    def fire(self) -> None:
        """Fire all timers."""
        calls, self.calls = self.calls, []
        for call in calls:
            call()

    class Timer:
        def __init__(self, timers: Timers, call: Callable[[], None]) -> None:
            self.timers, self.call = timers, call

        def cancel(self) -> None:
            if self.call in self.timers.calls:
                self.timers.calls.remove(self.call)


class QueuedTasks:
    """A queue with named tasks that record when they are preempted."""

    def __init__(self, slots: int = 1, *, waiting: int = 100, waiting_per_client: int = 100) -> None:
        self.timers = Timers()
        self.queue = FairQueue(
            slots,
            quantum=3,
            max_waiting=waiting,
            max_waiting_per_client=waiting_per_client,
            call_later=self.timers.call_later,
        )
        self.preempted: list[str] = []
        self.slots: dict[str, Slot] = {}

    def enter(self, name: str, client: str | None = None) -> Slot:
        slot = self.queue.enqueue(client or name, lambda: self.preempted.append(name))
        self.slots[name] = slot
        return slot

    @property
    def running(self) -> list[str]:
        return [name for name, slot in self.slots.items() if not slot.is_waiting]

    def round(self) -> list[str]:
        """Expire the quantum of all running tasks, requeue the preempted ones, and return the running ones."""
        self.timers.fire()
        for name in self.preempted:
            self.slots[name].requeue()
        self.preempted.clear()
        return self.running


def test_slots_are_granted_in_order() -> None:
    tasks = QueuedTasks(2)
    for name in "abc":
        tasks.enter(name)
    assert tasks.running == ["a", "b"]
    assert (tasks.queue.running, tasks.queue.waiting) == (2, 1)
    tasks.slots.pop("a").release()
    assert tasks.running == ["b", "c"]


def test_no_task_is_preempted_while_none_is_queued() -> None:
    tasks = QueuedTasks()
    tasks.enter("a")
    tasks.timers.fire()
    assert tasks.preempted == []


def test_an_expired_task_is_preempted_by_the_next_one() -> None:
    tasks = QueuedTasks()
    tasks.enter("a")
    tasks.timers.fire()
    tasks.enter("b")
    assert tasks.preempted == ["a"]


def test_a_task_is_not_preempted_within_its_quantum() -> None:
    tasks = QueuedTasks()
    tasks.enter("a")
    tasks.enter("b")
    assert tasks.preempted == []


def test_scheduling_is_round_robin() -> None:
    tasks = QueuedTasks()
    for name in "abc":
        tasks.enter(name)
    assert [tasks.round() for _ in range(5)] == [["b"], ["c"], ["a"], ["b"], ["c"]]


def test_no_more_tasks_are_preempted_than_queued() -> None:
    tasks = QueuedTasks(3)
    for name in "abc":
        tasks.enter(name)
    tasks.timers.fire()
    tasks.enter("d")
    assert tasks.preempted == ["a"]
    tasks.enter("e")
    assert tasks.preempted == ["a", "b"]


def test_clients_get_equal_shares() -> None:
    tasks = QueuedTasks()
    for number in range(50):
        tasks.enter(f"greedy {number}", "greedy")
    tasks.enter("modest")
    seen = [tasks.round()[0] for _ in range(10)]
    assert seen.count("modest") == 5


def test_all_tasks_of_a_client_run_in_turn() -> None:
    tasks = QueuedTasks()
    names = [f"work {number}" for number in range(4)]
    for name in names:
        tasks.enter(name, "one")
    assert {tasks.round()[0] for _ in range(4)} == set(names)


def test_too_many_tasks_are_refused() -> None:
    tasks = QueuedTasks(waiting=2)
    for name in "abc":
        tasks.enter(name)
    with pytest.raises(BusyError):
        tasks.enter("d")
    tasks.slots["c"].release()
    tasks.enter("d")
    assert tasks.queue.waiting == 2


def test_too_many_tasks_of_one_client_are_refused_while_others_are_queued() -> None:
    tasks = QueuedTasks(waiting_per_client=2)
    for name in "abc":
        tasks.enter(name, "greedy")
    with pytest.raises(BusyError):
        tasks.enter("d", "greedy")
    tasks.enter("e", "modest")
    assert tasks.queue.waiting == 3


def test_a_running_task_can_always_requeue() -> None:
    tasks = QueuedTasks(waiting=1)
    tasks.enter("a")
    tasks.enter("b")
    assert [tasks.round() for _ in range(3)] == [["b"], ["a"], ["b"]]


def test_a_released_task_does_not_run() -> None:
    async def run() -> tuple[bool, bool]:
        tasks = QueuedTasks()
        tasks.enter("a")
        waiting = tasks.enter("b")
        acquiring = asyncio.ensure_future(waiting.acquire())
        waiting.release()
        waiting.release()  # has no further effect
        waiting.requeue()
        return await acquiring, tasks.queue.waiting == 0

    assert run_in_time(run()) == (False, True)


def test_acquiring_waits_for_the_slot() -> None:
    async def run() -> list[str]:
        tasks, order = QueuedTasks(), list[str]()

        async def work(name: str) -> None:
            slot = tasks.enter(name)
            assert await slot.acquire()
            order.append(name)
            await asyncio.sleep(0)
            slot.release()

        await asyncio.gather(*(work(name) for name in "abc"))
        assert tasks.queue.running == 0
        assert tasks.timers.calls == []
        return order

    assert run_in_time(run()) == ["a", "b", "c"]


class Work:
    """Jobs that block until `finish` is called; `maximum` counts the concurrent jobs of each client."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.in_progress: Counter[str] = Counter()
        self.maximum: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._end = threading.Event()
        self._lock = threading.Lock()

    def do(self, client: str) -> str:
        with self._lock:
            self.in_progress[client] += 1
            self.maximum = self.maximum | self.in_progress | Counter(all=self.in_progress.total())
        self._loop.call_soon_threadsafe(self.begun.put_nowait, client)
        assert self._end.wait(TIMEOUT)
        with self._lock:
            self.in_progress[client] -= 1
        return client

    def finish(self) -> None:
        self._end.set()


def request_queue(tmp_path: Path, **limits: Any) -> RequestQueue:
    return RequestQueue(Settings(database=tmp_path / "games.sqlite", **limits))


def test_one_client_cannot_use_all_threads(tmp_path: Path) -> None:
    async def run() -> tuple[list[str], Work]:
        work, queue = Work(), request_queue(tmp_path, request_threads=3, request_threads_of_one=2)
        jobs = [asyncio.create_task(queue.run("greedy", work.do, "greedy")) for _ in range(10)]
        assert [await work.begun.get() for _ in range(2)] == ["greedy", "greedy"]
        jobs.append(asyncio.create_task(queue.run("modest", work.do, "modest")))
        assert await work.begun.get() == "modest"  # before eight requests that were queued earlier
        work.finish()
        return await asyncio.gather(*jobs), work

    done, work = run_in_time(run())
    assert done == ["greedy"] * 10 + ["modest"]
    assert work.maximum["greedy"] == 2
    assert work.maximum["all"] == 3


def test_clients_are_served_in_turn(tmp_path: Path) -> None:
    async def run() -> list[str]:
        work, queue = Work(), request_queue(tmp_path, request_threads=1)
        names = ["greedy"] * 4 + ["modest"]
        jobs = [asyncio.create_task(queue.run(name, work.do, name)) for name in names]
        await work.begun.get()
        work.finish()
        await asyncio.gather(*jobs)
        return [work.begun.get_nowait() for _ in range(4)]

    assert run_in_time(run()) == ["modest", "greedy", "greedy", "greedy"]


def test_failed_work_frees_its_slot(tmp_path: Path) -> None:
    async def run() -> int:
        queue = request_queue(tmp_path, request_threads=1)
        with pytest.raises(ValueError):  # noqa: PT011 - raised by `int`
            await queue.run("a", int, "x")
        return await queue.run("a", int, "5")

    assert run_in_time(run()) == 5


def test_a_cancelled_request_keeps_its_slot_until_its_thread_ends(tmp_path: Path) -> None:
    async def run() -> None:
        work, queue = Work(), request_queue(tmp_path, request_threads=1, waiting=0)
        job = asyncio.create_task(queue.run("a", work.do, "a"))
        await work.begun.get()
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        with pytest.raises(BusyError):
            await queue.run("b", int, "5")
        work.finish()
        while True:
            try:
                assert await queue.run("b", int, "5") == 5
            except BusyError:
                await asyncio.sleep(0.001)
            else:
                return

    run_in_time(run())


def test_a_full_queue_refuses_requests(tmp_path: Path) -> None:
    async def run() -> None:
        work, queue = Work(), request_queue(tmp_path, request_threads=1, waiting=0)
        job = asyncio.create_task(queue.run("a", work.do, "a"))
        await work.begun.get()
        with pytest.raises(BusyError):
            await queue.run("b", work.do, "b")
        work.finish()
        await job

    run_in_time(run())


def test_a_slow_file_does_not_block_other_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, end = threading.Event(), threading.Event()

    def read(_file: GameFileText) -> ParsedFile:
        begun.set()
        assert end.wait(TIMEOUT)
        return ParsedFile(games=[])

    monkeypatch.setattr("tablemen.web.routes.positions.parse_file", read)
    with running(tmp_path, request_threads=1, waiting=0) as server, ThreadPoolExecutor(1) as threads:
        try:
            answer = threads.submit(server.post, "/api/files/read", {"text": ""})
            assert begun.wait(TIMEOUT)
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
                assert "requests" in refused.json()["error"]
        finally:
            end.set()
        assert answer.result(TIMEOUT).json() == {"games": [], "problems": []}
