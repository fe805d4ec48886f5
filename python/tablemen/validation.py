"""Checks of arguments that are numbers."""

from __future__ import annotations

import sys
from typing import TypeGuard


def is_number(value: object, *, least: float = 0, most: float = sys.float_info.max) -> TypeGuard[float]:
    """Return whether the value is a number from `least` to `most`, within the range of floats by default.

    >>> is_number(0.5), is_number(3), is_number(-1), is_number(float("inf")), is_number(10**400), is_number(True)
    (True, True, False, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def is_whole(value: object, *, least: int = 0, most: int | None = None) -> bool:
    """Return whether the value is a whole number from `least` to `most`.

    >>> is_whole(3), is_whole(0, least=1), is_whole(7, most=6), is_whole(3.0), is_whole(True)
    (True, False, False, False, False)
    """
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return least <= value and (most is None or value <= most)
