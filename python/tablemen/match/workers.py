"""Processes that play games side by side, and end with the one that started them."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

from tablemen.match.bench import Bench

P = ParamSpec("P")
T = TypeVar("T")

BENCH = Bench()  # of this process, if it is one of them


class _Workers(ProcessPoolExecutor):
    """Processes that are started when there is work for them, and never see Ctrl-C."""

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        with _unseen_by_children():
            return super().submit(function, *arguments, **named)


@contextmanager
def start_workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, gone when the block is left or this process ends, whatever they are doing.

    Players that last wait on the `BENCH` of each, and are closed before it ends.
    """
    # Started anew and not forked: a copy of a process with threads may wait for ever for one that it has not got.
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)[::-1]
    pool = _Workers(number, mp_context=context, initializer=_begin, initargs=(theirs,))
    try:
        yield pool
    finally:
        ours.close()  # nobody waits any more for the games that are being played
        pool.shutdown(cancel_futures=True)
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
    # A pool that has lost a process terminates the others, who have players to close first. What is ignored would be so
    # in the programs that are started too.
    signal.signal(signal.SIGTERM, _stay)
    ending = threading.Thread(target=_end_with, args=(life,), daemon=True)
    ending.start()
    atexit.register(ending.join)  # a pool that is shut down ends its processes as well, perhaps before that


def _stay(_number: int, _frame: object) -> None:
    """Nothing."""


def _end_with(life: Connection) -> None:
    try:
        life.recv_bytes()
    except (EOFError, OSError):
        BENCH.close()
        os._exit(0)
