"""A program at the other end of a DXP connection, for those who do without asyncio."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from tablemen.draughts import DraughtsRules, find_variant
from tablemen.errors import PeerGoneError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.background import Background
from tablemen.protocols.dxp.asynchronous import AsyncDxpEngine
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.reach import Reach
from tablemen.protocols.dxp.terms import NAME, Terms
from tablemen.protocols.engine import ENDLESS, Answer, Engine
from tablemen.search import Clock, Limit

T = TypeVar("T")


class DxpEngine(Engine):
    """An `AsyncDxpEngine` with a loop of its own.

    DXP knows neither depths nor nodes, only minutes for a game: limits are not told. It cannot tell a program to stop
    either: a choice that is stopped ends with a `PeerError`, and the engine is closed.
    """

    def __init__(self, engine: AsyncDxpEngine, background: Background) -> None:
        self._engine = engine
        self._background = background
        self._is_open = True

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
    ) -> DxpEngine:
        """The program that listens at an address, or that a command starts with `{address}` or `{port}` in it.

        With `listen` the program connects to us. `name` is what we are called. `variant` is what the program plays,
        which DXP does not say; without one it is asked for games of any. `minutes` is the time of each side for a game
        and `moves` its length, where that is limited. Raises `PeerError` where the program cannot be had.
        """
        terms = Terms(name, minutes, moves)
        rules = find_variant(variant) if isinstance(variant, str) else variant
        background = Background("dxp")

        async def begin() -> AsyncDxpEngine:
            reach = await Reach.open(address, listening=listen)
            engine = AsyncDxpEngine(reach, terms, variant=rules, patience=patience)
            try:
                await engine.connect()
            except BaseException:
                await engine.close()
                raise
            return engine

        try:
            return DxpEngine(background.run(begin()), background)
        except BaseException:
            background.close()
            raise

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
        return self._run(self._engine.choose, game, limit, clock=clock)

    def stop(self) -> None:
        """Leaves a program alone that thinks."""
        with contextlib.suppress(RuntimeError):  # it is closed just now
            if self._is_open:
                self._background.call(self._engine.stop)

    def say(self, text: str) -> None:
        """Say something to whoever sits there."""
        self._run(self._engine.say, text)

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells the program that the game on the wire is over."""
        if self._is_open:
            self._run(self._engine.end_game, game, outcome)

    def close(self) -> None:
        """Let the program go."""
        if self._is_open:
            self._is_open = False
            self._background.run(self._engine.close())
            self._background.close()

    def _run(self, function: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **settings: Any) -> T:
        self._check_open()
        asked = function(*arguments, **settings)
        try:
            return self._background.run(asked)
        except (CancelledError, RuntimeError) as error:
            if self._is_open:
                raise
            asked.close()  # where it has not begun
            raise PeerGoneError(self.name, "was closed") from error

    def _check_open(self) -> None:
        if not self._is_open:
            raise PeerGoneError(self.name, "is closed")
