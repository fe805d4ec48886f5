"""The solver: exact values of moves, within a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any, TypeAlias

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.web.fair_queue import BusyError, FairQueue, Slot
from tablemen.web.settings import Settings

CACHE_SIZE = 500  # positions; clients often step back and forth through a game
CONCURRENCY = 1  # solving a position needs a whole processor and much memory

ExactValues: TypeAlias = Mapping[str, int]  # the value of each move, by its text


class _Cancelled(Exception):  # noqa: N818 - not an error
    """The time limit is reached, or the result is no longer needed."""


class CancelToken:
    """A token to cancel a queued or running request to the solver, from any thread."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._slot: Slot | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether the result is no longer needed."""
        return self._cancelled.is_set()

    def attach(self, slot: Slot) -> None:
        """Release this slot on cancellation, if it is still queued."""
        self._slot = slot
        if self.is_cancelled:
            slot.release()

    def cancel(self) -> None:
        """Cancel the request."""
        self._cancelled.set()
        if self._slot is not None and self._slot.is_waiting:
            self._slot.release()

    def cancel_if_queued(self) -> None:
        """Cancel the request if it is still queued."""
        if self._slot is None or self._slot.is_waiting:
            self.cancel()


class Solver:
    """A solver for one position at a time. A request that takes long is cancelled if others are queued."""

    def __init__(self, settings: Settings, executor: Executor) -> None:
        self._settings = settings
        self._executor = executor
        self._queue = FairQueue(
            CONCURRENCY,
            quantum=settings.solve_seconds / 4,
            max_waiting=settings.waiting,
            max_waiting_per_client=settings.waiting_of_one,
        )
        self._cache: dict[Any, ExactValues] = {}

    async def solve(self, position: Any, client: str, seconds: float, token: CancelToken) -> ExactValues | None:
        """Return the value of every move for the side to move, or None if the position is not solved in time."""
        if not get_family(position).can_solve(position.variant):
            return None
        if position in self._cache:
            return self._cache[position]
        try:
            slot = self._queue.enqueue(client, token.cancel)
        except BusyError:
            return None
        token.attach(slot)
        try:
            if not await slot.acquire():
                return None
            loop = asyncio.get_running_loop()
            values = await loop.run_in_executor(self._executor, self._solve, position, seconds, token)
        finally:
            slot.release()
        if values is not None:
            while len(self._cache) >= CACHE_SIZE:
                del self._cache[next(iter(self._cache))]
            self._cache[position] = values
        return values

    def _solve(self, position: Any, seconds: float, token: CancelToken) -> ExactValues | None:
        limit = min(seconds, self._settings.solve_seconds)
        before = 0.0

        def check(progress: Any) -> None:
            nonlocal before
            next_layer = (
                progress.time - before if progress.layer is not None else 0.0
            )  # it takes at least as long as the last one
            before = progress.time
            if token.is_cancelled or progress.time + next_layer > limit:
                raise _Cancelled

        try:
            return get_family(position).solve_moves(
                position,
                table_mb=self._settings.solve_mb,
                layers_mb=self._settings.solve_layers_mb,
                on_progress=check,
            )
        except (TablemenError, _Cancelled):
            return None
