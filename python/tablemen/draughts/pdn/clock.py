"""Clock times in comments: `[%clk 1:23:45]`, `[%emt 12]`, `[%clock w0:59:10 B1:00:00]`."""

from __future__ import annotations

import re
from datetime import timedelta

_COMMAND = re.compile(r"\[%(?P<name>clk|egt|emt|mct)\s+(?P<time>[0-9:.]+)\s*\]")
_CLOCK = re.compile(r"\[%clock\s+(?P<white>[wW])(?P<first>[0-9:.]+)\s+(?P<black>[bB])(?P<second>[0-9:.]+)\s*\]")
_TIME = re.compile(r"(?:(?:([0-9]{1,6}):)?([0-9]{1,6}):)?([0-9]{1,6}(?:\.[0-9]{1,6})?)")


def read_clocks(comment: str) -> dict[str, timedelta]:
    """Return the times in a comment, by command.

    `clk` is the time left, `emt` the time for the move, `egt` for the game, `mct` on a mechanical clock. If a comment
    has both clocks, they are `white` and `black`, and `clk` is that of the side that has moved.

    >>> read_clocks("sharp! [%clk 0:01:05]")
    {'clk': datetime.timedelta(seconds=65)}
    >>> sorted(read_clocks("[%clock w0:59:10 B1:00:00]"))
    ['black', 'clk', 'white']
    """
    found: dict[str, timedelta] = {}
    for match in _CLOCK.finditer(comment):
        times = {"white": _parse_time(match["first"]), "black": _parse_time(match["second"])}
        times["clk"] = times["white"] if match["white"] == "w" else times["black"]
        found |= {name: time for name, time in times.items() if time is not None}
    for match in _COMMAND.finditer(comment):
        time = _parse_time(match["time"])
        if time is not None:
            found[match["name"]] = time
    return found


def _parse_time(text: str) -> timedelta | None:
    """Parse hours, minutes and seconds; None if the text is not a time."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    return timedelta(hours=int(hours or 0), minutes=int(minutes or 0), seconds=float(seconds))
