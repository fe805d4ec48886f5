"""Interruption of commands by signals."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys

import pytest

from tablemen.cli.group import SignalInterrupt, handle_signals, run_until_signal
from tests.processes import wait_for_end
from tests.timeouts import TIMEOUT


async def handle_pending() -> None:
    """Give the event loop time to handle signals."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_second_signal_does_not_disturb_the_cleanup() -> None:
    cleaned_up = []

    async def work() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(TIMEOUT)
        finally:
            signal.raise_signal(signal.SIGINT)
            await handle_pending()
            cleaned_up.append(True)

    with pytest.raises(SignalInterrupt) as interrupt:
        run_until_signal(work())
    assert interrupt.value.number == signal.SIGTERM
    assert cleaned_up == [True]


def test_signal_is_raised_even_if_the_coroutine_finishes() -> None:
    async def finish_at_once() -> None:
        signal.raise_signal(signal.SIGTERM)

    async def finish_after_cancellation() -> None:
        signal.raise_signal(signal.SIGTERM)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(TIMEOUT)

    for work in (finish_at_once, finish_after_cancellation):
        with pytest.raises(SignalInterrupt) as interrupt:
            run_until_signal(work())
        assert interrupt.value.number == signal.SIGTERM


def test_result_of_the_coroutine_is_returned() -> None:
    async def work() -> str:
        await handle_pending()
        return "done"

    assert run_until_signal(work()) == "done"


def test_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with handle_signals():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(SignalInterrupt) as interrupt:
                signal.raise_signal(signal.SIGTERM)
            assert interrupt.value.number == signal.SIGTERM
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


INTERRUPTED = """
import click
from tablemen.cli.group import TablemenGroup
from tablemen.protocols.engine import EventLoopThread
from tablemen.protocols.hub.messages import FRAMING
from tablemen.protocols.transport import open_process

group = TablemenGroup(abouts={"begin": ""}, modules=())

@group.command()
def begin():
    click.echo(EventLoopThread("test").run(open_process("sleep 600", FRAMING)).process.pid)
    raise KeyboardInterrupt

group()
"""


def test_interrupted_program_kills_its_engines() -> None:
    """Check an engine that the program has not closed."""
    command = [sys.executable, "-c", INTERRUPTED, "begin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
    wait_for_end(int(done.stdout))
