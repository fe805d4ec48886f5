"""A client of the Kalah Game Protocol at the other end of a wire, as a server speaks to it."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Position
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.host_conversation import Alive, HostConversation, Left, Moved, Ready, Solved, Yielded
from tablemen.protocols.kgp.message import read_message
from tablemen.protocols.transport import Transport

HANDSHAKE = 20.0  # seconds to say what it wants
SILENCE = 30.0  # seconds without a word before it is asked for a sign of life
ANSWER = 20.0  # seconds to give one
FAREWELL = 1.0  # seconds to take the last words
RATE = 200.0  # messages a second that are taken for long; a search that finds better moves sends a few
BURST = 1000.0  # and so many at once
ANSWERS = 16.0  # messages to a question of ours that do not count: who is quick is asked, and answers, very often
MEASURE = 256  # bytes; a longer message counts as several, as it takes as long to read


@dataclass(slots=True)
class _Request:
    """A move that the client is to choose."""

    id: int
    house: int | None = None
    is_finished: bool = False


class GuestConnection:
    """A client; `begin` greets it, and from then on it is listened to until it has gone, or `close`.

    One thing at a time may be asked of it.
    """

    def __init__(self, transport: Transport, *, silence: float = SILENCE, answer: float = ANSWER) -> None:
        self.conversation = HostConversation(transport.peer)
        self.peer = transport.peer
        self._transport = transport
        self._silence, self._answer = silence, answer
        self._changed = asyncio.Event()  # a new one for every change
        self.has_yielded = False  # whether it ended its last choice itself
        self._request: _Request | None = None
        self._solved: Solved | None = None
        self._failure: PeerError | None = None
        self._sending = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None
        self._room, self._room_at = BURST, time.monotonic()

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self.conversation.about.name

    @property
    def mode(self) -> str | None:
        """What it wants, once it has said so."""
        return self.conversation.mode

    @property
    def is_gone(self) -> bool:
        """Whether nothing more can be asked of it."""
        return self._failure is not None

    async def begin(self, *, seconds: float | None = None, patience: float = HANDSHAKE) -> str:
        """Greets the client, and gives the mode that it wants. Raises `PeerError`."""
        self.conversation.greet(seconds)
        await self._flush()
        self._listening = asyncio.create_task(self._listen())
        if not await self._until(lambda: self.mode, patience):
            raise PeerTimeoutError(self.peer, "did not say what it wants", patience)
        assert self.mode is not None
        return self.mode

    async def announce(self, game: str, opponent: str) -> None:
        """Tells the client which game begins."""
        self._check()
        self.conversation.announce(game, opponent)
        await self._flush()

    async def choose(
        self, position: Position, seconds: float, *, grace: float = 0.0, stopped: asyncio.Event | None = None
    ) -> int | None:
        """The house that the client plays, as it says, legal or not; None where it says nothing in time.

        Where nothing has come in time, `grace` is how much longer a first word is waited for. `stopped` ends the time
        at once. Raises `PeerError` where the client is gone.
        """
        self._check()
        self._room = min(BURST, self._room + ANSWERS)
        request = self._request = _Request(self.conversation.ask(position))
        try:
            await self._flush()
            await self._until(lambda: request.is_finished, seconds, stopped)
            if request.house is None:
                await self._until(lambda: request.is_finished or request.house is not None, grace)
        finally:
            self._request = None
            self.has_yielded = request.is_finished
            self.conversation.stop(request.id)
        await self._flush()
        return request.house

    async def solve(self, board: Board, house: int, seconds: float) -> Solved:
        """What the client answers to a problem. Raises `PeerError`."""
        self._check()
        self._solved = None
        self._room = min(BURST, self._room + ANSWERS)
        self.conversation.pose(board, house)
        await self._flush()
        if not await self._until(lambda: self._solved, seconds):
            raise PeerTimeoutError(self.peer, "did not solve a problem", seconds)
        solved: Solved | None = self._solved
        assert solved is not None
        return solved

    async def judge(self, answer_id: int | None, objection: str | None) -> None:
        """Tells the client whether its solution was right."""
        self.conversation.judge(answer_id, objection)
        await self._flush()

    async def wait_gone(self) -> PeerError:
        """Why the client is gone, once it is."""
        while self._failure is None:
            await self._changed.wait()
        return self._failure

    async def close(self, problem: str = "") -> None:
        """Says goodbye and lets the client go. May be called again."""
        self.conversation.leave(problem)
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        with contextlib.suppress(PeerError, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self._flush()
        self._fail(PeerGoneError(self.peer, "was sent away"))
        await self._transport.close()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _flush(self) -> None:
        """Sends what the conversation has to say, in its order."""
        async with self._sending:
            for message in self.conversation.take_said():
                await self._transport.send(str(message).encode())

    async def _until(self, is_done: Callable[[], object], seconds: float, stopped: asyncio.Event | None = None) -> bool:
        """Waits until something is so; False where the time is over before that, or stopped.

        Raises why the client is gone, where it is.
        """
        ends = time.monotonic() + seconds
        while not is_done():
            self._check()
            left = ends - time.monotonic()
            if left <= 0 or (stopped is not None and stopped.is_set()):
                return False
            waits = [asyncio.ensure_future(event.wait()) for event in (self._changed, stopped) if event is not None]
            try:
                await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()
        return True

    def _tell(self) -> None:
        """Lets all who wait look again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _listen(self) -> None:
        """Takes what the client says, and asks it for signs of life, until it has gone."""
        try:
            while True:
                message = await self._receive()
                if message is None:
                    self._fail(PeerGoneError(self.peer, "has closed the connection"))
                    return
                self._meter(message)
                self._take(message)
                await self._flush()
        except PeerError as error:
            self.conversation.leave("" if isinstance(error, PeerGoneError) else error.problem)
            self._fail(error)
            with contextlib.suppress(PeerError, TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._flush()
            await self._transport.close()
        finally:
            self._fail(PeerGoneError(self.peer, "was let go"))  # where nothing else was the reason

    async def _receive(self) -> bytes | None:
        try:
            async with asyncio.timeout(self._silence):
                return await self._transport.receive()
        except TimeoutError:
            self.conversation.ping()
            await self._flush()
        try:
            async with asyncio.timeout(self._answer):
                return await self._transport.receive()
        except TimeoutError as error:
            raise PeerTimeoutError(self.peer, "gave no sign of life", self._answer) from error

    def _meter(self, message: bytes) -> None:
        """Raises `ProtocolError` where messages come too fast."""
        now = time.monotonic()
        self._room = min(BURST, self._room + (now - self._room_at) * RATE) - max(1, math.ceil(len(message) / MEASURE))
        self._room_at = now
        if self._room < 0:
            raise ProtocolError(self.peer, "sends too many messages")

    def _take(self, message: bytes) -> None:
        read = read_message(message, self.conversation.object)
        if read is None:
            return
        for event in self.conversation.hear(read):
            match event:
                case Moved(number, house) if self._request is not None and number == self._request.id:
                    self._request.house = house
                case Yielded(number) if self._request is not None and number == self._request.id:
                    self._request.is_finished = True
                case Solved():
                    self._solved = event
                case Left():
                    raise PeerGoneError(self.peer, "has said goodbye")
                case Ready() | Alive() | Moved() | Yielded():
                    pass
            self._tell()

    def _fail(self, error: PeerError) -> None:
        if self._failure is None:
            self._failure = error
        self._tell()
