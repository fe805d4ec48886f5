"""Work limits: an error instead of a computation that takes too long.

The captures of a crowded position can take years to list. Everything that generates moves can be interrupted by Ctrl-C;
a work limit also bounds it in programs that process untrusted positions, such as servers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tablemen.errors import ArgumentError
from tablemen.validation import is_int

__all__ = ["work_limit"]

MAX_UNITS = 2**63 - 1


@contextmanager
def work_limit(units: int) -> Iterator[None]:
    """Limit the work that move generation, perft, playouts, replay and game files do in a `with` block of this thread.

    A unit is a position, or a state of a search for captures; a processor does some ten million of them in a second.
    All calls in the block share the limit, and raise `WorkLimitError` if it is exceeded. Limits can be nested: an inner
    block also uses up the outer limit. Searches have limits of their own, `tablemen.search.Limit`.

    >>> from tablemen.draughts import Position
    >>> with work_limit(100_000):
    ...     Position.start("international").perft(7)
    Traceback (most recent call last):
    tablemen.errors.WorkLimitError: the work limit of 100,000 units is exceeded
    """
    if not is_int(units, maximum=MAX_UNITS):
        raise ArgumentError("units", units, f"a whole number from 0 to {MAX_UNITS:,}")
    from tablemen._core import set_work_limit

    outer = set_work_limit(units)
    granted = units
    if outer is not None and outer[1] < units:
        granted = outer[1]
        set_work_limit(outer[0], granted)
    try:
        yield
    finally:
        inner = set_work_limit(None)
        if outer is not None:
            used = granted - (inner[1] if inner is not None else 0)
            set_work_limit(outer[0], outer[1] - used)


def remaining_work() -> int | None:
    """Return the units that are left of the work limit of this thread, or None if there is no limit."""
    from tablemen._core import set_work_limit

    limit = set_work_limit(None)
    if limit is None:
        return None
    set_work_limit(*limit)
    return limit[1]
