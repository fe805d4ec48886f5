"""A program at the other end of a DXP connection, in game after game, with asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque
from typing import Any

from tablemen.draughts import INTERNATIONAL, DraughtsRules, Move, Position
from tablemen.errors import AmbiguousMoveError, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.protocols.dxp.connection import DxpConnection
from tablemen.protocols.dxp.conversation import Phase
from tablemen.protocols.dxp.ending import reason_of
from tablemen.protocols.dxp.event import Ended, Played, Said, TakebackAsked
from tablemen.protocols.dxp.message import MOST_MINUTES, Reason, Takeback
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.reach import Reach
from tablemen.protocols.dxp.terms import Terms
from tablemen.protocols.engine import ENDLESS, Answer
from tablemen.search import Clock, Limit

MINUTES = 5  # for a game, where nobody says how long it may take
CHATS = 16  # that are kept, the last ones

CLAIMS = {
    Reason.UNKNOWN: "ended the game without a reason",
    Reason.DRAWN: "ended the game as a draw",
    Reason.WON: "ended the game as one that it has won",
}


class AsyncDxpEngine:
    """Plays the side to move of games that others keep; we ask for the games, and it follows.

    A game that goes on from the one on the wire is gone on with there; for any other a new one is asked for, from the
    position that it has now. What was repeated or counted before that is then unknown to the program.
    """

    def __init__(
        self,
        reach: Reach,
        terms: Terms | None = None,
        *,
        variant: DraughtsRules | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._reach = reach
        self._terms = terms or Terms()
        self._variant = variant
        self._patience = patience or Patience()
        self._connection: DxpConnection | None = None
        self._past: tuple[Position, tuple[Move, ...]] | None = None  # of the game on the wire, before it began there
        self._given = 0.0  # the seconds that each side has for that game
        self._used = 0.0  # what the program used of them
        self._since = 0.0  # when it moved last
        self._waiting: asyncio.Timeout | None = None
        self._connecting = asyncio.Lock()
        self._is_stopped = self._is_closed = False
        self._name = reach.peer
        self.chats: deque[str] = deque(maxlen=CHATS)

    @property
    def name(self) -> str:
        """What the program calls itself; its address, before it has."""
        return self._name

    async def connect(self) -> DxpConnection:
        """The connection, made where there is none. Raises `PeerError`."""
        if self._is_closed:
            raise PeerGoneError(self._name, "is closed")
        async with self._connecting:  # somebody may want to say something just then
            if self._connection is None:
                transport = await self._reach.connect(self._patience.connecting)
                self._connection = DxpConnection(transport, self._rules(None), name=self._terms.name)
            return self._connection

    async def choose(self, game: Game[Any, Any], limit: Limit = ENDLESS, *, clock: Clock | None = None) -> Answer:
        """What the program plays; None where it gives up. Raises `PeerError`, and everything is closed then.

        Of the limit the program hears nothing, but it is not waited for much longer than its time.
        """
        self._rules(game.position.variant)
        self._is_stopped = False
        try:
            async with asyncio.timeout(None) as self._waiting:
                return await self._choose(game, limit, clock or limit.clock)
        except TimeoutError as error:
            peer = self._name
            await self.close()
            raise PeerError(peer, "was told to stop, which it cannot be by DXP, and is left alone") from error
        except PeerGoneError as error:
            ended = await self._reach.describe_end()
            await self.close()
            raise PeerGoneError(error.peer, ended or error.problem) from error
        except (PeerError, asyncio.CancelledError):
            await self.close()
            raise
        finally:
            self._waiting = None

    def stop(self) -> None:
        """A program that thinks is left alone, since DXP cannot tell it to hurry: `choose` ends with a `PeerError`."""
        if self._waiting is not None and not self._is_stopped:
            self._is_stopped = True
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:
        """Tells the program that the game on the wire is over; where that goes wrong, the connection is given up."""
        connection = self._connection
        if connection is None or connection.conversation.phase is not Phase.PLAYING:
            return
        conversation = connection.conversation
        assert conversation.side is not None
        try:
            if self._goes_on(game) and game.position.outcome() and conversation.is_our_turn:
                with contextlib.suppress(TablemenError):  # else the game ends a move earlier on the wire
                    await self._play_last(connection, game)
            await connection.finish(reason_of(outcome, conversation.side), seconds=self._patience.ending)
        except PeerError:
            await self._hang_up()
        if conversation.is_over:
            await self._hang_up()

    async def say(self, text: str) -> None:
        """Say something to whoever sits there."""
        await (await self.connect()).say(text)

    async def close(self) -> None:
        """Let the program go. May be called again."""
        self._is_closed = True
        await self._hang_up()
        await self._reach.close()

    async def _choose(self, game: Game[Any, Any], limit: Limit, clock: Clock | None) -> Answer:
        if not await self._go_on(game):
            await self._begin(game, clock)
        connection = await self.connect()
        seconds = self._time_for(limit, clock)
        begun = self._now()
        try:
            async with asyncio.timeout(seconds):
                answer = await self._hear_move(connection, game)
        except TimeoutError as error:
            raise PeerTimeoutError(self._name, "did not move", seconds) from error
        self._since = self._now()
        self._used += self._since - begun
        return answer

    async def _go_on(self, game: Game[Any, Any]) -> bool:
        """Sends the move that the game has more than the one on the wire, if that is all that it has more."""
        if not self._goes_on(game):
            return False
        try:
            await self._play_last(await self.connect(), game)
        except AmbiguousMoveError:  # a new game can say it
            return False
        return True

    async def _play_last(self, connection: DxpConnection, game: Game[Any, Any]) -> None:
        await connection.play(game.moves[-1], self._now() - self._since)

    def _goes_on(self, game: Game[Any, Any]) -> bool:
        conversation = None if self._connection is None else self._connection.conversation
        if conversation is None or self._past is None or not conversation.is_our_turn:
            return False
        start, before = self._past
        expected = before + conversation.game.moves
        is_same = game.start == start and game.moves[:-1] == expected
        return is_same and game.moves[-1] in conversation.game.legal_moves()

    async def _begin(self, game: Game[Any, Any], clock: Clock | None) -> None:
        """Asks for a game, from the position that this one has."""
        await self.end_game(game, None)
        minutes = self._terms.minutes or _minutes_of(clock)
        while True:
            is_used = self._past is not None
            connection = await self.connect()
            try:
                await connection.ask(
                    game.position,
                    game.position.turn,
                    minutes=minutes,
                    moves=self._terms.moves,
                    seconds=self._patience.accepting,
                )
                break
            except PeerGoneError:
                if not is_used:
                    raise
                await self._hang_up()  # it has left since the last game, and may come again
        self._name = connection.conversation.peer_name or connection.peer
        self._past = game.start, game.moves
        self._used, self._since = 0.0, self._now()
        self._given = 60.0 * minutes

    async def _hear_move(self, connection: DxpConnection, game: Game[Any, Any]) -> Answer:
        while True:
            event = await connection.receive()
            match event:
                case Played(move):
                    if move not in game.legal_moves():  # the rules count what happened before the game on the wire
                        raise ProtocolError(self._name, "played what is not legal", str(move))
                    return Answer(game.legal_moves()[game.legal_moves().index(move)])
                case Ended(reason):
                    await connection.confirm()
                    if connection.conversation.is_over:
                        await self._hang_up()
                    if reason is Reason.LOST:
                        return Answer(None)
                    is_due = reason is Reason.DRAWN and game.claims()
                    verdict = (
                        "which can be claimed: the referee claims draws itself" if is_due else "and it is not over"
                    )
                    raise ProtocolError(self._name, f"{CLAIMS[reason]}, {verdict}")
                case TakebackAsked():
                    await connection.answer_back(Takeback.NOT_SUPPORTED)
                case Said(text):
                    self.chats.append(text)
                case _:
                    pass

    def _time_for(self, limit: Limit, clock: Clock | None) -> float:
        """The seconds that the program has for a move, at the most."""
        if self._patience.moving is not None:
            return self._patience.moving
        left = clock.left + clock.increment if clock is not None else max(0.0, self._given - self._used)
        return min(left, math.inf if limit.time is None else limit.time) + self._patience.grace

    def _rules(self, variant: Any) -> DraughtsRules:
        """The rules of games. Raises `TablemenError` where these are others than those that were said."""
        if variant is None:
            return self._variant or INTERNATIONAL
        if not isinstance(variant, DraughtsRules):
            raise TablemenError(f"DXP is for draughts, and not for {variant}")
        if self._variant is not None and variant != self._variant:
            raise TablemenError(f"{self._name} plays {self._variant.name}, and not {variant.name}")
        return variant

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _hang_up(self) -> None:
        connection, self._connection, self._past = self._connection, None, None
        if connection is not None:
            await connection.close()


def _minutes_of(clock: Clock | None) -> int:
    """The whole minutes that a program gets for its game."""
    if clock is None or not math.isfinite(clock.left):
        return MINUTES
    return min(max(1, int(clock.left // 60)), MOST_MINUTES)
