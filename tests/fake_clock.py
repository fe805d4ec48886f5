"""Fake time: a source for clocks, and an event loop that does not wait."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Time:
    """The current time in seconds, which a test changes by assignment to `now`.

    It does not begin at 0 by default, so that a test fails if code takes 0 for the start.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class _FakeTimeSelector(selectors.DefaultSelector):
    """A selector that advances the time instead of waiting."""

    def __init__(self, time: Time) -> None:
        super().__init__()
        self._time = time

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        assert events or timeout is not None, "nothing will happen in this loop"
        if not events:
            self._time.now += timeout or 0.0
        return events


def run_in_fake_time(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Return the result of a coroutine and its duration in fake seconds. It must not use threads or sockets."""
    time = Time()
    loop = asyncio.SelectorEventLoop(_FakeTimeSelector(time))
    loop.time = time  # type: ignore[method-assign]
    started_at = time.now
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(work), time.now - started_at
