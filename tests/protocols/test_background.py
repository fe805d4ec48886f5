from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError

import pytest

from tablemen.protocols.background import Background


def test_coroutines_are_run_for_any_thread_and_errors_come_back() -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    background = Background("test")
    assert background.run(asyncio.sleep(0, 7)) == 7
    with pytest.raises(LookupError, match="nothing there"):
        background.run(fail())
    background.close()
    background.close()


def test_what_comes_after_the_end_is_cancelled() -> None:
    background = Background("test")
    background.close()
    with pytest.raises(CancelledError):
        background.run(asyncio.sleep(0))


def test_what_still_runs_at_the_end_is_cancelled() -> None:
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    async def begin() -> asyncio.Task[None]:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        return task

    background = Background("test")
    task = background.run(begin())
    background.close()
    assert ended.is_set()
    assert task.cancelled()
