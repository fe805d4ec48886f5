"""A game that is played over a connection by a player of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablemen.clock import GameClock, TimeControl
from tablemen.console import explain, visible
from tablemen.draughts import Move, Position
from tablemen.errors import PeerError, PeerTimeoutError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.protocols.dxp.connection import DxpConnection
from tablemen.protocols.dxp.conversation import Phase
from tablemen.protocols.dxp.ending import outcome_of, reason_of
from tablemen.protocols.dxp.event import Ended, Event, Played, Said, TakebackAsked
from tablemen.protocols.dxp.message import MOST_MOVES, Reason, Takeback
from tablemen.protocols.dxp.patience import Patience
from tablemen.protocols.dxp.thinking import Thinking
from tablemen.search import Clock

if TYPE_CHECKING:
    from tablemen.players import Player

HANGING = 3600.0  # seconds for a move where there is no clock: people may play
CHATS = 100  # of a game that are told, as are moves that are taken back: a flood of them tells nobody anything

ENDS = {
    Reason.UNKNOWN: "ended the game without a reason",
    Reason.LOST: "gave up",
    Reason.DRAWN: "ended the game as a draw, which is not due",
    Reason.WON: "ended the game as one that it has won, which it has not",
}


@dataclass(frozen=True, slots=True)
class Customs:
    """How we play: whether moves may be taken back, and what our player answers where it gives up."""

    takebacks: bool = True
    gives_up: object = None
    leaves: bool = False  # after this game


class Table:
    """Plays the game that has begun at a connection to its end, and says how that came."""

    def __init__(
        self,
        connection: DxpConnection,
        player: Player,
        *,
        customs: Customs,
        patience: Patience,
        tell: Callable[[str], object],
    ) -> None:
        self._connection = connection
        self._conversation = connection.conversation
        self._player = player
        self._customs = customs
        self._patience = patience
        self._tell = tell
        self._chats = 0
        request = self._conversation.request
        assert request is not None
        self._longest = 2 * (request.moves or MOST_MOVES)  # else a game without draws would grow for ever
        self._clock = GameClock(TimeControl(60 * request.minutes) if request.minutes else None)
        self._clocks: list[GameClock] = []  # as they were before each move
        self._ended: Ended | None = None
        self.outcome: Outcome | None = None
        self.note = ""  # what there is to say of an end that the rules do not know

    @property
    def game(self) -> Game[Position, Move]:
        """The game on the wire."""
        return self._conversation.game

    @property
    def _side(self) -> Side:
        assert self._conversation.side is not None
        return self._conversation.side

    async def play(self) -> None:
        """Plays to the end: `outcome` is None where nobody knows who won. Raises `PeerError` where the wire is lost.

        `outcome` and `note` are then there as well. Raises `TablemenError` where our player is no good any more.
        """
        self._clock.run(self.game.position.turn)
        self._remember()
        try:
            while self._conversation.phase is Phase.PLAYING:
                self.outcome = self._due()
                if self.outcome is not None:
                    await self._finish(self.outcome)
                elif self._conversation.is_our_turn:
                    await self._move()
                else:
                    await self._listen()
            if self._conversation.phase is Phase.ENDED:
                await self._take_end()
        except PeerError as error:
            if self.outcome is None:
                self.outcome, self.note = Outcome(self._side, Termination.FORFEIT), visible(str(error))
            raise

    def _due(self) -> Outcome | None:
        """The end that the game has come to, as far as it is ours to say so."""
        game = self.game
        if outcome := game.outcome():
            return outcome
        if not self._conversation.is_our_turn:
            return None
        if game.claims():
            return game.claims()[0].outcome(game.position)
        if len(game.moves) >= self._longest:
            self.note = f"ended after {len(game.moves)} moves"
            return Outcome(None, Termination.ADJUDICATION)
        return None

    async def _finish(self, outcome: Outcome) -> None:
        reason = reason_of(outcome, self._side)
        await self._connection.finish(reason, leaves=self._customs.leaves, seconds=self._patience.ending)

    async def _take_end(self) -> None:
        """The other end has ended the game: it has no choice, but it does not win by saying so."""
        assert self._ended is not None
        self.outcome = outcome_of(self.game, self._ended.reason, self._side.opponent)
        if self.outcome is None:
            if len(self.game.moves) >= self._longest:
                self.outcome, self.note = Outcome(None, Termination.ADJUDICATION), "ended by the number of moves"
            elif self._ended.reason is not Reason.DRAWN and self._has_flagged(self._side):
                self.outcome = Outcome(self._side.opponent, Termination.TIME)
            else:
                self.note = f"the opponent {ENDS[self._ended.reason]}"
        await self._connection.confirm(leaves=self._customs.leaves)

    async def _move(self) -> None:
        """Lets our player choose, while the connection is heard; plays what it chose, unless something happened."""
        left = self._clock.left(self._side)
        self._player.clock = None if left is None else Clock(max(0.0, left))
        before = self._clock.used(self._side)
        thinking = Thinking(self._player, self.game)
        try:
            if await self._hear_while(thinking):
                return
        finally:
            if not thinking.choice.done():
                await thinking.stop()
        try:
            choice = thinking.choice.result()
            if choice is self._customs.gives_up or choice in self.game.legal_moves():
                problem = ""
            else:
                problem = f"chose {choice!r}, which is not legal"
        except Exception as error:  # noqa: BLE001 - whatever it does, the other end is not left waiting
            choice, problem = None, explain(error)
        if problem:
            await self._lose(Termination.FORFEIT, f"our player failed: {visible(problem)}")
        elif choice is self._customs.gives_up:
            await self._lose(Termination.RESIGNATION)
        else:
            await self._play(choice, self._clock.used(self._side) - before)

    async def _hear_while(self, thinking: Thinking) -> bool:
        """Hears what is said until the player has chosen; whether that made the choice void."""
        hearing = asyncio.create_task(self._connection.receive())
        try:
            while not thinking.choice.done() or hearing.done():
                left = self._clock.left(self._side)
                seconds = None if left is None else max(0.0, left)
                both: set[asyncio.Future[Any]] = {thinking.choice, hearing}
                done, _ = await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
                if hearing in done:
                    if await self._hear(hearing.result(), thinking):
                        return True
                    hearing = asyncio.create_task(self._connection.receive())
                elif not done:  # its time is over, and it moves as well as it can
                    await thinking.stop()
            return False
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _play(self, move: Move, seconds: float) -> None:
        try:
            await self._connection.play(move, seconds)
        except PeerError:
            raise
        except TablemenError as error:  # DXP cannot tell it from another
            await self._lose(Termination.FORFEIT, f"our move could not be told: {error}")
        else:
            self._press()

    async def _lose(self, termination: Termination, note: str = "") -> None:
        self.outcome, self.note = Outcome(self._side.opponent, termination), note
        await self._finish(self.outcome)

    async def _listen(self) -> None:
        """Waits for the other end's move, and whatever else it says."""
        other = self._side.opponent
        left = self._clock.left(other)
        seconds = self._patience.moving
        if seconds is None:
            seconds = HANGING if left is None else max(0.0, left) + self._patience.grace
        try:
            async with asyncio.timeout(seconds):
                while not await self._hear(await self._connection.receive(), None):
                    pass
        except TimeoutError as error:
            if left is None:
                raise PeerTimeoutError(self._connection.peer, "did not move", seconds) from error
            self.outcome = Outcome(self._side, Termination.TIME)
            await self._connection.end(Reason.WON, leaves=self._customs.leaves, overdue=True)
            await self._finish(self.outcome)

    async def _hear(self, event: Event, thinking: Thinking | None) -> bool:
        """What has happened; whether the game is another one by that."""
        match event:
            case Played():
                self._press()
                return True
            case Ended():
                self._ended = event
                return True
            case TakebackAsked():
                return await self._answer(event, thinking)
            case Said():
                self._chats += 1
                if self._chats <= CHATS:
                    self._tell(f"{self._opponent}: {visible(event.text)}")
            case _:
                pass
        return self._conversation.phase is not Phase.PLAYING or (self._conversation.is_our_turn and thinking is None)

    async def _answer(self, asked: TakebackAsked, thinking: Thinking | None) -> bool:
        if not self._customs.takebacks or asked.ply is None:
            code = Takeback.REFUSED if self._customs.takebacks else Takeback.NOT_SUPPORTED
            await self._connection.answer_back(code)
            return False
        if thinking is not None:
            await thinking.stop()
        await self._connection.answer_back(Takeback.ACCEPTED)
        self._clock = self._clocks[asked.ply].copy()
        del self._clocks[asked.ply + 1 :]
        self._clock.run(self.game.position.turn)
        self._chats += 1
        if self._chats <= CHATS:
            self._tell(f"{self._opponent} takes moves back: {len(self.game.moves)} are left")
        return True

    def _press(self) -> None:
        self._clock.press(self.game.position.turn)
        self._remember()

    def _remember(self) -> None:
        clock = self._clock.copy()
        clock.pause()
        self._clocks.append(clock)

    def _has_flagged(self, side: Side) -> bool:
        left = self._clock.left(side)
        return left is not None and left <= 0

    @property
    def _opponent(self) -> str:
        return self._conversation.peer_name or self._connection.peer
