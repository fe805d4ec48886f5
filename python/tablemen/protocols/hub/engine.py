"""A program that speaks Hub, for those who do without asyncio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeVar

from tablemen.draughts.rules import DraughtsRules
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.background import Background
from tablemen.protocols.engine import ENDLESS, Answer
from tablemen.protocols.hub.analysis import AsyncHubAnalysis
from tablemen.protocols.hub.asynchronous import AsyncHubEngine
from tablemen.protocols.hub.options import Option
from tablemen.protocols.hub.patience import USUAL, Patience
from tablemen.protocols.synchronous import Opening, SynchronousEngine, open_in_background
from tablemen.search import Clock, Info, Limit, SearchResult

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

    def result(self) -> SearchResult[Any]:
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


class HubEngine(SynchronousEngine):
    """A program that speaks Hub, asked from any thread."""

    def __init__(self, background: Background, engine: AsyncHubEngine) -> None:
        super().__init__(background)
        self._engine = engine
        self._is_stopped = False

    @staticmethod
    def open(  # type: ignore[override]  # noqa: PLR0913 - a command is the address, and there are settings
        command: str | Sequence[str],
        *,
        variant: str | DraughtsRules = "international",
        options: Mapping[str, Any] = MappingProxyType({}),
        patience: Patience = USUAL,
        hub1: bool = False,
        opening: Opening | None = None,
    ) -> HubEngine:
        """Starts a program, and waits until it is ready, or the opening is given up: see `AsyncHubEngine.open`."""
        work = AsyncHubEngine.open(command, variant=variant, options=options, patience=patience, hub1=hub1)
        return HubEngine(*open_in_background("hub", work, opening))

    @property
    def name(self) -> str:
        """What the program calls itself, with its version; else how it was started."""
        return self._engine.name

    @property
    def id(self) -> Mapping[str, str]:
        """What it says of itself: name, version, author, country."""
        return self._engine.id

    @property
    def options(self) -> Mapping[str, Option]:
        """What can be changed, with the values that it has now."""
        return self._engine.options

    def configure(self, name: str, value: Any) -> None:
        """Give an option a value; the program begins anew with it. Raises `ArgumentError` where it cannot have it."""
        self.run(self._engine.configure, name, value)

    def choose(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, clock: Clock | None = None) -> Answer:
        """What the program plays in a game that is not over, within the limit, and in time where there is a clock."""
        with self._asking:
            self._is_stopped = False
            return self.run(self._engine.choose, game, limit, clock=clock, is_stopped=lambda: self._is_stopped)

    def analyse(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, ponder: bool = False) -> HubAnalysis:
        """Begin to look at a game. `ponder` begins in the opponent's time: limits of time count from `ponder_hit` on.

        What is asked next ends it.
        """
        return HubAnalysis(self, self.run(self._engine.analyse, game, limit, ponder=ponder))

    def stop(self) -> None:
        """A `choose` or an analysis that is going on ends soon, with what it has found."""
        self._is_stopped = True
        self.call(self._engine.stop)

    def ping(self) -> None:
        """Ask whether it is there. Raises `PeerError` where it is not."""
        self.run(self._engine.ping)

    def new_game(self) -> None:
        """What is asked next is about another game: the program forgets the last one."""
        self._engine.new_game()

    def begin_game(self, game: Game[Any, Any]) -> None:
        """The program gets ready for the variant, if it has played another one."""
        self.run(self._engine.prepare, game.position.variant)

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002 - they need not know
        """The game is over; the program forgets it when the next begins."""
        self.new_game()

    async def let_go(self) -> None:
        """Let the program go."""
        await self._engine.close()
