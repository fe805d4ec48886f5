"""Whole numbers as arguments."""

from __future__ import annotations


def is_whole(value: object, *, least: int = 0, most: int | None = None) -> bool:
    """Whether the value is a whole number from the least to the most.

    >>> is_whole(3), is_whole(0, least=1), is_whole(7, most=6), is_whole(3.0), is_whole(True)
    (True, False, False, False, False)
    """
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return least <= value and (most is None or value <= most)
