"""A conversation over a wire."""

from __future__ import annotations

import asyncio

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.errors import NotationError, PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.outcome import Side
from tablemen.protocols.dxp.conversation import Conversation, Phase
from tablemen.protocols.dxp.event import Answered, Event, TakebackAsked
from tablemen.protocols.dxp.message import Acceptance, Message, Reason, Takeback
from tablemen.protocols.dxp.patience import ACCEPTING, ENDING
from tablemen.protocols.dxp.text import format_message, parse_message
from tablemen.protocols.transport import Transport

REFUSALS = {
    Acceptance.WRONG_VERSION: "speaks another version of DXP",
    Acceptance.NOT_THIS_GAME: "does not want to play this game",
    Acceptance.NO_GAMES: "does not want to play any game",
}


class DxpConnection:
    """Says what a `Conversation` gives to say, and lets it hear what comes; one task at a time may do so.

    After an error only `close` makes sense.
    """

    def __init__(self, transport: Transport, rules: DraughtsRules, *, name: str) -> None:
        self.transport = transport
        self.conversation = Conversation(rules, name=name, peer=transport.peer)

    @property
    def peer(self) -> str:
        """What the other end is called in errors."""
        return self.transport.peer

    async def receive(self) -> Event:
        """What happens next; may be cancelled, and nothing is lost.

        Raises `PeerGoneError` where nothing more comes, `ProtocolError` where it makes no sense.
        """
        data = await self.transport.receive()
        if data is None:
            raise PeerGoneError(self.peer, "has closed the connection")
        try:
            message = parse_message(data)
        except NotationError as error:
            said = data.decode("ascii", "backslashreplace")
            raise ProtocolError(self.peer, f"sent what is no message of DXP ({error.problem})", said) from error
        return self.conversation.receive(message)

    async def ask(
        self, position: Position, follower: Side, *, minutes: int, moves: int = 0, seconds: float = ACCEPTING
    ) -> None:
        """Ask for a game, and wait until it is accepted. Raises `PeerError` where it is not."""
        await self._send(self.conversation.ask(position, follower, minutes=minutes, moves=moves))
        try:
            async with asyncio.timeout(seconds):
                while not isinstance(event := await self.receive(), Answered):
                    pass
        except TimeoutError as error:
            raise PeerTimeoutError(self.peer, "did not accept the game", seconds) from error
        if event.code is not Acceptance.ACCEPTED:
            raise PeerError(self.peer, REFUSALS[event.code])

    async def accept(self) -> None:
        """Play the game that is asked for."""
        await self._send(self.conversation.accept())

    async def decline(self, code: Acceptance) -> None:
        """Do not."""
        await self._send(self.conversation.decline(code))

    async def play(self, move: Move, seconds: float = 0) -> None:
        """Make a move that took so long."""
        await self._send(self.conversation.play(move, seconds))

    async def end(self, reason: Reason, *, leaves: bool = False, overdue: bool = False) -> None:
        """End the game."""
        await self._send(self.conversation.end(reason, leaves=leaves, overdue=overdue))

    async def confirm(self, *, leaves: bool = False) -> None:
        """Confirm the end of the game."""
        await self._send(self.conversation.confirm(leaves=leaves))

    async def say(self, text: str) -> None:
        """Say something."""
        await self._send(self.conversation.say(text))

    async def ask_back(self, ply: int) -> None:
        """Ask for moves to be taken back."""
        await self._send(self.conversation.ask_back(ply))

    async def answer_back(self, code: Takeback) -> Takeback:
        """Answer such a question, and give what was answered."""
        answer = self.conversation.answer_back(code)
        await self._send(answer)
        return answer.code

    async def finish(self, reason: Reason, *, leaves: bool = False, seconds: float = ENDING) -> None:
        """Bring the game that is on to its end on the wire, whoever says so first, and wait for the confirmation.

        Where it is the other end's turn, it has so long to move or to end the game itself. Raises `PeerTimeoutError`
        where it does neither, or does not confirm: nothing can be played at such a connection any more.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._finish(reason, leaves=leaves)
        except TimeoutError as error:
            if self.conversation.phase is Phase.PLAYING and self.conversation.game.outcome():
                await self.end(
                    reason, leaves=leaves, overdue=True
                )  # it should have said so, and perhaps it waits for us
                await self.finish(reason, leaves=leaves, seconds=seconds)
                return
            raise PeerTimeoutError(self.peer, "did not confirm the end of the game", seconds) from error

    async def _finish(self, reason: Reason, *, leaves: bool) -> None:
        while self.conversation.phase is not Phase.IDLE:
            if self.conversation.phase is Phase.ENDED:
                await self.confirm(leaves=leaves)
            elif self.conversation.is_our_turn and not self.conversation.is_asking_back:
                await self.end(reason, leaves=leaves)
            elif isinstance(await self.receive(), TakebackAsked):
                await self.answer_back(Takeback.REFUSED)

    async def close(self) -> None:
        """Close the connection. May be called again."""
        await self.transport.close()

    async def _send(self, message: Message) -> None:
        await self.transport.send(format_message(message))
