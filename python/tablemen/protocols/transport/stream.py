"""Messages over byte streams: framing, limits of length and time, and the transport over asyncio streams."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError, ProtocolError

YIELD_INTERVAL = 16  # messages after which other tasks run, so that a flood of messages does not delay timeouts
SEND_TIMEOUT = 10.0  # seconds for a peer to accept a message
CLOSE_TIMEOUT = 1.0  # seconds for a peer to accept the remaining data when the connection is closed


@dataclass(frozen=True, slots=True)
class Framing:
    r"""The byte that ends every received message, the bytes that end every sent one, and the maximum length.

    >>> Framing(b"\n", 10, end=b"\r\n").frame(b"hello")
    b'hello\r\n'
    """

    separator: bytes
    max_length: int  # bytes, without the end
    end: bytes = b""  # the separator if empty

    @property
    def read_limit(self) -> int:
        """The number of bytes that a reader must be able to buffer: a message with its end."""
        return self.max_length + 2

    def frame(self, message: bytes) -> bytes:
        """Return the message with its end. Raises `ArgumentError` if it is too long or contains a separator."""
        if self.separator in message or len(message) > self.max_length:
            shown = message[:40].decode(errors="replace")
            expected = f"at most {self.max_length:,} bytes without {self.separator!r}"
            raise ArgumentError("message", shown, expected)
        return message + (self.end or self.separator)

    def unframe(self, framed: bytes, peer: str) -> bytes:
        """Return a received message without its end. Raises `ProtocolError` if it is too long."""
        message = framed.removesuffix(self.separator)
        if self.separator == b"\n":
            message = message.removesuffix(b"\r")
        if len(message) > self.max_length:
            raise self.too_long(peer, message)
        return message

    def too_long(self, peer: str, beginning: bytes = b"") -> ProtocolError:
        """Return the error for a message that is too long."""
        sent = beginning[:100].decode(errors="replace")
        return ProtocolError(peer, f"sent a message of more than {self.max_length:,} bytes", sent)


class Transport(Protocol):
    """A connection that carries messages as bytes without their ends."""

    peer: str  # the name of the other end in errors

    async def send(self, message: bytes) -> None:
        """Send a message. Raises `PeerGoneError` if the peer is gone, `PeerTimeoutError` if it does not read."""
        ...

    async def receive(self) -> bytes | None:
        """Return the next message, or None after the last; discard an unfinished message.

        May be cancelled without losing a message. Raises `ProtocolError` if a message is too long.
        """
        ...

    async def close(self) -> None:
        """Close the connection; end a process at the other end and its children. May be called again."""
        ...


@contextlib.asynccontextmanager
async def time_limit(seconds: float, peer: str, problem: str) -> AsyncIterator[None]:
    """Limit the time of a block. Raises `PeerTimeoutError` with the problem when the time is over."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise PeerTimeoutError(peer, problem, seconds) from error


class StreamTransport:
    """A transport over an asyncio reader, created with the `read_limit` of the framing, and a writer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, framing: Framing, peer: str) -> None:
        self.peer = peer
        self._reader = reader
        self._writer = writer
        self._framing = framing
        self._received = 0

    async def send(self, message: bytes) -> None:
        """Send a message when the buffer has room."""
        framed = self._framing.frame(message)
        if self._writer.is_closing():
            raise await self._gone()
        try:
            self._writer.write(framed)
            async with time_limit(SEND_TIMEOUT, self.peer, "did not read our message"):
                await self._writer.drain()
        except OSError as error:
            raise await self._gone() from error

    async def receive(self) -> bytes | None:
        """Return the next message without its end."""
        self._received += 1
        if self._received % YIELD_INTERVAL == 0:
            await asyncio.sleep(0)
        try:
            framed = await self._reader.readuntil(self._framing.separator)
        except asyncio.LimitOverrunError as error:
            raise self._framing.too_long(self.peer, await self._reader.read(100)) from error
        except (asyncio.IncompleteReadError, OSError):
            return None
        return self._framing.unframe(framed, self.peer)

    async def _gone(self) -> PeerGoneError:
        """Return the error for a message that cannot be sent."""
        return PeerGoneError(self.peer, "has closed the connection")

    async def close(self) -> None:
        """Close the writer, and discard data that the peer does not read within `CLOSE_TIMEOUT`."""
        self._writer.close()
        with contextlib.suppress(OSError):
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT):
                    await self._writer.wait_closed()
            except TimeoutError:
                self._writer.transport.abort()
