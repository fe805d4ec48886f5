"""How long is waited for what, in seconds."""

from __future__ import annotations

from dataclasses import dataclass

CONNECTING = 30.0  # a program that was just started may have to read a database before it listens
ACCEPTING = 60.0  # people may have to look first
GRACE = 30.0  # more than a clock has: clocks differ, and lines are slow
ENDING = 5.0  # nobody has to think about that


@dataclass(frozen=True, slots=True)
class Patience:
    """How long another program has for what. A move may take as long as its clock has, and the grace; or `moving`."""

    connecting: float = CONNECTING
    accepting: float = ACCEPTING
    moving: float | None = None
    grace: float = GRACE
    ending: float = ENDING
