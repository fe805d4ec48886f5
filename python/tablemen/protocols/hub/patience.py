"""How long a program may take for what."""

from __future__ import annotations

from dataclasses import dataclass

from tablemen.errors import ArgumentError


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """The seconds that a program has for each thing; who has not done it by then is let go."""

    opening: float = 20.0  # to start and tell its options: a virus scanner may look at it first
    init: float = 180.0  # to be ready: some load gigabytes of tables from slow disks
    grace: float = 5.0  # beyond the time that it may think: then it is told to stop
    stopping: float = 10.0  # from `stop` to `done`: some look at the clock every few seconds only
    thinking: float = 3600.0  # about a move, where no time was set: then it is told to stop
    quiet: float = 15.0  # without getting any further in a search of which no time is set: then it is pinged
    pong: float = 10.0  # from `ping` to `pong`, which is answered in the midst of a search

    def __post_init__(self) -> None:
        for name in self.__slots__:
            seconds = getattr(self, name)
            if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
                raise ArgumentError(name, seconds, "a number of seconds above 0")


USUAL = Patience()
