"""A client of the Kalah Game Protocol that connects to us and is asked for moves, for those who use asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

from tablemen.errors import PeerError, PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.mancala import Move, Position
from tablemen.protocols.kgp.client_conversation import FREEPLAY
from tablemen.protocols.kgp.connection import HANDSHAKE, GuestConnection
from tablemen.protocols.transport import Listener, Transport
from tablemen.protocols.transport.framing import KGP
from tablemen.protocols.transport.started import StartedProgram, is_command
from tablemen.protocols.transport.tcp import LOOPBACK, Address, listen, parse_address
from tablemen.protocols.transport.websocket import WebSocketListener, listen_websocket

PATIENCE = 60.0  # seconds for a client to connect: people start them by hand
GRACE = 5.0  # seconds more for a first word: a busy machine may begin to think late
MOST_GREETED = 16  # clients at a time, of which the first that wants to play does
TAKEN = "somebody else plays here"

_Listener: TypeAlias = "Listener | WebSocketListener"


class KgpHost:
    """Where one client connects, or is made to connect, and then is asked for moves."""

    def __init__(self, guest: GuestConnection, listener: _Listener, process: StartedProgram | None) -> None:
        self.guest = guest
        self._listener = listener
        self._process = process

    @classmethod
    async def open(cls, address: str, *, patience: float = PATIENCE, seconds: float | None = None) -> KgpHost:
        """Listens at `host:port` or `ws://host:port` until a client wants to play.

        An address with `{address}` or `{port}` in it is a command instead: it is started with a free port of this
        machine in its place. Raises `PeerError` where nobody comes in time, `ArgumentError` where it is no address.
        """
        starts = is_command(address)
        at = Address(LOOPBACK, 0) if starts else parse_address(address.removeprefix("ws://").rstrip("/"))
        begin = listen_websocket if address.startswith("ws://") and not starts else listen
        try:
            listener: _Listener = await begin(at, KGP)
        except OSError as error:
            raise PeerGoneError(str(at), f"cannot be listened at: {error.strerror or error}") from error
        process = None
        try:
            if starts:
                process = await StartedProgram.start(address, listener.address)
            guest = await _receive_guest(listener, process, patience, seconds)
        except BaseException:
            await listener.close()
            if process is not None:
                await process.close(at_once=True)
            raise
        return cls(guest, listener, process)

    async def choose(self, position: Position, seconds: float, *, stopped: asyncio.Event | None = None) -> Move:
        """The last move that the client names in time. Raises `PeerError`; all is let go then."""
        try:
            house = await self.guest.choose(position, seconds, grace=GRACE, stopped=stopped)
            if house is None and self.guest.has_yielded:
                raise ProtocolError(self.guest.peer, "wants to make no move")
            if house is None:
                raise PeerTimeoutError(self.guest.peer, "chose no move", seconds + GRACE)
            for move in position.legal_moves():
                if move.house == house:
                    return move
            raise ProtocolError(self.guest.peer, f"chose house {house}, which cannot be played in {position.text()}")
        except PeerError as error:
            told = await self._explain(error)
            await self.close(at_once=True)
            raise told from error

    async def _explain(self, error: PeerError) -> PeerError:
        """How a program ended that was started here, where that is why it is gone."""
        if self._process is None or not isinstance(error, PeerGoneError):
            return error
        return PeerGoneError(self._process.peer, await self._process.describe_end())

    async def close(self, *, at_once: bool = False) -> None:
        """Says goodbye, and lets the client go. May be called again.

        A program that was started has a moment to end then, unless it is to be `at_once`.
        """
        await self.guest.close()
        await self._listener.close()
        if self._process is not None:
            await self._process.close(at_once=at_once)


async def _receive_guest(
    listener: _Listener, process: StartedProgram | None, patience: float, seconds: float | None
) -> GuestConnection:
    """The first client that wants to play; others are sent away. All who come are greeted at once: some say nothing."""
    peer = str(listener.address) if process is None else process.peer
    ended = None if process is None else asyncio.ensure_future(process.wait())
    coming: asyncio.Future[Transport] = asyncio.ensure_future(listener.accept())
    greetings: set[asyncio.Task[GuestConnection | None]] = set()
    try:
        async with asyncio.timeout(patience):
            while True:
                waits: set[asyncio.Future[Any]] = {*greetings, *(() if ended is None else (ended,))}
                waits |= {coming} if len(greetings) < MOST_GREETED else set()
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                if (guest := _take_guest(greetings)) is not None:
                    return guest
                if coming.done() and len(greetings) < MOST_GREETED:
                    greetings.add(asyncio.create_task(_greet(coming.result(), seconds)))
                    coming = asyncio.ensure_future(listener.accept())
                elif process is not None and ended is not None and ended.done():
                    raise PeerGoneError(peer, await process.describe_end())
    except TimeoutError as error:
        problem = "had nobody connect to it who plays" if process is None else "did not connect to play"
        raise PeerTimeoutError(peer, problem, patience) from error
    finally:
        if coming.done() and not coming.exception():
            await coming.result().close()
        coming.cancel()
        if ended is not None:
            ended.cancel()
        await _leave(greetings)


def _take_guest(greetings: set[asyncio.Task[GuestConnection | None]]) -> GuestConnection | None:
    """A client that has said that it wants to play, if there is one."""
    for greeting in [each for each in greetings if each.done()]:
        greetings.discard(greeting)
        if (guest := greeting.result()) is not None:
            return guest
    return None


async def _leave(greetings: set[asyncio.Task[GuestConnection | None]]) -> None:
    """Sends all others away."""
    for greeting in greetings:
        greeting.cancel()
    for guest in await asyncio.gather(*greetings, return_exceptions=True):
        if isinstance(guest, GuestConnection):
            await guest.close(TAKEN)


async def _greet(transport: Transport, seconds: float | None) -> GuestConnection | None:
    """The client at the other end, if it wants to play; else it is sent away."""
    guest = GuestConnection(transport)
    farewell = TAKEN
    try:
        if await guest.begin(seconds=seconds, patience=HANDSHAKE) == FREEPLAY:
            farewell = ""
            return guest
        farewell = "only freeplay is played here"
    except PeerError as error:
        farewell = error.problem
    finally:
        if farewell:
            await guest.close(farewell)
    return None
