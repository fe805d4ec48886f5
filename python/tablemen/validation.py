"""Checks of arguments that are numbers."""

from __future__ import annotations

import sys
from typing import TypeGuard


def is_number(value: object, *, minimum: float = 0, maximum: float = sys.float_info.max) -> TypeGuard[float]:
    """Return whether the value is a number from `minimum` to `maximum`, within the range of floats by default.

    >>> is_number(0.5), is_number(3), is_number(-1), is_number(float("inf")), is_number(10**400), is_number(True)
    (True, True, False, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and minimum <= value <= maximum


def is_int(value: object, *, minimum: int = 0, maximum: int | None = None) -> bool:
    """Return whether the value is a whole number from `minimum` to `maximum`.

    >>> is_int(3), is_int(0, minimum=1), is_int(7, maximum=6), is_int(3.0), is_int(True)
    (True, False, False, False, False)
    """
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return minimum <= value and (maximum is None or value <= maximum)
