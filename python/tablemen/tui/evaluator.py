"""Who stands better, searched for in a thread so that the screen goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablemen.game import Game
from tablemen.search import Analysis, Limit, Score, Searcher
from tablemen.threads import run_in_daemon_thread

EFFORT = Limit(nodes=60_000)  # about a hundredth of a second
TABLE_MB = 8


class Evaluator:
    """Says what a game is worth, the newest first: a search that is out of date is stopped."""

    def __init__(self, tell: Callable[[Game[Any, Any], Score | None], None]) -> None:
        self._searcher = Searcher(table_mb=TABLE_MB)
        self._tell = tell
        self._wanted: Game[Any, Any] | None = None
        self._analysis: Analysis[Any] | None = None
        self._is_working = False

    async def evaluate(self, game: Game[Any, Any]) -> None:
        """Tells what the game is worth to the side to move, unless it is asked for another meanwhile."""
        if self._is_working and self._wanted == game:
            return  # it is being searched
        self._wanted = game.copy()
        self.stop()
        if self._is_working:
            return  # whoever works sees what is wanted now
        self._is_working = True
        try:
            while (wanted := self._wanted) is not None:
                score = await self._search(wanted)
                if self._wanted is wanted:
                    self._wanted = None
                    self._tell(wanted, score)
        finally:
            self._is_working = False

    async def _search(self, game: Game[Any, Any]) -> Score | None:
        if game.outcome():
            return None
        self._analysis = self._searcher.analyse(game, EFFORT)
        result = await run_in_daemon_thread(self._analysis.result)
        return result.score

    def stop(self) -> None:
        """Ends the search that is going on."""
        if self._analysis is not None:
            self._analysis.stop()
