"""How long a program may think, as `level` says it."""

from __future__ import annotations

from tablemen.errors import NotationError
from tablemen.protocols.hub.message import Message, message
from tablemen.protocols.hub.numbers import read_real, read_whole, write_seconds
from tablemen.search import Clock, Limit

MOST_DEPTH = 1000  # beyond what any search reaches
MOST_NODES = 10**18


def format_level(limit: Limit) -> Message:
    """The message that gives a limit; an increment is told with the time that it was added to.

    >>> print(format_level(Limit(depth=8, time=0.5)), format_level(Limit(clock=Clock(60, 1))), sep="; ")
    level depth=8 move-time=0.5; level time=60 inc=1
    >>> print(format_level(Limit()))
    level infinite
    """
    if limit == Limit():
        return message("level", "infinite")
    clock = limit.clock
    return message(
        "level",
        depth=limit.depth,
        nodes=limit.nodes,
        move_time=None if limit.time is None else write_seconds(limit.time),
        moves=None if clock is None else clock.moves,
        time=None if clock is None else write_seconds(clock.left),
        inc=None if clock is None or not clock.increment else write_seconds(clock.increment),
    )


def parse_level(level: Message) -> Limit:
    """The limit that a message gives, its twin.

    A clock that has run out has nothing left. Raises `NotationError` where a number is none.
    """
    clock = None
    if any(level.has(name) for name in ("time", "inc", "moves")):
        moves = _read(level, "moves", whole=True)
        left, increment = _read(level, "time"), _read(level, "inc")
        if left is None:
            raise NotationError("there is a clock without a time", str(level))
        clock = Clock(max(0.0, left), max(0.0, increment or 0.0), int(moves) if moves and moves >= 1 else None)
    depth, nodes = (_read(level, name, whole=True) for name in ("depth", "nodes"))
    time = _read(level, "move-time")
    return Limit(
        depth=None if depth is None else min(max(1, int(depth)), MOST_DEPTH),
        nodes=None if nodes is None else min(max(1, int(nodes)), MOST_NODES),
        time=None if time is None else max(0.0, time),
        clock=clock,
    )


def _read(level: Message, name: str, *, whole: bool = False) -> float | None:
    if not level.has(name):
        return None
    text = level.get(name)
    number = read_whole(text) if whole else read_real(text)
    if number is None:
        raise NotationError(f"{name} is no number", str(level))
    return number


def combine(first: Limit, second: Limit) -> Limit:
    """Both limits at once; where both say something, the second counts.

    >>> combine(Limit(depth=4, time=1), Limit(depth=6))
    Limit(depth=6, nodes=None, time=1, clock=None)
    """
    return Limit(
        depth=first.depth if second.depth is None else second.depth,
        nodes=first.nodes if second.nodes is None else second.nodes,
        time=first.time if second.time is None else second.time,
        clock=first.clock if second.clock is None else second.clock,
    )
