"""Time controls and the game clock."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from tablemen.errors import ArgumentError
from tablemen.outcome import Side
from tablemen.validation import is_int, is_number

__all__ = ["GameClock", "TimeControl", "format_time", "parse_time_control"]

MAX_SECONDS = 100 * 3600
MAX_MOVES = 999
MIN_TIME_LEFT = 1.0  # minimum seconds left after a move is taken back
EXPECTED = "minutes + seconds per move, such as 5+3, 90s+1, or 40/5 for 40 moves in 5 minutes"

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]+)?"
_CONTROL = re.compile(
    r"(?:(?P<moves>[0-9]{1,3})\s*/\s*)?"
    rf"(?P<time>{_NUMBER})\s*(?P<unit>s?)\s*(?:\+\s*(?P<increment>{_NUMBER})\s*s?)?",
    re.ASCII,
)
_CLOCK = re.compile(r"(?:(?:([0-9]{1,6}):)?([0-9]{1,6}):)?([0-9]{1,6}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: seconds for each side, an increment for each move, and moves per period.

    If `moves` is None, the seconds are for the whole game. Otherwise they are for this number of moves, and the side
    gets them again after every `moves` moves.

    >>> print(TimeControl(300, 3), TimeControl(90), TimeControl(300, moves=40))
    5+3 90s+0 40/5+0
    """

    seconds: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        if not is_number(self.seconds, maximum=MAX_SECONDS) or not self.seconds:
            raise ArgumentError("seconds", self.seconds, f"more than 0 and at most {MAX_SECONDS:,} seconds")
        if not is_number(self.increment, maximum=MAX_SECONDS):
            raise ArgumentError("increment", self.increment, f"0 to {MAX_SECONDS:,} seconds")
        if self.moves is not None and not is_int(self.moves, minimum=1, maximum=MAX_MOVES):
            raise ArgumentError("moves", self.moves, f"a whole number from 1 to {MAX_MOVES}")

    def moves_to_go(self, made: int) -> int | None:
        """Return the number of moves until the next period, after `made` moves; None if there are no periods.

        >>> TimeControl(300, moves=40).moves_to_go(41)
        39
        """
        return None if self.moves is None else self.moves - made % self.moves

    def gain(self, made: int) -> float:
        """Return the seconds that a side gains by its move number `made`, counted from 1."""
        return self.increment + (self.seconds if self.moves is not None and made % self.moves == 0 else 0.0)

    def __str__(self) -> str:
        minutes, rest = divmod(self.seconds, 60)
        seconds = f"{_format_number(self.seconds)}s" if rest else f"{minutes:.0f}"
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{seconds}+{_format_number(self.increment)}"


def parse_time_control(text: str) -> TimeControl:
    """Parse a time control: minutes, then an optional plus and the increment in seconds.

    A number before a slash is the number of moves in a period.

    >>> parse_time_control("5+3"), parse_time_control("0.5")
    (TimeControl(seconds=300.0, increment=3.0, moves=None), TimeControl(seconds=30.0, increment=0.0, moves=None))
    >>> parse_time_control("90s+2")
    TimeControl(seconds=90.0, increment=2.0, moves=None)
    >>> parse_time_control("40/5").moves
    40

    A time that ends in s is in seconds; `str` uses this form if the time is not a whole number of minutes. Raises
    `ArgumentError` if the text is not a time control.
    """
    given: object = text
    found = _CONTROL.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        raise ArgumentError("time control", text, EXPECTED)
    seconds = float(found["time"]) * (1 if found["unit"] else 60)
    return TimeControl(seconds, float(found["increment"] or 0), None if found["moves"] is None else int(found["moves"]))


