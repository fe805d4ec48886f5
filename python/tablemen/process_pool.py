"""Pools of worker processes that end with their pool, even during a call, and with the main process."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar
from weakref import WeakSet

T = TypeVar("T")
MAX_WINDOWS_WORKERS = 61  # the limit of ProcessPoolExecutor
EXIT_TIMEOUT = 0.5  # seconds for an idle worker to exit by itself
MAX_ATTEMPTS = 3  # of a call whose worker dies


_open_pools: WeakSet[ProcessPool] = WeakSet()


class ProcessPool(ProcessPoolExecutor):
    """Worker processes, each of which calls `on_exit` before it exits; this must be a function of a module.

    Each worker reads from a pipe that only the main process can write to. When the pipe is closed, on `shutdown` or
    because the main process died, each worker exits, even during a call.
    """

    def __init__(self, size: int, *, on_exit: Callable[[], object] | None = None) -> None:
        # A forked copy of a process with threads may deadlock.
        context = get_context("spawn")
        self._worker_end, self._main_end = context.Pipe(duplex=False)
        super().__init__(
            min(size, MAX_WINDOWS_WORKERS) if sys.platform == "win32" else size,
            mp_context=context,
            initializer=_start_worker,
            initargs=(self._worker_end, on_exit),
        )
        _open_pools.add(self)
        # Start all workers: Python 3.11 can fail or deadlock if a worker dies while it starts another one.
        for _ in range(size):
            ProcessPool.submit(self, int)

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a worker."""
        with signals_blocked():  # the pool may start a worker
            return super().submit(_call_in_worker, function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: FBT001, FBT002 - inherited
        """End the workers without waiting for their calls to return."""
        self.release_workers()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def release_workers(self) -> None:
        """Close the pipe, so that all workers exit."""
        self._main_end.close()


class RestartingPool(Executor):
    """A `ProcessPool` that survives the death of a worker: the calls in progress are repeated in new processes.

    A call is made at most `MAX_ATTEMPTS` times, the last time while no other call runs. So only a call that ends its
    own worker raises `BrokenExecutor`. As with `ProcessPool`, `shutdown` does not wait for calls.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._events: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._waiting: deque[_Call] = deque()
        self._running: list[_Call] = []
        self._pool: ProcessPool | None = None
        self._is_closed = False
        # Only this thread uses the pool. A callback must not: pools call it while they hold a lock.
        self._dispatcher = threading.Thread(target=self._dispatch, daemon=True)
        self._dispatcher.start()

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a worker."""
        if self._is_closed:
            raise RuntimeError("the pool is closed")
        call = _Call(partial(function, *args, **kwargs))
        self._events.put(partial(self._waiting.append, call))
        return call.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002 - inherited
        """End the workers without waiting for their calls to return."""
        if not self._is_closed:
            self._is_closed = True
            self._events.put(lambda: None)
        if wait:
            self._dispatcher.join()

    def _dispatch(self) -> None:
        while not self._is_closed:
            self._events.get()()
            self._start_waiting()
        if self._pool is not None:
            self._pool.shutdown()
        while not self._events.empty():
            self._events.get()()
        for call in (*self._waiting, *self._running):
            if not call.future.cancel():
                call.future.set_exception(BrokenExecutor("the pool is closed"))

    def _start_waiting(self) -> None:
        while self._waiting and self._can_start(self._waiting[0]):
            self._start(self._waiting.popleft())

    def _can_start(self, call: _Call) -> bool:
        if self._is_closed:
            return False
        attempts = [call.attempts + 1, *(each.attempts for each in self._running)]
        return len(self._running) < (1 if MAX_ATTEMPTS in attempts else self._size)

    def _start(self, call: _Call) -> None:
        if not call.attempts and not call.future.set_running_or_notify_cancel():
            return
        self._running.append(call)
        call.attempts += 1
        started: Future[Any] = Future()
        try:
            self._pool = self._pool or ProcessPool(self._size)
            started = self._pool.submit(call.function)
        except Exception as error:  # noqa: BLE001 - no process can be started, or all have died: the call fails
            started.set_exception(error)
        pool = self._pool
        started.add_done_callback(lambda done: self._events.put(partial(self._finish, call, pool, done)))

    def _finish(self, call: _Call, pool: ProcessPool | None, done: Future[Any]) -> None:
        self._running.remove(call)
        error = BrokenExecutor("the pool is closed") if done.cancelled() else done.exception()
        if error is None:
            call.future.set_result(done.result())
        elif self._is_closed or not isinstance(error, BrokenExecutor):
            call.future.set_exception(error)
        else:
            if pool is not None and self._pool is pool:
                self._pool = None
                pool.shutdown()
            if call.attempts < MAX_ATTEMPTS:
                self._waiting.appendleft(call)
            else:
                problem = BrokenExecutor(f"a worker process has died in each of {MAX_ATTEMPTS} attempts")
                problem.__cause__ = error
                call.future.set_exception(problem)


@dataclass(eq=False)
class _Call:
    """A call of `RestartingPool`, and the number of its attempts."""

    function: Callable[[], Any]
    future: Future[Any] = field(default_factory=Future)
    attempts: int = 0


def _release_all_workers() -> None:
    for pool in _open_pools:
        pool.release_workers()


# A program may end without closing its pool. `concurrent.futures` then waits for all submitted calls before `atexit`
# functions run, so the workers must be released earlier: by the private function that `concurrent.futures` uses itself.
threading._register_atexit(_release_all_workers)  # type: ignore[attr-defined]  # noqa: SLF001


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Block SIGINT and SIGHUP in this block, and permanently in the processes started in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The code below runs in the worker processes.

_not_calling = threading.Lock()  # held except during a call


def _start_worker(pipe: Connection, on_exit: Callable[[], object] | None) -> None:
    """Ignore signals, which the main process handles, and exit when the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pool terminates its workers if one of them dies. They must call `on_exit` first, and exit when the pipe is
    # closed. SIG_IGN would be inherited by the engines that players start, a handler is not.
    signal.signal(signal.SIGTERM, lambda *_: None)
    _not_calling.acquire()
    threading.Thread(target=_exit_with_pipe, args=(pipe, on_exit)).start()


def _exit_with_pipe(pipe: Connection, on_exit: Callable[[], object] | None) -> None:
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    try:
        if on_exit is not None:
            on_exit()
    finally:
        # Outside a call, the main thread may be sending a result: half of a result would block the pool forever.
        if not _not_calling.acquire(blocking=False):
            threading.main_thread().join(EXIT_TIMEOUT)
        os._exit(0)


def _call_in_worker(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    _not_calling.release()
    try:
        return function(*args, **kwargs)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - an error that cannot be sent would break the pool
            raise RuntimeError("".join(traceback.format_exception(error))) from None
        raise
    finally:
        _not_calling.acquire()
