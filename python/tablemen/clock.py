"""The clock of a game: how much time the players have, and how much they used."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tablemen.errors import ArgumentError
from tablemen.outcome import Side

__all__ = ["GameClock", "TimeControl", "format_time", "parse_time_control"]

MOST_SECONDS = 100 * 3600
LEAST_LEFT = 1.0  # seconds that stay to a side whose move is taken back
EXPECTED = "minutes and seconds a move, such as 5+3 or 90s+1,"

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]+)?"
_CONTROL = re.compile(rf"(?P<time>{_NUMBER})\s*(?P<unit>s?)\s*(?:\+\s*(?P<increment>{_NUMBER})\s*s?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds that each side has for the game, and those that each of its moves adds.

    >>> print(TimeControl(300, 3), TimeControl(90))
    5+3 90s+0
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not _is_time(self.seconds) or not self.seconds:
            raise ArgumentError("seconds", self.seconds, f"a number above 0, and at most {MOST_SECONDS:,},")
        if not _is_time(self.increment):
            raise ArgumentError("increment", self.increment, f"a number of seconds from 0 to {MOST_SECONDS:,}")

    def __str__(self) -> str:
        minutes, rest = divmod(self.seconds, 60)
        return (
            f"{_plain(self.seconds)}s+{_plain(self.increment)}" if rest else f"{minutes:.0f}+{_plain(self.increment)}"
        )


def parse_time_control(text: str) -> TimeControl:
    """The time control that players write so: minutes, and behind a plus the seconds that each move adds.

    >>> parse_time_control("5+3"), parse_time_control("0.5")
    (TimeControl(seconds=300.0, increment=3.0), TimeControl(seconds=30.0, increment=0.0))
    >>> parse_time_control("90s+2")
    TimeControl(seconds=90.0, increment=2.0)

    A time with an s is in seconds; `str` writes so what is no whole number of minutes. Raises `ArgumentError` for
    anything else.
    """
    given: object = text
    found = _CONTROL.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        raise ArgumentError("time control", text, EXPECTED)
    seconds = float(found["time"]) * (1 if found["unit"] else 60)
    return TimeControl(seconds, float(found["increment"] or 0))


def format_time(seconds: float) -> str:
    """A time as clocks show it: whole seconds, the one that has begun included.

    >>> format_time(272), format_time(3.2), format_time(3723.0), format_time(-1)
    ('4:32', '0:04', '1:02:03', '0:00')
    """
    minutes, rest = divmod(max(0, math.ceil(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class GameClock:
    """A clock with two faces, of which one runs at most; without a time control it only counts.

    >>> ticks = iter([0, 10, 25])
    >>> clock = GameClock(TimeControl(60, 2), now=lambda: next(ticks))
    >>> clock.run(Side.WHITE)
    >>> clock.press(Side.BLACK)  # at 10 seconds
    >>> clock.pause()  # at 25
    >>> clock.left(Side.WHITE), clock.left(Side.BLACK)
    (52.0, 45.0)

    `used` and `added` are what a clock begins with that goes on from another: the seconds that each side used, and
    those that its moves added. `now` is where the time comes from, in seconds.
    """

    def __init__(
        self,
        control: TimeControl | None = None,
        *,
        used: Mapping[Side, float] | None = None,
        added: Mapping[Side, float] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if control is not None and not isinstance(control, TimeControl):
            raise ArgumentError("control", control, "a TimeControl or None")
        self.control = control
        self._used = _seconds_of_each("used", used)
        self._added = _seconds_of_each("added", added)
        self._now = now
        self._since: tuple[Side, float] | None = None  # who runs, and from when on

    @property
    def running(self) -> Side | None:
        """The side whose time runs."""
        return None if self._since is None else self._since[0]

    def run(self, side: Side) -> None:
        """From now on the time of the side runs, and that of the other side does not."""
        now = self._stop()
        self._since = side, now

    def press(self, following: Side) -> None:
        """The side whose time runs has moved, which adds the increment if it has time left; who follows runs now.

        Where no time runs, none is added.
        """
        mover = self.running
        now = self._stop()
        if self.control is not None and mover is not None and not self._has_run_out(mover):
            self._added[mover] += self.control.increment
        self._since = following, now

    def take_back(self, side: Side) -> None:
        """A move of the side is taken back, and with it what it added; no flag falls by that."""
        left = self.left(side)
        if self.control is not None and left is not None:
            spare = max(0.0, left - LEAST_LEFT)
            self._added[side] -= min(self.control.increment, self._added[side], spare)

    def pause(self) -> None:
        """No time runs."""
        self._stop()

    def reset(self, control: TimeControl | None) -> None:
        """As at the beginning: nobody has used any time, and none runs."""
        self.control = control
        self._used, self._added, self._since = _seconds_of_each("used", None), _seconds_of_each("added", None), None

    def copy(self) -> GameClock:
        """A clock that goes its own way from here; what runs, runs on in both."""
        other = GameClock(self.control, used=self._used, added=self._added, now=self._now)
        other._since = self._since
        return other

    def used(self, side: Side) -> float:
        """The seconds that the side has used."""
        return self._used[side] + (self._now() - self._since[1] if self._since and self._since[0] is side else 0.0)

    def added(self, side: Side) -> float:
        """The seconds that the side's moves have added."""
        return self._added[side]

    def left(self, side: Side) -> float | None:
        """The seconds that the side has left, below zero after the flag fell; None without a time control."""
        return None if self.control is None else self.control.seconds + self._added[side] - self.used(side)

    def flagged(self) -> Side | None:
        """The side that has no time left."""
        return next((side for side in Side if self._has_run_out(side)), None)

    def _has_run_out(self, side: Side) -> bool:
        left = self.left(side)
        return left is not None and left <= 0

    def _stop(self) -> float:
        """Writes down what was used, and says when."""
        now = self._now()
        if self._since is not None:
            side, since = self._since
            self._used[side] += now - since
            self._since = None
        return now


def _seconds_of_each(name: str, given: Mapping[Side, float] | None) -> dict[Side, float]:
    """The seconds by their side, 0 where nothing is given."""
    seconds = dict.fromkeys(Side, 0.0) | dict(given or {})
    for side, value in seconds.items():
        if side not in set(Side) or not _is_number(value) or value < 0:
            raise ArgumentError(f"{name}[{side!r}]", value, "a number of seconds, not below 0, for a Side")
    return {side: float(value) for side, value in seconds.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _is_time(value: object) -> bool:
    return _is_number(value) and 0 <= value <= MOST_SECONDS  # type: ignore[operator]


def _plain(seconds: float) -> str:
    """The number without an exponent, so that it reads back as the same."""
    return f"{Decimal(repr(float(seconds))):f}".removesuffix(".0")
