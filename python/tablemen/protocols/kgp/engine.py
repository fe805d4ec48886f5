"""A client of the Kalah Game Protocol that connects to us and is asked for moves, for those who do without asyncio."""

from __future__ import annotations

import asyncio
from typing import Any

from tablemen.console import visible
from tablemen.errors import GameError, GameOverError, PeerError
from tablemen.game import Game
from tablemen.protocols.background import Background
from tablemen.protocols.engine import ENDLESS, Answer
from tablemen.protocols.kgp.asynchronous import PATIENCE, KgpHost
from tablemen.protocols.kgp.board import find_obstacle
from tablemen.protocols.synchronous import Opening, SynchronousEngine, open_in_background
from tablemen.search import Clock, Limit

USUAL = 1.0  # seconds a move, where nobody says


class KgpEngine(SynchronousEngine):
    """A client of the Kalah Game Protocol that has connected to us.

    Any rules of the Kalah family can be played that have no swap of sides; a client knows those of the protocol alone.
    """

    def __init__(self, background: Background, host: KgpHost) -> None:
        super().__init__(background)
        self._host = host
        self._name = visible(host.guest.name) or "kgp"
        self._stopped: asyncio.Event | None = None

    @staticmethod
    def open(  # type: ignore[override]
        address: str, *, patience: float = PATIENCE, time: float | None = None, opening: Opening | None = None
    ) -> KgpEngine:
        """Listens at `host:port` until a client connects that wants to play; or starts a command that connects.

        `time` is the seconds a move that the client is told of, `opening` what can give it up. The rest is said with
        `KgpHost.open`.
        """
        work = KgpHost.open(address, patience=patience, seconds=time)
        return KgpEngine(*open_in_background("kgp", work, opening))

    @property
    def name(self) -> str:
        """What the client calls itself."""
        return self._name

    def choose(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, clock: Clock | None = None) -> Answer:
        """The last move that the client names within the time, which is a second where nothing says more.

        Raises `GameError` where the protocol cannot ask for a move in such a game.
        """
        if outcome := game.outcome():
            raise GameOverError(outcome)
        if obstacle := find_obstacle(game.position):
            raise GameError(f"{obstacle}, and this is {game.position.variant}")
        seconds = seconds_of(limit, clock)
        with self._asking:
            stopped = self._stopped = asyncio.Event()
            try:
                return Answer(self.run(self._host.choose, game.position, seconds, stopped=stopped))
            except PeerError:
                self.close()
                raise
            finally:
                self._stopped = None

    def stop(self) -> None:
        """Takes what the client has said, or says next."""
        stopped = self._stopped
        if stopped is not None:
            self.call(stopped.set)

    async def let_go(self) -> None:
        """Says goodbye, and ends the program that was started."""
        await self._host.close()


def seconds_of(limit: Limit, clock: Clock | None) -> float:
    """How long a client may think about a move: what the limit says, and a share of the time on a clock.

    >>> seconds_of(Limit(), None), seconds_of(Limit(time=3), Clock(60))
    (1.0, 2.0)
    """
    shares = [each.share() for each in (clock, limit.clock) if each is not None]
    given = shares if limit.time is None else [limit.time, *shares]
    return min(given, default=USUAL)
