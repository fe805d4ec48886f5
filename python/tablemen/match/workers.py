"""Players and processes of a match: players that are reused between games, and a process pool."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self, TypeVar
from weakref import WeakSet

from tablemen.errors import TablemenError
from tablemen.players import Player

T = TypeVar("T")
MAX_WINDOWS_WORKERS = 61  # the limit of ProcessPoolExecutor
EXIT_TIMEOUT = 0.5  # seconds for an idle worker to exit by itself


class PlayerPool:
    """The players of successive games. Those whose `lasts` is true are reused in the next game, the others are closed.

    A pool serves one game at a time; only `close` may be called from another thread.
    """

    def __init__(self) -> None:
        self._reusable: dict[int, Player] = {}  # reusable players, by their number
        self._open: list[Player] = []  # reusable players that are not closed
        self._is_closed = False

    @contextmanager
    def acquire(self, factories: Sequence[Callable[[], Player]]) -> Iterator[list[Player]]:
        """Provide the players of a game. If the block raises, all of them are closed."""
        players: list[Player] = []
        try:
            for number, create in enumerate(factories):
                players.append(self._get(number, create))
            yield players
        except BaseException:
            self._reusable.clear()
            raise
        finally:
            for player in players:
                if all(player is not each for each in self._reusable.values()):
                    _close(player)
                    self._open = [each for each in self._open if each is not player]

    def discard(self, player: Player) -> None:
        """Do not reuse a player: the next game gets a new one."""
        self._reusable = {number: each for number, each in self._reusable.items() if each is not player}

    def close(self) -> None:
        """Close the reusable players, even during a game, and for good; no game can begin after that."""
        self._is_closed = True
        for player in list(self._open):
            _close(player)

    def _get(self, number: int, create: Callable[[], Player]) -> Player:
        if number in self._reusable and not self._is_closed:
            return self._reusable[number]
        player = create()
        if getattr(player, "lasts", False):
            self._reusable[number] = player
            self._open.append(player)
        if self._is_closed:  # checked last, since another thread may call `close` at the same time
            _close(player)
            raise TablemenError("the match is over")
        return player

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _close(player: Player) -> None:
    with suppress(Exception):  # a player that fails to close does not affect the match
        player.close()


_open_pools: WeakSet[GameProcessPool] = WeakSet()


class GameProcessPool(ProcessPoolExecutor):
    """Worker processes that call functions with their `PlayerPool` as the last argument.

    Each worker reads from a pipe that only the main process can write to. When the pipe is closed, on `shutdown` or
    because the main process died, each worker closes its players and exits, even during a call.
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


# A program may end without closing its match. `concurrent.futures` then waits for all submitted calls before `atexit`
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

_players = PlayerPool()
_not_calling = threading.Lock()  # held except during a call


def _start_worker(pipe: Connection) -> None:
    """Ignore signals, which the main process handles, and exit when the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pool terminates its workers if one of them dies. They must close their players first, and exit when the pipe
    # is closed. SIG_IGN would be inherited by the engines that players start, a handler is not.
    signal.signal(signal.SIGTERM, lambda *_: None)
    _not_calling.acquire()
    threading.Thread(target=_exit_with_pipe, args=(pipe,)).start()


def _exit_with_pipe(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    try:
        _players.close()
    finally:
        # Outside a call, the main thread may be sending a result: half of a result would block the pool forever.
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
