"""Sockets: how many there may be, and how much each of them may send and leave unread."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablemen.web.settings import Settings

POLICY, TOO_LARGE, TRY_AGAIN = 1008, 1009, 1013  # why a socket is closed, as the protocol has it
CLOSE_SECONDS = 1.0  # for which somebody who does not read is asked to leave
LONGEST_REASON = 123  # bytes, as the protocol has it
MOST_ADDRESSES = 100_000  # of which it is known how much they ask


def address_of(connection: HTTPConnection) -> str:
    """Where somebody asks from, as the guard has it."""
    return connection.client.host if connection.client else ""


def client_of(host: str) -> str:
    """Whom the address counts for: one who has addresses of IPv6 has as many of them as the last 64 bits can count."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


class TooManyError(Exception):
    """More than there may be; `seconds` is when to try again."""

    def __init__(self, reason: str, seconds: int = 60) -> None:
        super().__init__(reason)
        self.seconds = seconds


class BadMessageError(Exception):
    """A message that cannot be answered: the socket is closed with this as its reason."""


class Admission:
    """Counts what is open, in all and from each address."""

    def __init__(self, *, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._open: Counter[str] = Counter()
        self._count = 0

    @contextmanager
    def admitted(self, address: str) -> Iterator[None]:
        """Somebody from this address is in, until the end of the block; raises `TooManyError`."""
        if self._count >= self._most:
            raise TooManyError("this server has too many connections; try again later")
        if self._open[address] >= self._most_of_one:
            raise TooManyError("too many connections come from your address")
        self._count += 1
        self._open[address] += 1
        try:
            yield
        finally:
            self._count -= 1
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


class Allowance:
    """So many things a period, for each address, as they come."""

    def __init__(self, most: int, seconds: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._used: OrderedDict[str, tuple[float, int]] = OrderedDict()  # when the period began, and how many since

    def take(self, address: str) -> None:
        """One more; raises `TooManyError` where that is too many."""
        now = self._now()
        began, count = self._used.get(address, (now, 0))
        if now - began >= self._seconds:
            began, count = now, 0
        if count >= self._most:
            raise TooManyError("too many of these come from your address", int(began + self._seconds - now) + 1)
        self._used[address] = began, count + 1
        self._used.move_to_end(address)
        while len(self._used) > MOST_ADDRESSES:
            self._used.popitem(last=False)


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
