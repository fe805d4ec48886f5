"""A program at the other end of a DXP connection, for those who do without asyncio."""

from __future__ import annotations

from typing import Any

from tablemen.draughts import DraughtsRules, find_variant
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.background import Background
from tablemen.protocols.dxp.asynchronous import AsyncDxpEngine
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.reach import Reach
from tablemen.protocols.dxp.terms import NAME, Terms
from tablemen.protocols.engine import ENDLESS, Answer
from tablemen.protocols.synchronous import Opening, SynchronousEngine, open_in_background
from tablemen.search import Clock, Limit


class DxpEngine(SynchronousEngine):
    """An `AsyncDxpEngine` with a loop of its own.

    DXP knows neither depths nor nodes, only minutes for a game: limits are not told. It cannot tell a program to stop
    either: a choice that is stopped ends with a `PeerError`, and the engine is closed.
    """

    _engine: AsyncDxpEngine

    def __init__(self, background: Background, engine: AsyncDxpEngine) -> None:
        super().__init__(background)
        self._engine = engine

    @staticmethod
    def open(  # type: ignore[override]  # noqa: PLR0913 - the protocol is this one, with settings of its own
        address: str | tuple[str, int],
        *,
        listen: bool = False,
        name: str = NAME,
        variant: DraughtsRules | str | None = None,
        minutes: int | None = None,
        moves: int = 0,
        patience: Patience | None = None,
        opening: Opening | None = None,
    ) -> DxpEngine:
        """The program that listens at an address, or that a command starts with `{address}` or `{port}` in it.

        With `listen` the program connects to us. `name` is what we are called. `variant` is what the program plays,
        which DXP does not say; without one it is asked for games of any. `minutes` is the time of each side for a game
        and `moves` its length, where that is limited. `opening` is what can give it up.
        Raises `PeerError` where the program cannot be had.
        """
        terms = Terms(name, minutes, moves)
        rules = find_variant(variant) if isinstance(variant, str) else variant

        async def begin() -> AsyncDxpEngine:
            reach = await Reach.open(address, listening=listen)
            engine = AsyncDxpEngine(reach, terms, variant=rules, patience=patience)
            try:
                await engine.connect()
            except BaseException:
                await engine.close()
                raise
            return engine

        return DxpEngine(*open_in_background("dxp", begin(), opening))

    @property
    def name(self) -> str:
        """What the program calls itself; its address, before it has."""
        return self._engine.name

    @property
    def chats(self) -> tuple[str, ...]:
        """The last texts that the program sent, with any character of ASCII in them."""
        return tuple(self._engine.chats)

    def choose(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, clock: Clock | None = None) -> Answer:
        """What the program plays."""
        with self._asking:
            return self.run(self._engine.choose, game, limit, clock=clock)

    def stop(self) -> None:
        """Leaves a program alone that thinks."""
        self.call(self._engine.stop)

    def say(self, text: str) -> None:
        """Say something to whoever sits there, also while it thinks."""
        self.run(self._engine.say, text)

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells the program that the game on the wire is over, after its answer where one is waited for."""
        with self._asking:
            if not self._is_closed:
                self.run(self._engine.end_game, game, outcome)

    async def let_go(self) -> None:
        """Let the program go."""
        await self._engine.close()
