"""Commands that wait for others, and signals."""

from __future__ import annotations

import asyncio
import contextlib
import signal

import pytest

from tablemen.cli.group import SignalInterrupt, run_until_signal
from tests.patience import LONG


async def hear() -> None:
    """Lets the loop see what has come."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_signal_cancels_and_no_other_disturbs_the_clearing_up() -> None:
    cleared = []

    async def work() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(LONG)
        finally:
            signal.raise_signal(signal.SIGINT)
            await hear()
            cleared.append("all")

    with pytest.raises(SignalInterrupt, match="Ended by SIGTERM"):
        run_until_signal(work())
    assert cleared == ["all"]


def test_a_signal_is_heard_also_where_the_work_ends_by_itself() -> None:
    async def at_once() -> None:
        signal.raise_signal(signal.SIGTERM)

    async def by_and_by() -> None:
        signal.raise_signal(signal.SIGTERM)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(LONG)

    for work in (at_once, by_and_by):
        with pytest.raises(SignalInterrupt, match="Ended by SIGTERM"):
            run_until_signal(work())


def test_what_work_gives_is_given() -> None:
    async def work() -> str:
        await hear()
        return "done"

    assert run_until_signal(work()) == "done"
