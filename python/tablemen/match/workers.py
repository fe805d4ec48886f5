"""Processes that play games side by side, and end with the one that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Workers(ProcessPoolExecutor):
    """Processes that are started when there is work for them, and never see Ctrl-C."""

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        with _unseen_by_children():
            return super().submit(function, *arguments, **named)


@contextmanager
def start_workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, gone when the block is left or this process ends, whatever they are doing."""
    # Started anew and not forked: a copy of a process with threads may wait for ever for one that it has not got.
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)[::-1]
    pool = _Workers(number, mp_context=context, initializer=_begin, initargs=(theirs,))
    try:
        yield pool
    except BaseException:
        ours.close()  # nobody waits any more for the games that are being played
        raise
    finally:
        pool.shutdown()
        ours.close()
        theirs.close()


@contextmanager
def _unseen_by_children() -> Iterator[None]:
    """Ctrl-C is held back for this block, and for ever in processes that are started in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(life: Connection) -> None:
    """Ends as soon as the first process closes its end of the line, and leaves Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def _end_with(life: Connection) -> None:
    try:
        life.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
