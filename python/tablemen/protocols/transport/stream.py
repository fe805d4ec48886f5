"""Messages over the streams of asyncio, whatever these are connected to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError
from tablemen.protocols.transport.framing import Framing

BREATH = 16  # messages at once; then others have their turn, so that a flood does not hold time-outs up
SENDING = 10.0  # seconds for a peer to take what is sent
CLOSING = 1.0  # seconds for it to take the rest when the connection is closed


@contextlib.asynccontextmanager
async def time_limit(seconds: float, peer: str, problem: str) -> AsyncIterator[None]:
    """Limit the time of a block. Raises `PeerTimeoutError` with the problem when the time is over."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise PeerTimeoutError(peer, problem, seconds) from error


class StreamTransport:
    """A reader and a writer. The reader must have been made with the limit of `limit_of`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, framing: Framing, peer: str) -> None:
        self.peer = peer
        self._reader = reader
        self._writer = writer
        self._framing = framing
        self._received = 0

    async def send(self, message: bytes) -> None:
        """Send a message, once there is room for it."""
        framed = self._framing.frame(message)
        if self._writer.is_closing():
            raise await self._gone()
        try:
            self._writer.write(framed)
            async with time_limit(SENDING, self.peer, "did not take what was sent"):
                await self._writer.drain()
        except OSError as error:
            raise await self._gone() from error

    async def receive(self) -> bytes | None:
        """The next message, without its end."""
        self._received += 1
        if self._received % BREATH == 0:
            await asyncio.sleep(0)
        try:
            framed = await self._reader.readuntil(self._framing.separator)
        except asyncio.IncompleteReadError:
            return None
        except asyncio.LimitOverrunError as error:
            raise await self._too_long() from error
        except OSError:
            return None
        message = framed[:-1].removesuffix(b"\r") if self._framing.separator == b"\n" else framed[:-1]
        if len(message) > self._framing.most:
            raise self._too_long_of(message)
        return message

    async def _too_long(self) -> ProtocolError:
        return self._too_long_of(await self._reader.read(100))

    def _too_long_of(self, beginning: bytes) -> ProtocolError:
        said = beginning[:100].decode(errors="replace")
        return ProtocolError(self.peer, f"sent a message of more than {self._framing.most:,} bytes", said)

    async def _gone(self) -> PeerGoneError:
        """Why nobody takes what is sent."""
        return PeerGoneError(self.peer, "has closed the connection")

    async def close(self) -> None:
        """Close the writer; what the peer does not take soon is dropped, since it would keep the connection open."""
        self._writer.close()
        with contextlib.suppress(OSError):
            try:
                async with asyncio.timeout(CLOSING):
                    await self._writer.wait_closed()
            except TimeoutError:
                self._writer.transport.abort()


def limit_of(framing: Framing) -> int:
    """The bytes that a reader may hold: a whole message with what ends it."""
    return framing.most + 2
