"""Wires for tests: one in memory, and clients that say what a test tells them over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from tablemen.errors import PeerGoneError
from tablemen.protocols.kgp.message import Message, parse_message
from tablemen.protocols.kgp.server.event import Event
from tablemen.protocols.kgp.server.server import Server
from tablemen.protocols.transport.tcp import Address


class MemoryTransport:
    """One end of a wire in memory; what is sent is at the other end at once."""

    peer = "the other end"

    def __init__(self) -> None:
        self.other: MemoryTransport = self
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.is_closed = False

    async def send(self, message: bytes) -> None:
        if self.other.is_closed or self.is_closed:
            raise PeerGoneError(self.peer, "has closed the connection")
        self.other._lines.put_nowait(message)

    async def receive(self) -> bytes | None:
        return None if self.is_closed else await self._lines.get()

    async def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.other._lines.put_nowait(None)

    # What a test says and hears at its end.

    async def say(self, *lines: str) -> None:
        for line in lines:
            await self.send(line.encode())

    async def hear(self) -> Message:
        line = await self.receive()
        assert line is not None, "the other end has closed the connection"
        return parse_message(line.decode())

    async def hear_until(self, verb: str) -> Message:
        while (message := await self.hear()).verb != verb:
            pass
        return message


def make_wire() -> tuple[MemoryTransport, MemoryTransport]:
    """Both ends of a wire."""
    one, other = MemoryTransport(), MemoryTransport()
    one.other, other.other = other, one
    return one, other


class Visitor:
    """A client over TCP that says what a test tells it."""

    def __init__(self, address: Address) -> None:
        self.address = address

    async def __aenter__(self) -> Self:
        self.reader, self.writer = await asyncio.open_connection(*self.address)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()

    def leave(self) -> None:
        """Hangs up without a word."""
        self.writer.close()

    async def say(self, *lines: str, end: str = "\n") -> None:
        self.writer.write("".join(line + end for line in lines).encode())
        with contextlib.suppress(OSError):
            await self.writer.drain()

    async def hear(self) -> Message | None:
        """What the server says next; None where it has hung up."""
        try:
            line = await self.reader.readline()
        except OSError:
            return None
        if not line.endswith(b"\n"):
            return None
        assert line.endswith(b"\r\n")
        return parse_message(line.decode().rstrip("\r\n"))

    async def hear_until(self, verb: str) -> Message:
        while (message := await self.hear()) is not None:
            if message.verb == verb:
                return message
        raise AssertionError(f"the server hung up before it said {verb}")

    async def hear_all(self) -> list[Message]:
        """All that the server says until it hangs up."""
        heard = []
        while (message := await self.hear()) is not None:
            heard.append(message)
        return heard

    async def play(self, name: str, house: int | None = None, *, games: int | None = None) -> None:
        """Plays the first house that it can, or always the same one; until goodbye, or so many games have begun."""
        await self.say(f'set info:name "{name}"', "mode freeplay")
        begun = 0
        while (message := await self.hear()) is not None and message.verb != "goodbye":
            begun += message.text(0) == "game:id"
            if message.verb == "state":
                if games is not None and begun > games:
                    return
                board = message.board(0)
                assert board is not None
                chosen = house or next(number for number, seeds in enumerate(board.south, 1) if seeds)
                await self.say(f"@{message.id} move {chosen}", f"@{message.id} yield")
            elif message.verb == "ping":
                await self.say(f"@{message.id} pong")


@contextlib.asynccontextmanager
async def running(server: Server, *, websocket: bool = False) -> AsyncIterator[list[Event]]:
    """A server at a free port, and what it tells; it must end by itself where the block ends by itself."""
    told: list[Event] = []
    server.tell = told.append
    free = Address("127.0.0.1", 0)
    await server.listen(free, websocket=free if websocket else None)
    task = asyncio.create_task(server.run())
    try:
        yield told
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
