"""WebSocket connections with heartbeats and limits: the rate of messages in, and the backlog of messages out."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from tablemen.web.models import Heartbeat
from tablemen.web.settings import Settings

POLICY, TOO_LARGE, TRY_AGAIN = 1008, 1009, 1013  # close codes of RFC 6455
CLOSE_TIMEOUT = 1.0  # seconds for the closing handshake with a peer that does not read
MAX_REASON_BYTES = 123  # RFC 6455, 5.5
HEARTBEAT = Heartbeat(type="heartbeat").model_dump_json()
MAX_HEARTBEAT_LENGTH = 100  # characters; longer messages are not parsed to find heartbeats


class BadMessageError(Exception):
    """A message that has no reply: the connection is closed with this reason and code."""

    def __init__(self, reason: str, code: int = POLICY) -> None:
        super().__init__(reason)
        self.code = code


class Connection:
    """A WebSocket with a writer task, so that a slow reader does not delay other connections.

    The connection is closed when too many messages are unread.
    """

    def __init__(self, socket: WebSocket, settings: Settings, *, max_length: int | None = None) -> None:
        """Wrap a WebSocket. `max_length` limits messages further than `Settings.message_bytes`."""
        self._socket = socket
        self._max_length = settings.message_bytes if max_length is None else max_length
        self._unread: asyncio.Queue[str] = asyncio.Queue()
        self._max_unread, self._max_bytes = settings.unread, settings.unread_bytes
        self._size = 0  # total length of the queued messages and the one that is being written
        self._writer: asyncio.Task[None] | None = None
        self._drop_reason: str | None = None
        self._rate = settings.messages_a_second
        self._tokens, self._refilled_at = float(self._rate), time.monotonic()

    def send(self, text: str) -> None:
        """Queue a message for the writer."""
        if self._drop_reason is not None:
            return
        is_too_large = self._size > 0 and self._size + len(text) > self._max_bytes
        if is_too_large or self._unread.qsize() >= self._max_unread:
            self.drop("too many unread messages")
        else:
            self._size += len(text)  # characters, which are nearly all ASCII
            self._unread.put_nowait(text)

    async def receive(self) -> str | None:
        """Return the next message, delayed to the rate limit, or None when the peer has closed. Answer heartbeats.

        Raises `BadMessageError` if the message is not text or too long.
        """
        while (text := await self._receive()) is not None and _is_heartbeat(text):
            try:
                await self._socket.send_text(HEARTBEAT)
            except (WebSocketDisconnect, RuntimeError):  # closed during the write
                return None
        return text

    async def _receive(self) -> str | None:
        """Return the next message, heartbeats included. The rate limit is a token bucket."""
        now = time.monotonic()
        self._tokens = min(self._tokens + (now - self._refilled_at) * self._rate, self._rate) - 1
        self._refilled_at = now
        if self._tokens < 0:
            await asyncio.sleep(-self._tokens / self._rate)
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        text = message.get("text")
        if not isinstance(text, str):
            raise BadMessageError("expected a text message, got a binary one")
        if len(text) > self._max_length:
            raise BadMessageError(f"the message is too long: the limit is {self._max_length:,} characters", TOO_LARGE)
        return text

    async def serve(self, reader: asyncio.Task[None]) -> None:
        """Write messages until the reader ends or the peer stops reading."""
        self._writer = asyncio.create_task(self._write())
        if self._drop_reason is not None:  # dropped before the start
            self._writer.cancel()
        try:
            await asyncio.wait({reader, self._writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, self._writer):
                task.cancel()
            await asyncio.gather(reader, self._writer, return_exceptions=True)
        if self._drop_reason is not None:
            await self.close(POLICY, self._drop_reason)

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # closed during a write
            while True:
                text = await self._unread.get()
                await self._socket.send_text(text)
                self._size -= len(text)

    def drop(self, reason: str) -> None:
        """End `serve`, and close the connection with a reason. Messages that are not yet read or written are lost."""
        self._drop_reason = reason
        if self._writer is not None:
            self._writer.cancel()

    async def close(self, code: int, reason: str) -> None:
        """Close the connection with a reason."""
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            short = reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
            await asyncio.wait_for(self._socket.close(code, short), CLOSE_TIMEOUT)


def _is_heartbeat(text: str) -> bool:
    if len(text) > MAX_HEARTBEAT_LENGTH or "heartbeat" not in text:
        return False
    try:
        return bool(json.loads(text) == {"type": "heartbeat"})
    except ValueError:
        return False