def format_time(seconds: float) -> str:
    """Format a time as clocks show it, rounded up to whole seconds.

    >>> format_time(272), format_time(3.2), format_time(3723.0), format_time(-1)
    ('4:32', '0:04', '1:02:03', '0:00')
    """
    minutes, rest = divmod(max(0, math.ceil(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_clock(seconds: float) -> str:
    """Format the time on a clock as game files do, rounded up to whole seconds.

    >>> format_clock(272), format_clock(3723.0)
    ('0:04:32', '1:02:03')
    """
    minutes, rest = divmod(max(0, math.ceil(seconds)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def parse_clock(text: str) -> float | None:
    """Parse hours, minutes and seconds; return None if the text is not a time.

    >>> parse_clock("0:04:32"), parse_clock("1:05.5"), parse_clock("7"), parse_clock("-")
    (272.0, 65.5, 7.0, None)
    """
    found = _CLOCK.fullmatch(text)
    return None if found is None else 3600 * int(found[1] or 0) + 60 * int(found[2] or 0) + float(found[3])


def fit_clocks(clocks: list[float | None], moves: int) -> None:
    """Adapt the recorded clock times to the number of moves: drop those of moves taken back, and add None for others.

    >>> clocks = [60.0, 58.0]
    >>> fit_clocks(clocks, 1)
    >>> fit_clocks(clocks, 3)
    >>> clocks
    [60.0, None, None]
    """
    del clocks[moves:]
    clocks += [None] * (moves - len(clocks))


class GameClock:
    """A game clock for both sides. The time of at most one side runs.

    >>> ticks = iter([0, 10, 25])
    >>> clock = GameClock(TimeControl(60, 2), now=lambda: next(ticks))
    >>> clock.run(Side.WHITE)
    >>> clock.press(Side.BLACK)  # at 10 seconds
    >>> clock.pause()  # at 25
    >>> clock.left(Side.WHITE), clock.left(Side.BLACK)
    (52.0, 45.0)

    Without a time control the clock only measures the time used. `used` and `added` continue another clock: they are
    the seconds that each side has used, and those that its moves have added. `margin` is the number of seconds by which
    a side may overstep its time in each move before its flag falls; a side that moves within the margin continues from
    0. `now` returns the current time in seconds. The clock does not count moves: the caller passes their number to
    `press`.
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
        if not is_number(margin, maximum=MAX_SECONDS):
            raise ArgumentError("margin", margin, f"0 to {MAX_SECONDS:,} seconds")
        self.control = control
        self.margin = margin
        self._used = _check_seconds("used", used)
        self._added = _check_seconds("added", added)
        self._now = now
        self._since: tuple[Side, float] | None = None  # the running side and the time when it started

    @property
    def running(self) -> Side | None:
        """The side whose time runs, or None."""
        return None if self._since is None else self._since[0]

    def run(self, side: Side) -> None:
        """Start the time of a side and stop that of the other side."""
        now = self._stop()
        self._since = side, now

    def press(self, following: Side, *, made: int = 1) -> None:
        """End the move of the running side and start the time of the `following` side.

        `made` is the number of moves that the mover has made, this one included. The mover gets the increment if it has
        time left. Nothing is added if no time runs.
        """
        mover = self.running
        now = self._stop()
        if self.control is not None and mover is not None and not self._has_flagged(mover):
            self._used[mover] -= max(0.0, -(self.left(mover) or 0.0))  # time within the margin is not counted
            self._added[mover] += self.control.gain(made)
        self._since = following, now

    def take_back(self, side: Side, *, made: int = 1) -> None:
        """Take back the time that the last move of a side added; `made` is the number of its moves.

        The side keeps at least `MIN_TIME_LEFT` seconds if it had them, so that no flag falls.
        """
        left = self.left(side)
        if self.control is not None and left is not None:
            removable = max(0.0, left - MIN_TIME_LEFT)
            self._added[side] -= min(self.control.gain(made), self._added[side], removable)

    def pause(self) -> None:
        """Stop the running time."""
        self._stop()

    def reset(self, control: TimeControl | None) -> None:
        """Stop the clock and set it to a time control, with no time used."""
        self.control = control
        self._used, self._added, self._since = dict.fromkeys(Side, 0.0), dict.fromkeys(Side, 0.0), None

    def copy(self) -> GameClock:
        """Return an independent copy. If the time of a side runs, it runs in both clocks."""
        other = GameClock(self.control, used=self._used, added=self._added, margin=self.margin, now=self._now)
        other._since = self._since
        return other

    def used(self, side: Side) -> float:
        """Return the seconds that the side has used."""
        return self._used[side] + (self._now() - self._since[1] if self._since and self._since[0] is side else 0.0)

    def added(self, side: Side) -> float:
        """Return the seconds that the side's moves have added."""
        return self._added[side]

    def left(self, side: Side) -> float | None:
        """Return the seconds that the side has left, which may be negative; None without a time control."""
        return None if self.control is None else self.control.seconds + self._added[side] - self.used(side)

    def flagged(self) -> Side | None:
        """Return the side whose flag has fallen, or None."""
        return next((side for side in Side if self._has_flagged(side)), None)

    def _has_flagged(self, side: Side) -> bool:
        left = self.left(side)
        return left is not None and left <= -self.margin

    def _stop(self) -> float:
        """Stop the running time, if any, and return the current time."""
        now = self._now()
        if self._since is not None:
            side, since = self._since
            self._used[side] += now - since
            self._since = None
        return now


def _check_seconds(name: str, given: Mapping[Side, float] | None) -> dict[Side, float]:
    """Return the seconds of each side, 0 by default. Raises `ArgumentError` if they are invalid."""
    seconds = dict.fromkeys(Side, 0.0) | dict(given or {})
    for side, value in seconds.items():
        if side not in set(Side):
            raise ArgumentError(f"a key of {name}", side, "Side.WHITE or Side.BLACK")
        if not is_number(value):
            raise ArgumentError(f"{name}[{side!r}]", value, "0 seconds or more")
    return {side: float(value) for side, value in seconds.items()}


def _format_number(seconds: float) -> str:
    """Format a number without an exponent, so that it can be parsed to the same number."""
    return f"{Decimal(repr(float(seconds))):f}".removesuffix(".0")
