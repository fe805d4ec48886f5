"""Sockets: how much each of them may send and leave unread."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from tablemen.web.settings import Settings

POLICY, TOO_LARGE, TRY_AGAIN = 1008, 1009, 1013  # why a socket is closed, as the protocol has it
CLOSE_SECONDS = 1.0  # for which somebody who does not read is asked to leave
LONGEST_REASON = 123  # bytes, as the protocol has it


class BadMessageError(Exception):
    """A message that cannot be answered: the socket is closed with this as its reason."""


class Connection:
    """A socket that is written to by a task of its own, so that nobody waits for a slow reader.

    Whoever leaves too much unread is told no more, and the connection ends.
    """

    def __init__(self, socket: WebSocket, settings: Settings) -> None:
        self._socket = socket
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._most, self._most_bytes = settings.unread, settings.unread_bytes
        self._size = 0  # of what waits, and of what is written now
        self._writer: asyncio.Task[None] | None = None
        self._is_full = False
        self._rate = settings.messages_a_second
        self._allowed, self._counted_at = float(self._rate), time.monotonic()

    def send(self, text: str) -> None:
        """Say something, soon."""
        if self._is_full:
            return
        is_too_large = self._size > 0 and self._size + len(text) > self._most_bytes
        self._is_full = is_too_large or self._waiting.qsize() >= self._most
        if not self._is_full:
            self._size += len(text)  # nearly all of it is ASCII
            self._waiting.put_nowait(text)
        elif self._writer is not None:
            self._writer.cancel()

    async def receive(self) -> str | None:
        """What is said next, not faster than it may be; None at the end.

        Raises `BadMessageError` for what is no text.
        """
        self._count()
        if self._allowed < 0:
            await asyncio.sleep(-self._allowed / self._rate)
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text = message.get("text")
        if not isinstance(text, str):
            raise BadMessageError("a message is a text")
        return text

    def _count(self) -> None:
        now = time.monotonic()
        self._allowed = min(self._allowed + (now - self._counted_at) * self._rate, self._rate) - 1
        self._counted_at = now

    async def serve(self, reader: asyncio.Task[None]) -> None:
        """Write what is to be said until the reader ends, or nobody reads."""
        self._writer = asyncio.create_task(self._write())
        try:
            await asyncio.wait({reader, self._writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, self._writer):
                task.cancel()
            await asyncio.gather(reader, self._writer, return_exceptions=True)
        if self._is_full:
            await self.close(POLICY, "too much was left unread")

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # it was closed while this was written
            while True:
                text = await self._waiting.get()
                await self._socket.send_text(text)
                self._size -= len(text)

    async def close(self, code: int, reason: str) -> None:
        """Say why, and end it."""
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            short = reason.encode()[:LONGEST_REASON].decode(errors="ignore")
            await asyncio.wait_for(self._socket.close(code, short), CLOSE_SECONDS)
