"""A pool of worker processes that end with it, even during a call, and with the main process."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar
from weakref import WeakSet

T = TypeVar("T")
MAX_WINDOWS_WORKERS = 61  # the limit of ProcessPoolExecutor
EXIT_TIMEOUT = 0.5  # seconds for an idle worker to exit by itself


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
        with _signals_blocked():  # the pool may start a worker
            return super().submit(_call_in_worker, function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: FBT001, FBT002 - inherited
        """End the workers without waiting for their calls to return."""
        self.release_workers()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def release_workers(self) -> None:
        """Close the pipe, so that all workers exit."""
        self._main_end.close()


def _release_all_workers() -> None:
    for pool in _open_pools:
        pool.release_workers()


# A program may end without closing its pool. `concurrent.futures` then waits for all submitted calls before `atexit`
# functions run, so the workers must be released earlier: by the private function that `concurrent.futures` uses itself.
threading._register_atexit(_release_all_workers)  # type: ignore[attr-defined]  # noqa: SLF001


@contextmanager
def _signals_blocked() -> Iterator[None]:
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
