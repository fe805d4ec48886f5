"""WebSocket connections and listeners; each line of a WebSocket message is a message of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tablemen.errors import PeerGoneError, PeerTimeoutError, TablemenError
from tablemen.protocols.transport.stream import CLOSE_TIMEOUT, SEND_TIMEOUT, YIELD_INTERVAL, Framing, time_limit
from tablemen.protocols.transport.tcp import CONNECT_TIMEOUT, Address, PendingConnections, check_name, name_peer

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection
    from websockets.asyncio.server import ServerConnection

MISSING = "WebSockets need another package: pip install 'tablemen[web]'"
READ_AHEAD = 4  # messages that are buffered for `receive`
TOO_BIG = 1009  # close code for a message that is too long (RFC 6455, 7.4.1)


def _load() -> Any:
    """Import and return `websockets`. Raises `TablemenError` if it is not installed."""
    try:
        import websockets.asyncio.client
        import websockets.asyncio.server
        import websockets.exceptions
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "websockets":
            raise
        raise TablemenError(MISSING) from error
    return websockets


class WebSocketTransport:
    """A WebSocket. Sent messages end with a line end, which some clients require; received ones may have many lines."""

    def __init__(self, socket: Connection, framing: Framing, peer: str) -> None:
        self.peer = peer
        self._socket = socket
        self._framing = framing
        self._lines: deque[bytes] = deque()
        self._received = 0
        self._closed = _load().exceptions.ConnectionClosed

    async def send(self, message: bytes) -> None:
        """Send a message when the buffer has room."""
        framed = self._framing.frame(message)
        try:
            async with time_limit(SEND_TIMEOUT, self.peer, "did not read our message"):
                await self._socket.send(framed, text=True)
        except (self._closed, OSError) as error:
            raise PeerGoneError(self.peer, "has closed the connection") from error

    async def receive(self) -> bytes | None:
        """Return the next line without its end."""
        self._received += 1
        if self._received % YIELD_INTERVAL == 0:
            await asyncio.sleep(0)
        while not self._lines:
            try:
                received = await self._socket.recv(decode=False)
            except self._closed as error:
                if error.sent is not None and error.sent.code == TOO_BIG:
                    raise self._framing.too_long(self.peer) from error
                return None
            except OSError:
                return None
            self._lines.extend(received.rstrip(b"\r\n").split(b"\n"))
        return self._framing.unframe(self._lines.popleft(), self.peer)

    async def close(self) -> None:
        """Close the connection, with a handshake if the peer answers."""
        with contextlib.suppress(TimeoutError, OSError, self._closed):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await self._socket.close()
        transport = getattr(self._socket, "transport", None)
        if transport is not None:
            transport.abort()


def _settings(framing: Framing, seconds: float = CONNECT_TIMEOUT) -> dict[str, Any]:
    """Return the limits of size and time, for clients and servers."""
    return {
        "max_size": framing.read_limit,
        "max_queue": READ_AHEAD,
        "compression": None,  # a few bytes could expand to a long line
        "open_timeout": seconds,
        "close_timeout": CLOSE_TIMEOUT,
    }


async def connect_websocket(url: str, framing: Framing, *, seconds: float = CONNECT_TIMEOUT) -> WebSocketTransport:
    """Connect to a server, `ws://…` or `wss://…`.

    Raises `PeerGoneError` if the URL is invalid or cannot be reached, `PeerTimeoutError`, and `TablemenError` if
    `websockets` is not installed.
    """
    library = _load()
    try:
        check_name(urlsplit(url).hostname or "")
        socket = await library.asyncio.client.connect(url, proxy=None, **_settings(framing, seconds))
    except TimeoutError as error:
        raise PeerTimeoutError(url, "did not answer", seconds) from error
    except (OSError, ValueError, library.exceptions.InvalidURI, library.exceptions.InvalidHandshake, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise PeerGoneError(url, f"cannot be reached: {reason}") from error
    return WebSocketTransport(socket, framing, url)


class WebSocketListener(PendingConnections[WebSocketTransport]):
    """A WebSocket listener. It refuses web pages, which send an Origin: otherwise any open page could connect."""

    async def start(self, address: Address) -> None:
        """Start to listen. Raises `OSError` if that fails, `TablemenError` if `websockets` is not installed."""
        check_name(address.host)
        logger = logging.getLogger("tablemen.websockets")  # silent: invalid input of clients is not our error
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
        self._server = await _load().asyncio.server.serve(
            self._connected, address.host, address.port, origins=[None], logger=logger, **_settings(self._framing)
        )

    async def _connected(self, socket: ServerConnection) -> None:
        if await self._add(WebSocketTransport(socket, self._framing, name_peer(socket.remote_address))):
            await socket.wait_closed()

    async def close(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None:
            self._server.close(close_connections=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_TIMEOUT + 1):
                    await self._server.wait_closed()


async def listen_websocket(address: Address, framing: Framing) -> WebSocketListener:
    """Listen at an address. Raises `OSError` if that fails."""
    listener = WebSocketListener(framing)
    await listener.start(address)
    return listener
