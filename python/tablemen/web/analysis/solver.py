"""The exact values of moves, where a position of Kalah can be solved in time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any, TypeAlias

from tablemen.errors import TablemenError
from tablemen.mancala import KalahRules, solve
from tablemen.mancala.solver import Progress
from tablemen.mancala.variants import VARIANTS
from tablemen.web.analysis.workers import make_workers
from tablemen.web.settings import Settings
from tablemen.web.turns import BusyError, Turn, Turns

REMEMBERED = 500  # positions, so that whoever goes back and forth does not wait again
AT_A_TIME = 1  # each takes a processor, and the memory of tables besides its own

ExactValues: TypeAlias = Mapping[str, int]  # by the texts of moves


class _EnoughError(Exception):
    """The time is up, or nobody wants to know any more."""


class Solver:
    """Solves positions one after the other. One that takes long while others wait is given up."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._turns = Turns(
            AT_A_TIME,
            seconds=settings.solve_seconds / 4,
            waiting=settings.waiting,
            waiting_of_one=settings.waiting_of_one,
        )
        self._threads = make_workers(AT_A_TIME, "tablemen solver")
        self._known: dict[Any, ExactValues] = {}

    async def solve(self, position: Any, client: str, seconds: float, wanted: Wanted) -> ExactValues | None:
        """What every move is worth to the side to move, by its text; None where that was not found in time."""
        if not isinstance(position.variant, KalahRules):
            return None
        if position in self._known:
            return self._known[position]
        try:
            turn = self._turns.enter(client, wanted.stop)
        except BusyError:
            return None
        wanted.wait_with(turn)
        try:
            if not await turn.come():
                return None
            values = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._work, position, seconds, wanted
            )
        finally:
            turn.leave()
        if values is not None:
            while len(self._known) >= REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[position] = values
        return values

    def _work(self, position: Any, seconds: float, wanted: Wanted) -> ExactValues | None:
        most = min(seconds, self._settings.solve_seconds)

        before = 0.0

        def check(progress: Progress) -> None:
            nonlocal before
            least = progress.time - before if progress.layer is not None else 0.0  # no layer takes less than the last
            before = progress.time
            if wanted.is_over or progress.time + least > most:
                raise _EnoughError

        usual = VARIANTS.get(position.variant.name)
        try:
            solution = solve(
                position,
                table_mb=self._settings.solve_mb,
                layers_mb=self._settings.solve_layers_mb,
                cache=usual is not None and usual.houses == position.variant.houses,  # else files of any size pile up
                on_progress=check,
            )
        except (TablemenError, _EnoughError):
            return None
        return {str(move): value for move, value in solution.values.items()}

    def close(self) -> None:
        """Ends the thread, once nothing is solved any more."""
        self._threads.shutdown(wait=False)


class Wanted:
    """Whether somebody still wants to know. Any thread may ask."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._turn: Turn | None = None

    @property
    def is_over(self) -> bool:
        """Whether nobody does."""
        return self._over.is_set()

    def wait_with(self, turn: Turn) -> None:
        """The turn that is waited for."""
        self._turn = turn
        if self.is_over:
            turn.leave()

    def stop(self) -> None:
        """Nobody does."""
        self._over.set()
        if self._turn is not None and self._turn.is_waiting:
            self._turn.leave()

    def stop_waiting(self) -> None:
        """Nobody does unless it has begun."""
        if self._turn is None or self._turn.is_waiting:
            self.stop()
