"""The process pool of a match, whose workers end at once with the match or the main process."""

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

from tablemen.match.player_pool import PlayerPool

T = TypeVar("T")

MAX_WINDOWS_WORKERS = 61  # the most that a pool can wait for there
EXIT_TIMEOUT = 0.5  # seconds for an idle worker to exit by itself

_open_pools: WeakSet[GameProcessPool] = WeakSet()


class GameProcessPool(ProcessPoolExecutor):
    """Worker processes that call functions with their `PlayerPool` as the last argument.

    Each worker reads from a pipe that only the main process can write to. When it is closed, on `shutdown` or because
    the main process died, each worker closes its players and exits, even during a call.
    """

    def __init__(self, size: int) -> None:
        # A forked copy of a process with threads may deadlock.
        context = get_context("spawn")
        self._worker_end, self._main_end = context.Pipe(duplex=False)
        super().__init__(
            min(size, MAX_WINDOWS_WORKERS) if sys.platform == "win32" else size,
            mp_context=context,
            initializer=_start_worker,
            initargs=(self._worker_end,),
        )
        _open_pools.add(self)

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a worker."""
        with _signals_blocked():  # a worker may be started
            return super().submit(_call_in_worker, function, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: FBT001, FBT002 - inherited
        """End the workers without waiting for their calls to return."""
        self.release_workers()
        super().shutdown(wait, cancel_futures=cancel_futures)

    def release_workers(self) -> None:
        """Tell all workers to exit."""
        self._main_end.close()


def _release_all_workers() -> None:
    for pool in _open_pools:
        pool.release_workers()


# A program may end without closing its match. `concurrent.futures` then waits for all submitted calls before `atexit`
# functions run, so the workers must be released earlier. It registers its own function with this private name too.
threading._register_atexit(_release_all_workers)  # type: ignore[attr-defined]  # noqa: SLF001


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block Ctrl-C and SIGHUP in this block, and for ever in the processes started in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The rest runs in the workers.

_players = PlayerPool()
_not_calling = threading.Lock()  # held except during a call


def _start_worker(pipe: Connection) -> None:
    """Leave signals to the main process, and watch its end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pool terminates its workers if one of them dies. They still have to close their players, and exit with the
    # pipe. An ignored signal would be ignored in the programs that players start too.
    signal.signal(signal.SIGTERM, lambda *_: None)
    _not_calling.acquire()
    threading.Thread(target=_exit_with_pipe, args=(pipe,)).start()


def _exit_with_pipe(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    try:
        _players.close()
    finally:
        # Outside a call, the main thread may be sending a result: half of one would block the pool for ever.
        if not _not_calling.acquire(blocking=False):
            threading.main_thread().join(EXIT_TIMEOUT)
        os._exit(0)


def _call_in_worker(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    _not_calling.release()
    try:
        return function(*args, _players, **kwargs)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - an error that cannot be sent would break the pool
            raise RuntimeError("".join(traceback.format_exception(error))) from None
        raise
    finally:
        _not_calling.acquire()
