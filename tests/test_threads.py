"""Work in threads that nobody waits for, and words that are said until they are heard."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tablemen.threads import call_after, run_in_daemon_thread
from tests.timeouts import TIMEOUT


def test_what_the_work_comes_to_is_awaited() -> None:
    async def work() -> int:
        return await run_in_daemon_thread(lambda: 6 * 7)

    assert asyncio.run(work()) == 42


@pytest.mark.parametrize(("error", "told"), [(KeyError("no"), KeyError), (StopIteration(), RuntimeError)])
def test_what_goes_wrong_is_raised_where_it_is_awaited(error: Exception, told: type[Exception]) -> None:
    def fail() -> None:
        raise error

    async def work() -> None:
        await run_in_daemon_thread(fail)

    with pytest.raises(told):
        asyncio.run(work())


def test_who_is_about_to_begin_is_told_again_and_nobody_once_it_is_over() -> None:
    said: list[threading.Thread] = []
    is_heard = threading.Event()

    def call() -> None:
        said.append(threading.current_thread())
        if len(said) == 3:
            is_heard.set()

    with call_after(call, after=0.0):
        assert is_heard.wait(TIMEOUT)
    assert len(set(said)) == 1
    assert not said[0].is_alive()


@pytest.mark.parametrize("after", [TIMEOUT, 1e300])
def test_nobody_is_told_before_the_time(after: float) -> None:
    said: list[str] = []
    with call_after(lambda: said.append("stop"), after=after):
        pass
    assert said == []
