"""Our player over a real socket, against somebody who talks to it byte by byte."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from tablemen import Game, Side
from tablemen.draughts import DraughtsRules, find_variant
from tablemen.family import ScoreSheet
from tablemen.players import RESIGN, Player
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.program import DxpHost
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.transport import Transport, connect, listen
from tablemen.protocols.transport.framing import DXP
from tablemen.protocols.transport.tcp import Address
from tests.patience import LONG, run_in_time
from tests.players_for_tests import First
from tests.protocols.dxp.peers import untimed

INTERNATIONAL = find_variant("international")
ANYWHERE = Address("127.0.0.1", 0)
ACCEPTS = b"Aus" + b" " * 30 + b"0"
NAME = b"them".ljust(32)
WHITE_FOR_US = b"R01" + NAME + b"W005000A"
BLACK_FOR_US = b"R01" + NAME + b"Z005000A"
FIRST = b"M0000312700"  # what our player begins with

Talk = Callable[[Transport], Awaitable[object]]


class Waiting(First):
    """Thinks until it is stopped, but for the first few times; the other end can wait for it to begin."""

    name = "waiting"

    def __init__(self, times: int = 0) -> None:
        self.times = times
        self.thinks = threading.Event()
        self.stopped = threading.Event()
        self.seen: list[int] = []

    def choose(self, game: Game[Any, Any]) -> Any:
        self.seen.append(len(game.moves))
        if len(self.seen) > self.times:
            self.stopped.clear()
            self.thinks.set()
            self.stopped.wait(LONG)
            self.thinks.clear()
        return super().choose(game)

    def stop(self) -> None:
        self.stopped.set()


class Visit:
    """What a host tells, and the games that it had."""

    def __init__(self, player: Player | None = None, *, rules: DraughtsRules = INTERNATIONAL, **settings: Any) -> None:
        self.told: list[str] = []
        self.sheets: list[ScoreSheet] = []
        usual: dict[str, Any] = {"terms": Terms("us", 5), "patience": Patience(ending=30), "gives_up": RESIGN}
        self.host = DxpHost(
            player=player or First(),
            rules=rules,
            tell=self.told.append,
            on_game=self.sheets.append,
            **(usual | settings),
        )

    @property
    def sheet(self) -> ScoreSheet:
        """The only game."""
        (sheet,) = self.sheets
        return sheet

    def follow(self, talk: Talk, *, games: int | None = None) -> int:
        """Lets the host follow, while somebody talks to it over a socket."""
        return run_in_time(self._meet(lambda wire: self.host.follow(wire, games=games), talk))

    def lead(self, talk: Talk, *, games: int = 1, first: Side = Side.WHITE) -> int:
        """Lets the host lead."""
        return run_in_time(self._meet(lambda wire: self.host.lead(wire, games=games, first=first), talk))

    @staticmethod
    async def _meet(play: Callable[[Transport], Awaitable[int]], talk: Talk) -> int:
        listener = await listen(ANYWHERE, DXP)
        there = await connect(listener.address, DXP)
        here = await listener.accept()

        async def speak() -> None:
            try:
                await talk(there)
            finally:
                await there.close()

        try:
            played, spoken = await asyncio.gather(play(here), speak(), return_exceptions=True)
        finally:
            await listener.close()
        if isinstance(spoken, BaseException):
            raise spoken
        if isinstance(played, BaseException):
            raise played
        return played


def script(*lines: bytes) -> Talk:
    """Sends what begins with >, and expects what begins with <; None is the end that the other side makes."""

    async def talk(wire: Transport) -> None:
        for line in lines:
            if line[:1] == b">":
                await wire.send(line[1:])
            else:
                heard = untimed(await wire.receive())
                assert heard == (None if line == b"<" else line[1:])

    return talk


def begins(request: bytes) -> tuple[bytes, bytes]:
    """A game is asked for and accepted."""
    return b">" + request, b"<" + ACCEPTS


def from_position(follower: str, position: str, *, moves: int = 0) -> bytes:
    """A request for a game from there."""
    return b"R01" + NAME + f"{follower}005{moves:03}B{position}".encode()
