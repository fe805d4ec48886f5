"""Commands that wait for others: coroutines that a signal ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from tablemen.cli.group import ENDING, Ended

T = TypeVar("T")


def run_until_signal(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives; Ctrl-C, SIGTERM or SIGHUP cancels it, and raises `Ended` once it has cleared up.

    No second signal disturbs that. It is raised too where the work ends by itself in the meantime: a status of 0 would
    say that no signal came.
    """
    came: list[int] = []

    async def watched() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)

        def end(number: int) -> None:
            if not came:
                task.cancel()
            came.append(number)

        for number in (getattr(signal, name) for name in ENDING if hasattr(signal, name)):
            if signal.getsignal(number) not in {signal.SIG_IGN, None}:
                # Not every system can do that, and no thread but the first.
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, end, number)
        return await task

    try:
        given = asyncio.run(watched())
    except asyncio.CancelledError:
        if came:
            raise Ended(came[0]) from None
        raise
    if came:
        raise Ended(came[0])
    return given
