"""The clock of a game: how much time the players have, and how much they used."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tablemen.errors import ArgumentError
from tablemen.outcome import Side
from tablemen.validation import is_number, is_whole

__all__ = ["GameClock", "TimeControl", "format_time", "parse_time_control"]

MOST_SECONDS = 100 * 3600
MOST_MOVES = 999
LEAST_LEFT = 1.0  # seconds that stay to a side whose move is taken back
EXPECTED = "minutes and seconds a move, such as 5+3, 90s+1 or 40/5 for 40 moves,"

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]+)?"
_CONTROL = re.compile(
    r"(?:(?P<moves>[0-9]{1,3})\s*/\s*)?"
    rf"(?P<time>{_NUMBER})\s*(?P<unit>s?)\s*(?:\+\s*(?P<increment>{_NUMBER})\s*s?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds that each side has for the game, and those that each of its moves adds.

    With `moves` the seconds are for so many moves, and come again after each so many.

    >>> print(TimeControl(300, 3), TimeControl(90), TimeControl(300, moves=40))
    5+3 90s+0 40/5+0
    """

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        if not is_number(self.seconds, most=MOST_SECONDS) or not self.seconds:
            raise ArgumentError("seconds", self.seconds, f"a number above 0, and at most {MOST_SECONDS:,},")
        if not is_number(self.increment, most=MOST_SECONDS):
            raise ArgumentError("increment", self.increment, f"a number of seconds from 0 to {MOST_SECONDS:,}")
        if self.moves is not None and not is_whole(self.moves, least=1, most=MOST_MOVES):
            raise ArgumentError("moves", self.moves, f"a whole number from 1 to {MOST_MOVES}")

    def moves_to_go(self, made: int) -> int | None:
        """How many moves the time must last for a side that has made so many; None where it is for the whole game.

        >>> TimeControl(300, moves=40).moves_to_go(41)
        39
        """
        return None if self.moves is None else self.moves - made % self.moves

    def gain(self, made: int) -> float:
        """The seconds that a side gets for the move of this number, counted from 1."""
        return self.increment + (self.seconds if self.moves is not None and made % self.moves == 0 else 0.0)

    def __str__(self) -> str:
        minutes, rest = divmod(self.seconds, 60)
        seconds = f"{_plain(self.seconds)}s" if rest else f"{minutes:.0f}"
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{seconds}+{_plain(self.increment)}"


def parse_time_control(text: str) -> TimeControl:
    """The time control that players write so: minutes, and behind a plus the seconds that each move adds.

    Before a slash stand the moves that the time is for, over and over.

    >>> parse_time_control("5+3"), parse_time_control("0.5")
    (TimeControl(seconds=300.0, increment=3.0, moves=None), TimeControl(seconds=30.0, increment=0.0, moves=None))
    >>> parse_time_control("90s+2")
    TimeControl(seconds=90.0, increment=2.0, moves=None)
    >>> parse_time_control("40/5").moves
    40

    A time with an s is in seconds; `str` writes so what is no whole number of minutes. Raises `ArgumentError` for
    anything else.
    """
    given: object = text
    found = _CONTROL.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        raise ArgumentError("time control", text, EXPECTED)
    seconds = float(found["time"]) * (1 if found["unit"] else 60)
    return TimeControl(seconds, float(found["increment"] or 0), None if found["moves"] is None else int(found["moves"]))


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
    those that its moves added. `margin` is how many seconds a side may be late with each of its moves before its flag
    falls; who moves within it goes on from 0. `now` is where the time comes from, in seconds. The clock counts no
    moves: who presses it says how many there were, where the time is for a number of moves.
    """

    def __init__(
        self,
        control: TimeControl | None = None,
        *,
        used: Mapping[Side, float] | None = None,
        added: Mapping[Side, float] | None = None,
        margin: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if control is not None and not isinstance(control, TimeControl):
            raise ArgumentError("control", control, "a TimeControl or None")
        if not is_number(margin, most=MOST_SECONDS):
            raise ArgumentError("margin", margin, f"a number of seconds from 0 to {MOST_SECONDS:,}")
        self.control = control
        self.margin = margin
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

    def press(self, following: Side, *, made: int = 1) -> None:
        """The side whose time runs has moved, which adds the increment if it has time left; who follows runs now.

        `made` is how many moves it has made with this one. Where no time runs, none is added.
        """
        mover = self.running
        now = self._stop()
        if self.control is not None and mover is not None and not self._has_run_out(mover):
            self._used[mover] -= max(0.0, -(self.left(mover) or 0.0))  # what the margin forgives
            self._added[mover] += self.control.gain(made)
        self._since = following, now

    def take_back(self, side: Side, *, made: int = 1) -> None:
        """A move of the side, its last of so many, is taken back with what it added; no flag falls by that."""
        left = self.left(side)
        if self.control is not None and left is not None:
            spare = max(0.0, left - LEAST_LEFT)
            self._added[side] -= min(self.control.gain(made), self._added[side], spare)

    def pause(self) -> None:
        """No time runs."""
        self._stop()

    def reset(self, control: TimeControl | None) -> None:
        """As at the beginning: nobody has used any time, and none runs."""
        self.control = control
        self._used, self._added, self._since = _seconds_of_each("used", None), _seconds_of_each("added", None), None

    def copy(self) -> GameClock:
        """A clock that goes its own way from here; what runs, runs on in both."""
        other = GameClock(self.control, used=self._used, added=self._added, margin=self.margin, now=self._now)
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
        return left is not None and left <= -self.margin

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
        if side not in set(Side) or not is_number(value):
            raise ArgumentError(f"{name}[{side!r}]", value, "a number of seconds, not below 0, for a Side")
    return {side: float(value) for side, value in seconds.items()}


def _plain(seconds: float) -> str:
    """The number without an exponent, so that it reads back as the same."""
    return f"{Decimal(repr(float(seconds))):f}".removesuffix(".0")
