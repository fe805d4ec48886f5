"""Daemon threads, threads of low priority, and calls that are repeated until a block ends."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest

from tablemen.threads import NICENESS, call_after, low_priority_executor, run_in_daemon_thread
from tests.timeouts import TIMEOUT


def test_a_result_is_awaited() -> None:
    async def run() -> int:
        return await run_in_daemon_thread(lambda: 6 * 7)

    assert asyncio.run(run()) == 42


@pytest.mark.parametrize(("raised", "expected"), [(KeyError("no"), KeyError), (StopIteration(), RuntimeError)])
def test_an_error_is_raised_when_awaited(raised: Exception, expected: type[Exception]) -> None:
    def fail() -> None:
        raise raised

    async def run() -> None:
        await run_in_daemon_thread(fail)

    with pytest.raises(expected):
        asyncio.run(run())


def test_a_call_is_repeated_until_the_block_ends() -> None:
    callers: list[threading.Thread] = []
    is_repeated = threading.Event()

    def call() -> None:
        callers.append(threading.current_thread())
        if len(callers) == 3:
            is_repeated.set()

    with call_after(call, after=0.0):
        assert is_repeated.wait(TIMEOUT)
    assert len(set(callers)) == 1
    assert not callers[0].is_alive()


@pytest.mark.parametrize("after", [TIMEOUT, 1e300])
def test_nothing_is_called_before_the_time(after: float) -> None:
    calls: list[str] = []
    with call_after(lambda: calls.append("stop"), after=after):
        pass
    assert calls == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of single threads")
def test_threads_of_low_priority() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    with low_priority_executor(1, "test") as workers:
        assert workers.submit(niceness).result() == max(NICENESS, niceness())
