"""Numbers as lines of Hub have them; one with more digits than any of them needs is none."""

from __future__ import annotations

import math
import re

_WHOLE = re.compile(r"[+-]?[0-9]{1,20}", re.ASCII)
_REAL = re.compile(r"[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_BEYOND = re.compile(r"[+-]?(?:inf|infinity|[0-9]{21,}(?:\.[0-9]*)?)", re.ASCII | re.IGNORECASE)

MOST_SECONDS = 1e9
LEAST_SECONDS = 0.001


def read_whole(text: str | None) -> int | None:
    """The whole number that a text is, or None.

    >>> read_whole("-3"), read_whole("3.5"), read_whole("9" * 100)
    (-3, None, None)
    """
    return int(text) if text is not None and _WHOLE.fullmatch(text) else None


def read_real(text: str | None) -> float | None:
    """The number that a text is, or None; never an infinite one, nor one that is none.

    >>> read_real("-0.01"), read_real("8"), read_real("nan"), read_real("1e999")
    (-0.01, 8.0, None, None)
    """
    number = float(text) if text is not None and _REAL.fullmatch(text) else None
    return number if number is not None and math.isfinite(number) else None


def is_beyond(text: str) -> bool:
    """Whether a text is a number that is larger than any that is read.

    >>> is_beyond("-inf"), is_beyond("9" * 100), is_beyond("9"), is_beyond("nan")
    (True, True, False, False)
    """
    return _BEYOND.fullmatch(text.strip()) is not None


def write_seconds(seconds: float) -> str:
    """A time as Hub has it, without an exponent, and never nothing at all.

    >>> write_seconds(291.587), write_seconds(1.0), write_seconds(0)
    ('291.587', '1', '0.001')
    """
    return write_real(min(max(seconds, LEAST_SECONDS), MOST_SECONDS), 3)


def write_real(value: float, digits: int) -> str:
    """A number with so many digits behind the point at most."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
