"""The service that runs the analyses of all clients."""

from __future__ import annotations

from typing import Any

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.threads import low_priority_executor
from tablemen.web.analysis.solver import CONCURRENCY, Solver
from tablemen.web.analysis.tasks import AnalysisStream, AnalysisTask, GameReview, Resources, SearcherPool
from tablemen.web.fair_queue import BusyError, FairQueue
from tablemen.web.models import AnalysisRequest
from tablemen.web.settings import Settings

STOPPING = "the server is stopping"


class AnalysisService:
    """A service that starts analyses, and ends them all when the server stops."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.queue = FairQueue(
            settings.searches,
            quantum=settings.turn_seconds,
            max_waiting=settings.waiting,
            max_waiting_per_client=settings.waiting_of_one,
        )
        searchers = SearcherPool(max(settings.tables, settings.searches), table_mb=settings.table_mb)
        search_threads = low_priority_executor(settings.searches, "tablemen analysis")
        solver_threads = low_priority_executor(CONCURRENCY, "tablemen solver")
        self._executors = (search_threads, solver_threads)
        self._resources = Resources(
            self.queue,
            searchers,
            Solver(settings, solver_threads),
            search_threads,
            suggests_tablebases=settings.is_local,
        )
        self._streams: set[AnalysisStream] = set()
        self._is_closed = False

    def analyse(self, game: Game[Any, Any], request: AnalysisRequest, client: str, request_id: int = 0) -> AnalysisTask:
        """Start an analysis.

        Raises `TablemenError` if the variant has no search, and `BusyError` if too many analyses are queued or the
        server is stopping.
        """
        self._check(game)
        task = AnalysisTask(
            game,
            client,
            self._resources,
            lambda: self._streams.discard(task),
            lines=request.lines,
            seconds=min(request.seconds, self._settings.search_seconds),
            depth=request.depth,
            request_id=request_id,
        )
        self._streams.add(task)
        return task

    def review(self, game: Game[Any, Any], client: str) -> GameReview:
        """Start the review of a game. Raises the errors of `analyse`, and `TablemenError` if the game is too long."""
        self._check(game)
        review = GameReview(game, client, self._resources, lambda: self._streams.discard(review))
        self._streams.add(review)
        return review

    def _check(self, game: Game[Any, Any]) -> None:
        if self._is_closed:
            raise BusyError(STOPPING)
        rules = game.start.variant
        if not get_family(rules).has_search:
            raise TablemenError(f"{rules} cannot be analysed: tablemen has no search for this variant")

    async def close(self) -> None:
        """End all analyses and wait for them. Clients get `STOPPING` as the reason."""
        self._is_closed = True
        for stream in tuple(self._streams):
            stream.close(STOPPING)
        for stream in tuple(self._streams):
            await stream.ended()
        for executor in self._executors:
            executor.shutdown(wait=False)
