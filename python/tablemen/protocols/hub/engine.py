"""A program that speaks Hub, for those who do without asyncio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from tablemen.game import Game
from tablemen.protocols.engine import NO_LIMIT, Engine, blocking, opener
from tablemen.protocols.hub.analysis import AsyncHubAnalysis
from tablemen.protocols.hub.asynchronous import AsyncHubEngine
from tablemen.protocols.hub.options import Option
from tablemen.search import Info, Limit, Result

T = TypeVar("T")


class HubAnalysis:
    """A search of the program, used as a `tablemen.search.Analysis` is; leaving it as a context manager stops it."""

    def __init__(self, engine: HubEngine, analysis: AsyncHubAnalysis) -> None:
        self._engine = engine
        self._analysis = analysis

    def __iter__(self) -> Iterator[Info[Any]]:
        return self

    def __next__(self) -> Info[Any]:
        info = self._stopping(self._next)
        if info is None:
            raise StopIteration
        return info

    async def _next(self) -> Info[Any] | None:
        return await anext(self._analysis, None)

    def stop(self) -> None:
        """End the search soon; what it has found stands. Any thread may say so."""
        self._engine.call(self._analysis.stop)

    def ponder_hit(self) -> None:
        """The opponent has played the expected move: from now on the limits of time count."""
        self._engine.call(self._analysis.ponder_hit)

    def result(self) -> Result[Any]:
        """What the search ended with, waiting for the end. The score is 0 where the program told none."""
        return self._stopping(self._analysis.result)

    def _stopping(self, ask: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What comes of a question; whoever is interrupted while he waits stops the search."""
        try:
            return self._engine.run(ask)
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class HubEngine(Engine):
    """The synchronous facade of an `AsyncHubEngine`."""

    protocol = "hub"
    _engine: AsyncHubEngine

    open = opener(AsyncHubEngine.open)  # type: ignore[assignment]  # the protocol is given
    configure = blocking(AsyncHubEngine.configure)
    ping = blocking(AsyncHubEngine.ping)

    @property
    def id(self) -> Mapping[str, str]:
        """What it says of itself: name, version, author, country."""
        return self._engine.id

    @property
    def options(self) -> Mapping[str, Option]:
        """What can be changed, with the values that it has now."""
        return self._engine.options

    def analyse(self, game: Game[Any, Any], limit: Limit = NO_LIMIT, *, ponder: bool = False) -> HubAnalysis:
        """Begin to look at a game. `ponder` begins in the opponent's time: limits of time count from `ponder_hit` on.

        What is asked next ends it.
        """
        return HubAnalysis(self, self.run(lambda: self._engine.analyse(game, limit, ponder=ponder)))

    def new_game(self) -> None:
        """Announce a new game with the next search."""
        self._engine.new_game()
