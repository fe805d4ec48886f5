"""Everybody's analyses, each with its fair share of the machine."""

from __future__ import annotations

from typing import Any

from tablemen.game import Game
from tablemen.web.analysis.judgement import Judgement
from tablemen.web.analysis.searchers import Searchers
from tablemen.web.analysis.solver import Solver
from tablemen.web.analysis.study import Question, Shared, Study
from tablemen.web.analysis.workers import make_workers
from tablemen.web.models import AnalysisRequest
from tablemen.web.settings import Settings
from tablemen.web.turns import BusyError, Turns

STOPPING = "the server is about to stop"


class Analyst:
    """Begins analyses, and ends them all when the server stops."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        turns = Turns(
            settings.searches,
            seconds=settings.turn_seconds,
            waiting=settings.waiting,
            waiting_of_one=settings.waiting_of_one,
        )
        searchers = Searchers(max(settings.tables, settings.searches), table_mb=settings.table_mb)
        self._threads = make_workers(settings.searches, "tablemen analysis")
        self._shared = Shared(turns, searchers, Solver(settings), self._threads)
        self._studies: set[Study | Judgement] = set()
        self._is_closed = False

    def analyse(self, game: Game[Any, Any], request: AnalysisRequest, client: str, number: int = 0) -> Study:
        """Begins an analysis. Raises `BusyError` where too many wait, or none is begun any more."""
        self._check()
        seconds = min(request.seconds, self._settings.search_seconds)
        question = Question(game, client, request.lines, seconds, request.depth, number)
        study = Study(question, self._shared, lambda: self._studies.discard(study))
        self._studies.add(study)
        return study

    def judge(self, game: Game[Any, Any], client: str) -> Judgement:
        """Begins to judge a game. Raises `TablemenError` where it is too long, and `BusyError` as `analyse` does."""
        self._check()
        judgement = Judgement(game, client, self._shared, lambda: self._studies.discard(judgement))
        self._studies.add(judgement)
        return judgement

    def _check(self) -> None:
        if self._is_closed:
            raise BusyError(STOPPING)

    async def close(self) -> None:
        """Ends all of them, tells why, and waits for that."""
        self._is_closed = True
        for study in tuple(self._studies):
            study.close(STOPPING)
        for study in tuple(self._studies):
            await study.ended()
        self._shared.solver.close()
        self._threads.shutdown(wait=False)
