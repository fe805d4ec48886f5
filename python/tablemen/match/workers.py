"""Processes that play games side by side, and end with the one that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection


@contextmanager
def start_workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, gone when the block is left or this process ends, whatever they are doing."""
    # Started anew and not forked: a copy of a process with threads may wait for ever for one that it has not got.
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)[::-1]
    pool = ProcessPoolExecutor(number, mp_context=context, initializer=_begin, initargs=(theirs,))
    try:
        with _not_for_children():
            pool.submit(int)  # starts all of them
        yield pool
    except BaseException:
        ours.close()  # nobody waits any more for the games that are being played
        raise
    finally:
        pool.shutdown()
        ours.close()
        theirs.close()


@contextmanager
def _not_for_children() -> Iterator[None]:
    """Processes that are started in this block never see Ctrl-C: it is for the first one, which sees it behind it."""
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
