"""Commands that a signal ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal

import pytest

from tablemen.cli.group import Ended
from tablemen.cli.waiting import run_until_signal
from tests.patience import LONG

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals are for POSIX")


def test_what_is_done_without_a_signal_is_given() -> None:
    async def work() -> int:
        return 5

    assert run_until_signal(work()) == 5


def test_a_signal_cancels_and_is_raised_when_all_is_cleared_up() -> None:
    cleared_up = False

    async def work() -> None:
        nonlocal cleared_up
        signal.raise_signal(signal.SIGTERM)
        try:
            await asyncio.sleep(LONG)
        finally:
            cleared_up = True

    with pytest.raises(Ended) as ended:
        run_until_signal(work())
    assert ended.value.number == signal.SIGTERM
    assert cleared_up


def test_a_signal_is_heard_also_where_the_work_ends_by_itself() -> None:
    async def at_once() -> None:
        signal.raise_signal(signal.SIGTERM)

    async def by_and_by() -> None:
        signal.raise_signal(signal.SIGTERM)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(LONG)

    for work in (at_once, by_and_by):
        with pytest.raises(Ended):
            run_until_signal(work())
