"""A round-robin fair queue: a few slots that all clients share equally."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response

from tablemen.errors import WorkLimitError
from tablemen.web.limits import client_address
from tablemen.web.settings import Settings
from tablemen.work import remaining_work, work_limit

T = TypeVar("T")


class BusyError(Exception):
    """Too many tasks are queued."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> object:
        """Cancel the call."""


CallLater: TypeAlias = Callable[[float, Callable[[], None]], Timer]


def _call_later(seconds: float, call: Callable[[], None]) -> Timer:
    return asyncio.get_running_loop().call_later(seconds, call)


class Slot:
    """The slot of one task, which is queued, running or released."""

    def __init__(self, queue: FairQueue, client: str, on_preempt: Callable[[], None]) -> None:
        self.client = client
        self.is_expired = False  # whether the quantum has passed
        self.is_preempted = False
        self.timer: Timer | None = None
        self._queue = queue
        self._on_preempt = on_preempt
        self._granted = asyncio.Event()
        self._is_released = False

    @property
    def is_waiting(self) -> bool:
        """Whether the task is still queued."""
        return not self._granted.is_set()

    async def acquire(self) -> bool:
        """Wait for the slot; return False if it was released meanwhile."""
        await self._granted.wait()
        return not self._is_released

    def requeue(self) -> None:
        """Give up the slot and join the end of the queue. If the queue is empty, the slot is granted again at once."""
        if not self._is_released:
            self._granted.clear()
            self._queue.requeue(self)

    def release(self) -> None:
        """Give up the slot or leave the queue for good."""
        if not self._is_released:
            self._is_released = True
            self._queue.remove(self)
            self._granted.set()

    def grant(self) -> None:
        """Start the task."""
        self.is_expired = self.is_preempted = False
        self._granted.set()

    def preempt(self) -> None:
        """Notify the task that it must requeue."""
        self.is_preempted = True
        self._on_preempt()


class FairQueue:
    """A queue that grants slots to clients in turn, so that a client with many tasks gets no larger share.

    A task that has run for `quantum` seconds is preempted if others are queued: `on_preempt` is called, and the task
    must requeue as soon as it can. Without a quantum, tasks run to their end. No client has more than
    `slots_per_client` slots at a time. `label` names the tasks in messages, and `call_later` starts a timer.
    """

    def __init__(  # noqa: PLR0913 - most of them are limits
        self,
        slots: int,
        *,
        max_waiting: int,
        max_waiting_per_client: int,
        slots_per_client: int | None = None,
        quantum: float | None = None,
        label: str = "analyses",
        call_later: CallLater = _call_later,
    ) -> None:
        self._slots = slots
        self._slots_per_client = slots if slots_per_client is None else slots_per_client
        self._max_waiting, self._max_waiting_per_client = max_waiting, max_waiting_per_client
        self._quantum = quantum
        self._label = label
        self._call_later = call_later
        self._running: list[Slot] = []  # in order of their start
        self._waiting: dict[str, deque[Slot]] = {}  # a queue for each client
        self._grants = 0
        self._last_grant: dict[str, int] = {}  # number of the last grant of each client in the queue
        self.refused = 0  # tasks so far

    @property
    def waiting(self) -> int:
        """The number of queued tasks."""
        return sum(map(len, self._waiting.values()))

    @property
    def running(self) -> int:
        """The number of granted slots."""
        return len(self._running)

    def enqueue(self, client: str, on_preempt: Callable[[], None] = lambda: None) -> Slot:
        """Queue a new task; raise `BusyError` if too many are queued."""
        is_free = self.running < self._slots and self._may_start(client)
        if not is_free and self.waiting >= self._max_waiting:
            self.refused += 1
            raise BusyError(f"too many {self._label} are queued ({self.waiting}); try again later")
        if not is_free and len(self._waiting.get(client, ())) >= self._max_waiting_per_client:
            count = self._max_waiting_per_client
            self.refused += 1
            raise BusyError(f"too many of your {self._label} are queued ({count}); try again later")
        slot = Slot(self, client, on_preempt)
        self._append(slot)
        return slot

    def requeue(self, slot: Slot) -> None:
        """Move a running task to the end of the queue."""
        self._discard(slot)
        self._append(slot)

    def remove(self, slot: Slot) -> None:
        """Remove a task, running or queued."""
        self._discard(slot)
        self._schedule()
        if slot.client not in self._waiting and not any(each.client == slot.client for each in self._running):
            self._last_grant.pop(slot.client, None)

    def cancel_waiting(self) -> None:
        """Release all queued tasks."""
        for slot in [slot for queue in self._waiting.values() for slot in queue]:
            slot.release()

    def _append(self, slot: Slot) -> None:
        self._waiting.setdefault(slot.client, deque()).append(slot)
        self._schedule()

    def _discard(self, slot: Slot) -> None:
        if slot.timer is not None:
            slot.timer.cancel()
            slot.timer = None
        if slot in self._running:
            self._running.remove(slot)
        else:
            queue = self._waiting.get(slot.client, deque())
            if slot in queue:
                queue.remove(slot)
            if not queue:
                self._waiting.pop(slot.client, None)

    def _schedule(self) -> None:
        """Grant the free slots, then preempt one expired task for each task that is still queued."""
        while self.running < self._slots and (client := self._next_client()) is not None:
            self._start(client)
        preempted = sum(slot.is_preempted for slot in self._running)
        for slot in tuple(self._running):
            if preempted < self.waiting and slot.is_expired and not slot.is_preempted:
                preempted += 1
                slot.preempt()

    def _may_start(self, client: str) -> bool:
        return sum(slot.client == client for slot in self._running) < self._slots_per_client

    def _next_client(self) -> str | None:
        """Return the client with the oldest last grant among those that may have another slot."""
        return min(filter(self._may_start, self._waiting), key=lambda each: self._last_grant.get(each, 0), default=None)

    def _start(self, client: str) -> None:
        slot = self._waiting[client].popleft()
        if not self._waiting[client]:
            del self._waiting[client]
        self._grants += 1
        self._last_grant[client] = self._grants
        self._running.append(slot)
        slot.grant()
        if self._quantum is not None:
            slot.timer = self._call_later(self._quantum, lambda: self._expire(slot))

    def _expire(self, slot: Slot) -> None:
        slot.is_expired = True
        self._schedule()


