"""Games over connections, one after the other, with a player of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tablemen.console import visible
from tablemen.draughts import DraughtsRules, Position
from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.family import ScoreSheet, get_family
from tablemen.outcome import Outcome, Side
from tablemen.protocols.dxp.asynchronous import MINUTES
from tablemen.protocols.dxp.connection import DxpConnection
from tablemen.protocols.dxp.event import Requested, Said
from tablemen.protocols.dxp.message import Acceptance, ForeignRequest
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.table import CHATS, Customs, Table
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.transport import Transport

if TYPE_CHECKING:
    from tablemen.players import Player

IDLE = 600.0  # seconds that somebody may be connected without asking for a game: others wait
PAUSE = 0.1  # seconds between games of a connection: nobody fills a screen or a disk with games in no time
MOST_IN_VAIN = 20  # requests of a connection that come to no move, or cannot be accepted


def _say_nothing(_: object) -> None:
    """For those who do not want to know."""


@dataclass(frozen=True, kw_only=True)
class DxpHost:
    """Plays with one player of ours against whoever is at the other end of a connection.

    `terms` are what we are called, and what we ask games for. `gives_up` is what the player answers where it gives up.
    `tell` hears in words what happens, `on_game` gets every game that is over, also those that were broken off.
    """

    player: Player
    rules: DraughtsRules
    terms: Terms = field(default_factory=Terms)
    takebacks: bool = True
    gives_up: object = None
    patience: Patience = field(default_factory=Patience)
    tell: Callable[[str], object] = _say_nothing
    on_game: Callable[[ScoreSheet], object] = _say_nothing

    async def follow(self, transport: Transport, *, games: int | None = None) -> int:
        """Plays the games that the other end asks for, until it leaves or there were so many; gives their number.

        Closes the connection. Raises `PeerError` where the other end does something wrong.
        """
        connection = DxpConnection(transport, self.rules, name=self.terms.name)
        played = in_vain = 0
        try:
            while not connection.conversation.is_over:
                declined = await self._next_request(connection, MOST_IN_VAIN - in_vain)
                if declined is None:
                    break
                in_vain += declined
                if played:
                    await asyncio.sleep(PAUSE)
                await connection.accept()
                played += 1
                await self._play(connection, played, is_last=played == games)
                in_vain += not connection.conversation.game.moves
        finally:
            await connection.close()
        return played

    async def lead(self, transport: Transport, *, games: int, first: Side = Side.WHITE) -> int:
        """Asks for so many games, in which we play either side in turn, `first` in the first; gives their number.

        Closes the connection. Raises `PeerError` where the other end does something wrong, or wants no game.
        """
        connection = DxpConnection(transport, self.rules, name=self.terms.name)
        start = Position.start(self.rules)
        played = 0
        try:
            while played < games and not connection.conversation.is_over:
                side = first if played % 2 == 0 else first.opponent
                await connection.ask(
                    start,
                    side.opponent,
                    minutes=self.terms.minutes or MINUTES,
                    moves=self.terms.moves,
                    seconds=self.patience.accepting,
                )
                played += 1
                await self._play(connection, played, is_last=played == games)
        finally:
            await connection.close()
        return played

    async def _next_request(self, connection: DxpConnection, most: int) -> int | None:
        """Waits for a request that can be accepted, and gives how many before it could not; None where nobody is left.

        Raises `ProtocolError` where there were too many of them.
        """
        chats = declined = 0
        try:
            async with asyncio.timeout(IDLE):
                while True:
                    event = await connection.receive()
                    if isinstance(event, Said) and (chats := chats + 1) <= CHATS:
                        self.tell(f"{connection.conversation.peer_name or connection.peer}: {visible(event.text)}")
                    if not isinstance(event, Requested):
                        continue
                    if declined >= most:
                        await connection.decline(Acceptance.NO_GAMES)
                        raise ProtocolError(connection.peer, f"asked for {MOST_IN_VAIN} games in vain")
                    if event.position is not None:
                        return declined
                    is_foreign = isinstance(event.request, ForeignRequest)
                    await connection.decline(Acceptance.WRONG_VERSION if is_foreign else Acceptance.NOT_THIS_GAME)
                    declined += 1
                    self.tell(f"{connection.peer} asked for a game that is not played here: {visible(event.problem)}")
        except TimeoutError as error:
            raise PeerTimeoutError(connection.peer, "did not ask for a game", IDLE) from error
        except PeerGoneError:
            return None

    async def _play(self, connection: DxpConnection, number: int, *, is_last: bool) -> None:
        conversation = connection.conversation
        assert conversation.side is not None
        side, other = conversation.side, conversation.peer_name or connection.peer
        self.tell(f"game {number}: {side} against {other}")
        customs = Customs(takebacks=self.takebacks, gives_up=self.gives_up, leaves=is_last)
        table = Table(connection, self.player, customs=customs, patience=self.patience, tell=self.tell)
        try:
            await table.play()
        finally:
            if table.outcome is None and not table.note:
                table.note = "broken off"
            names = {side: self.terms.name, side.opponent: other}
            sheet = ScoreSheet(
                game=table.game.copy(), players=names, outcome=table.outcome, round=number, note=table.note
            )
            self.player.end_game(sheet.game, sheet.outcome)
            self.tell(f"game {number}: {_describe(table.outcome, sheet)}")
            self.on_game(sheet)


def _describe(outcome: Outcome | None, sheet: ScoreSheet) -> str:
    """How it ended, in a few words."""
    result = (
        "no result" if outcome is None else get_family(sheet.game.start).describe_outcome(outcome, sheet.game.position)
    )
    return f"{result} ({sheet.note})" if sheet.note else result
