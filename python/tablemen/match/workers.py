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
        yield pool
    except BaseException:
        ours.close()  # nobody waits any more for the games that are being played
        raise
    finally:
        pool.shutdown()
        ours.close()
        theirs.close()


def _begin(life: Connection) -> None:
    """Leaves Ctrl-C to the first process, and ends as soon as that one closes its end of the line."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def _end_with(life: Connection) -> None:
    try:
        life.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
