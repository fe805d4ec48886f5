"""Turns: a few may work at a time, the others wait in a queue, and nobody keeps a place for long while others wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol, TypeAlias

NEVER = 1e9  # seconds; nobody gives way who has begun


class BusyError(Exception):
    """Too many wait already; the words are for whoever asked."""


class Timer(Protocol):
    """What can be called off."""

    def cancel(self) -> object:
        """Calls it off."""


Later: TypeAlias = Callable[[float, Callable[[], None]], Timer]


def _later(seconds: float, call: Callable[[], None]) -> Timer:
    return asyncio.get_running_loop().call_later(seconds, call)


class Turn:
    """The turns of one piece of work: it waits in the queue, has a place, or has left."""

    def __init__(self, turns: Turns, client: str, on_due: Callable[[], None]) -> None:
        self.client = client
        self.is_due = False  # its time is up
        self.was_told = False  # that others wait
        self.timer: Timer | None = None
        self._turns = turns
        self._on_due = on_due
        self._granted = asyncio.Event()
        self._has_left = False

    @property
    def is_waiting(self) -> bool:
        """Whether it has no place yet."""
        return not self._granted.is_set()

    async def come(self) -> bool:
        """Waits for a place; False where it has left."""
        await self._granted.wait()
        return not self._has_left

    def give_way(self) -> None:
        """To the end of the queue, where somebody waits; else it has its place anew."""
        if not self._has_left:
            self._granted.clear()
            self._turns.requeue(self)

    def leave(self) -> None:
        """For good, whether it waits or has a place."""
        if not self._has_left:
            self._has_left = True
            self._turns.release(self)
            self._granted.set()

    def grant(self) -> None:
        """The place is there."""
        self.is_due = self.was_told = False
        self._granted.set()

    def tell(self) -> None:
        """Its time is up, and others wait."""
        self.was_told = True
        self._on_due()


class Turns:
    """Gives places to clients in turn, so that whoever asks for a hundred things gets no more than who asks for one.

    Work that has had its place for `seconds` while others wait is told by its `on_due`, and gives way when it can.
    No client has more than `places_of_one`. `what` waits here, in a word; `later` is what the time is taken with.
    """

    def __init__(  # noqa: PLR0913 - all but the places are limits
        self,
        places: int,
        *,
        seconds: float,
        waiting: int,
        waiting_of_one: int,
        places_of_one: int | None = None,
        what: str = "analyses",
        later: Later = _later,
    ) -> None:
        self._places = places
        self._places_of_one = places if places_of_one is None else places_of_one
        self._what = what
        self._seconds = seconds
        self._most, self._most_of_one = waiting, waiting_of_one
        self._later = later
        self._at_work: list[Turn] = []  # who began first stands first
        self._queues: dict[str, deque[Turn]] = {}  # by the client; who came first stands first
        self._grants = 0
        self._last_grant: dict[str, int] = {}  # by the client, for those who are there

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    @property
    def working(self) -> int:
        """How many have a place."""
        return len(self._at_work)

    def enter(self, client: str, on_due: Callable[[], None]) -> Turn:
        """A turn for a new piece of work. Raises `BusyError` where too many wait."""
        is_free = self.working < self._places and self._has_place_for(client)
        if not is_free and self.waiting >= self._most:
            raise BusyError(f"{self.waiting} {self._what} wait already; try again a little later")
        if not is_free and len(self._queues.get(client, ())) >= self._most_of_one:
            raise BusyError(f"{self._most_of_one} {self._what} of yours wait already; try again a little later")
        turn = Turn(self, client, on_due)
        self.queue_up(turn)
        return turn

    def queue_up(self, turn: Turn) -> None:
        """To the end of the queue of its client."""
        self._queues.setdefault(turn.client, deque()).append(turn)
        self._advance()

    def requeue(self, turn: Turn) -> None:
        """From its place to the end of the queue."""
        self._take_away(turn)
        self.queue_up(turn)

    def release(self, turn: Turn) -> None:
        """Its place, or what it has in the queue."""
        self._take_away(turn)
        self._advance()
        if turn.client not in self._queues and not any(each.client == turn.client for each in self._at_work):
            self._last_grant.pop(turn.client, None)

    def turn_away(self) -> None:
        """Whoever waits leaves."""
        for turn in [turn for queue in self._queues.values() for turn in queue]:
            turn.leave()

    def _take_away(self, turn: Turn) -> None:
        if turn.timer is not None:
            turn.timer.cancel()
            turn.timer = None
        if turn in self._at_work:
            self._at_work.remove(turn)
        else:
            queue = self._queues.get(turn.client, deque())
            if turn in queue:
                queue.remove(turn)
            if not queue:
                self._queues.pop(turn.client, None)

    def _advance(self) -> None:
        """Free places are taken; and if some wait still, so many are told whose time is up."""
        while self.working < self._places and (client := self._next()) is not None:
            self._grant(self._take_next(client))
        told = sum(turn.was_told for turn in self._at_work)
        for turn in tuple(self._at_work):
            if told < self.waiting and turn.is_due and not turn.was_told:
                told += 1
                turn.tell()

    def _has_place_for(self, client: str) -> bool:
        return sum(turn.client == client for turn in self._at_work) < self._places_of_one

    def _next(self) -> str | None:
        """The client who has waited longest since the last turn, of those who may have one more place."""
        return min(
            filter(self._has_place_for, self._queues), key=lambda each: self._last_grant.get(each, 0), default=None
        )

    def _take_next(self, client: str) -> Turn:
        """Out of the queue of a client."""
        turn = self._queues[client].popleft()
        if not self._queues[client]:
            del self._queues[client]
        self._grants += 1
        self._last_grant[client] = self._grants
        return turn

    def _grant(self, turn: Turn) -> None:
        self._at_work.append(turn)
        turn.grant()
        turn.timer = self._later(self._seconds, lambda: self._call(turn))

    def _call(self, turn: Turn) -> None:
        turn.is_due = True
        self._advance()
