"""A fake time source for clocks."""

from __future__ import annotations


class Time:
    """The current time in seconds, which a test changes by assignment to `now`.

    It does not begin at 0 by default, so that a test fails if code takes 0 for the start.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
