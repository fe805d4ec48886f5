"""A whole game judged move by move, in turns with everybody else's analyses."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias

from tablemen.analysis import MoveAnalysis, PositionAnalysis
from tablemen.analysis.analyse import analyse_current_position
from tablemen.errors import TablemenError
from tablemen.game import Game
from tablemen.search import Limit, Searcher
from tablemen.web.analysis.findings import tell_chances, tell_score
from tablemen.web.analysis.mailbox import Mailbox
from tablemen.web.analysis.study import Shared
from tablemen.web.models import Ended, Judged, Waiting

log = logging.getLogger(__name__)

MOST_PLIES = 400
EFFORT = Limit(nodes=50_000)  # each position; some hundredths of a second

Verdict: TypeAlias = Judged | Waiting | Ended


class Judgement:
    """Goes along a game and tells what each position is worth, until it ends or is closed.

    Raises `TablemenError` where the game is too long, and `BusyError` where too many wait.
    """

    def __init__(self, game: Game[Any, Any], client: str, shared: Shared, on_end: Callable[[], None]) -> None:
        if len(game.moves) > MOST_PLIES:
            raise TablemenError(f"the game has {len(game.moves)} moves; no more than {MOST_PLIES} are judged")
        self._game = game
        self._shared = shared
        self._letters: Mailbox[Judged | Waiting] = Mailbox((), pause=0)
        self._error: str | None = None
        self._is_closed = False
        self._is_due = False
        self._turn = shared.turns.enter(client, self._hear_due)
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._task.add_done_callback(lambda _: on_end())

    async def messages(self) -> AsyncIterator[Verdict]:
        """What is told, to the end."""
        async for letter in self._letters.read():
            yield letter
        if not self._is_closed or self._error is not None:
            yield Ended(error=self._error)

    def close(self, reason: str | None = None) -> None:
        """Ends it; nothing is told any more but the reason."""
        self._is_closed = True
        self._error = reason
        if self._turn.is_waiting:
            self._turn.leave()
        self._letters.close()

    async def ended(self) -> None:
        """Waits until nothing of it runs any more."""
        await asyncio.wait([self._task])

    def _hear_due(self) -> None:
        self._is_due = True

    async def _run(self) -> None:
        try:
            await self._walk()
        except Exception:
            log.exception("judging a game failed")
            self._error = "the analysis failed, which should not happen"
        finally:
            self._turn.leave()
            self._shared.searchers.forget(self)
            self._letters.close()

    async def _walk(self) -> None:
        game = Game(self._game.start)
        before: PositionAnalysis[Any] | None = None
        for ply in range(len(self._game.moves) + 1):
            if self._turn.is_waiting:
                self._letters.put(Waiting())
            if not await self._turn.come() or self._is_closed:
                return
            move = self._game.moves[ply - 1] if before is not None else None
            here = await self._look(game, move)
            self._letters.put(_tell_judged(ply, move, before, here))
            before = here
            if self._is_due:
                self._is_due = False
                self._turn.give_way()

    async def _look(self, game: Game[Any, Any], move: Any) -> PositionAnalysis[Any]:
        searcher = self._shared.searchers.take(self)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._shared.threads, _go_and_look, game, move, searcher)
        finally:
            self._shared.searchers.give_back(self, searcher)


def _go_and_look(game: Game[Any, Any], move: Any, searcher: Searcher) -> PositionAnalysis[Any]:
    if move is not None:
        game.push(move)
    return analyse_current_position(game, EFFORT, searcher)


def _tell_judged(ply: int, move: Any, before: PositionAnalysis[Any] | None, here: PositionAnalysis[Any]) -> Judged:
    mark = None if before is None else MoveAnalysis(ply - 1, 0, move, before, here).mark
    best = before.best if before is not None and mark is not None else None
    return Judged(
        ply=ply,
        score=tell_score(here),
        chances=tell_chances(here),
        mark=None if mark is None else mark.value,
        best=None if best is None else str(best),
    )