class RequestQueue:
    """A fair queue for the work of requests, which runs in a few threads.

    The number of threads is small because they all compete with the event loop for the GIL.
    """

    def __init__(self, settings: Settings) -> None:
        self._queue = FairQueue(
            settings.request_threads,
            slots_per_client=settings.request_threads_of_one,
            max_waiting=settings.waiting,
            max_waiting_per_client=settings.waiting_of_one,
            label="requests",
        )
        self.work_used = 0  # units of all requests so far
        self.exceeded = 0  # requests that exceeded the work limit
        self._work = settings.request_work
        self._lock = threading.Lock()

    async def run(self, client: str, work: Callable[..., T], *arguments: object) -> T:
        """Run the work when it is the client's turn, and return the result.

        Raises `BusyError` if the queue is full, and `WorkLimitError` if the work exceeds its limit. If the caller is
        cancelled, the slot is released when the thread has finished.
        """
        slot = self._queue.enqueue(client)
        try:
            await slot.acquire()
        except BaseException:
            slot.release()
            raise
        running = asyncio.ensure_future(run_in_threadpool(self._run, work, *arguments))
        running.add_done_callback(lambda _: slot.release())
        return await asyncio.shield(running)

    def _run(self, work: Callable[..., T], *arguments: object) -> T:
        with work_limit(self._work):
            try:
                return work(*arguments)
            except WorkLimitError:
                with self._lock:
                    self.exceeded += 1
                raise
            finally:
                with self._lock:
                    self.work_used += self._work - (remaining_work() or 0)

    @property
    def queue(self) -> FairQueue:
        """The queue, for its statistics."""
        return self._queue


async def run_queued(connection: HTTPConnection, work: Callable[..., T], *arguments: object) -> T:
    """Run the work of a request in the application's `RequestQueue`; raise `BusyError` if the queue is full."""
    queue: RequestQueue = connection.app.state.request_queue
    return await queue.run(client_address(connection), work, *arguments)


async def respond_queued(connection: HTTPConnection, work: Callable[..., BaseModel], *arguments: object) -> Response:
    """Respond with the result of the work, which is serialised in the same thread to keep the event loop free."""
    text = await run_queued(connection, lambda: work(*arguments).model_dump_json())
    return Response(text, media_type="application/json")
