"""A connection to a database with a thread of its own, which puts what waits into one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from tablemen.errors import TablemenError

MOST_AT_ONCE = 500  # jobs in a transaction

T = TypeVar("T")


class StoreError(TablemenError):
    """A database that cannot be opened, read or written; `TablemenError` so that it is told in a line."""


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class Transactions:
    """Does jobs in the order in which they come. What is awaited of one that writes is on the disk.

    A transaction costs a wait for the disk; everything that comes in the meantime shares the next one. Whoever else
    holds the database keeps all of them waiting once, and not each of them in turn.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, *, writes: bool) -> None:
        """`name` is what errors call the database."""
        self._connection = connection
        self._name = name
        # Without the word a transaction that reads before it writes can find that somebody else has written since.
        self._begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What the work gives; raises `StoreError` where it could not be done, and then nothing of it was."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, future))
        return await future

    def close(self) -> None:
        """Do what waits, and close the connection."""
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        """The thread: jobs as they come, as many as there are in one transaction."""
        is_open = True
        while is_open:
            taken = [self._jobs.get()]
            with contextlib.suppress(queue.Empty):
                while len(taken) < MOST_AT_ONCE:
                    taken.append(self._jobs.get_nowait())
            is_open = None not in taken
            jobs = [job for job in taken if job is not None]
            if jobs:
                _resolve(jobs, self._do_all(jobs))

    def _do_all(self, jobs: list[_Job]) -> list[Any]:
        """What each of the jobs gives, or the error that it fails with; one that fails does not hurt the others.

        Whatever goes wrong, the thread goes on.
        """
        try:
            self._connection.execute(self._begin)
            results = [self._try(job) for job in jobs]
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - or nothing would ever be kept again
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            return [self._error(error) for _ in jobs]
        return results

    def _try(self, job: _Job) -> Any:
        self._connection.execute("SAVEPOINT job")
        try:
            result = job.work(self._connection)
        except Exception as error:  # noqa: BLE001 - one job, whatever is wrong with it
            self._connection.execute("ROLLBACK TO job")
            result = self._error(error)
        self._connection.execute("RELEASE job")
        return result

    def _error(self, error: Exception) -> StoreError:
        return StoreError(f"{self._name} could not be read or written: {error}")


def _resolve(jobs: list[_Job], results: list[Any]) -> None:
    """Tells those who wait, in their own thread."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
    for job, result in zip(jobs, results, strict=True):
        by_loop.setdefault(job.loop, []).append((job.future, result))
    for loop, told in by_loop.items():
        with contextlib.suppress(RuntimeError):  # a loop that has ended waits for nothing
            loop.call_soon_threadsafe(_tell, told)


def _tell(told: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in told:
        if future.done():  # whoever waited has gone
            continue
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)
