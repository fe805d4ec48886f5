"""WebSockets: connecting to somebody, and being connected to; a line is a message, with what ends it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tablemen.errors import PeerGoneError, PeerTimeoutError, ProtocolError, TablemenError
from tablemen.protocols.transport.framing import Framing
from tablemen.protocols.transport.stream import BREATH, SENDING
from tablemen.protocols.transport.tcp import CONNECTING, WAITING, Address, check_name

if TYPE_CHECKING:
    from websockets.asyncio.connection import Connection
    from websockets.asyncio.server import Server, ServerConnection

NEEDED = "WebSockets need a package more: pip install 'tablemen[web]'"
AHEAD = 4  # messages that are read before anybody asks for them
CLOSING = 1.0  # seconds to close a connection politely
TOO_BIG = 1009  # the code for a message that is too long (RFC 6455, 7.4.1)


def _load() -> Any:
    """The package, if it is installed. Raises `TablemenError` where it is not."""
    try:
        import websockets.asyncio.client
        import websockets.asyncio.server
        import websockets.exceptions
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "websockets":
            raise
        raise TablemenError(NEEDED) from error
    return websockets


class WebSocketTransport:
    """A WebSocket. What is sent ends as a line does, since some clients count on it; several lines may come at once."""

    def __init__(self, socket: Connection, framing: Framing, peer: str) -> None:
        self.peer = peer
        self._socket = socket
        self._framing = framing
        self._lines: deque[bytes] = deque()
        self._received = 0
        self._closed = _load().exceptions.ConnectionClosed

    async def send(self, message: bytes) -> None:
        """Send a message, once there is room for it."""
        framed = self._framing.frame(message)
        try:
            async with asyncio.timeout(SENDING):
                await self._socket.send(framed, text=True)
        except TimeoutError as error:
            raise PeerTimeoutError(self.peer, "did not take what was sent", SENDING) from error
        except (self._closed, OSError) as error:
            raise PeerGoneError(self.peer, "has closed the connection") from error

    async def receive(self) -> bytes | None:
        """The next line, without its end."""
        self._received += 1
        if self._received % BREATH == 0:
            await asyncio.sleep(0)
        while not self._lines:
            try:
                received = await self._socket.recv(decode=False)
            except self._closed as error:
                if error.sent is not None and error.sent.code == TOO_BIG:
                    raise ProtocolError(
                        self.peer, f"sent a message of more than {self._framing.most:,} bytes"
                    ) from error
                return None
            except OSError:
                return None
            self._lines.extend(line.removesuffix(b"\r") for line in received.rstrip(b"\r\n").split(b"\n"))
        line = self._lines.popleft()
        if len(line) > self._framing.most:
            said = line[:100].decode(errors="replace")
            raise ProtocolError(self.peer, f"sent a message of more than {self._framing.most:,} bytes", said)
        return line

    async def close(self) -> None:
        """Close the connection, politely if the peer lets us."""
        with contextlib.suppress(TimeoutError, OSError, self._closed):
            async with asyncio.timeout(CLOSING):
                await self._socket.close()
        transport = getattr(self._socket, "transport", None)
        if transport is not None:
            transport.abort()


def _settings(framing: Framing) -> dict[str, Any]:
    """How much of what a peer sends is held, for either end."""
    return {
        "max_size": framing.most + 2,
        "max_queue": AHEAD,
        "compression": None,  # a few bytes would become a long line
        "open_timeout": CONNECTING,
        "close_timeout": CLOSING,
    }


async def connect_websocket(url: str, framing: Framing, *, seconds: float = CONNECTING) -> WebSocketTransport:
    """Connects to a server, `ws://…` or `wss://…`.

    Raises `PeerGoneError` where nobody listens there, or it is no address, `PeerTimeoutError`, and `TablemenError`
    where WebSockets cannot be had.
    """
    library = _load()
    settings = _settings(framing) | {"open_timeout": seconds}
    try:
        check_name(urlsplit(url).hostname or "")
        socket = await library.asyncio.client.connect(url, proxy=None, **settings)
    except TimeoutError as error:
        raise PeerTimeoutError(url, "did not answer", seconds) from error
    except (OSError, ValueError, library.exceptions.InvalidURI, library.exceptions.InvalidHandshake, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise PeerGoneError(url, f"cannot be reached: {reason}") from error
    return WebSocketTransport(socket, framing, url)


class WebSocketListener:
    """A place where others connect with WebSockets: `accept` gives whoever is next, until each is closed.

    Pages in browsers are refused: whoever opens one would let it play here.
    """

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._waiting: asyncio.Queue[WebSocketTransport] = asyncio.Queue(WAITING)
        self._server: Server | None = None

    async def start(self, address: Address) -> None:
        """Begin to listen. Raises `OSError` where that cannot be done, and `TablemenError`."""
        check_name(address.host)
        serve = _load().asyncio.server.serve
        settings = _settings(self._framing)
        self._server = await serve(self._take, address.host, address.port, origins=[None], logger=_quiet(), **settings)

    @property
    def address(self) -> Address:
        """Where it listens; the port is a real one, also where 0 was asked for."""
        assert self._server is not None
        host, port = next(iter(self._server.sockets)).getsockname()[:2]
        return Address(host, port)

    async def _take(self, socket: ServerConnection) -> None:
        host, port = (socket.remote_address or ("nobody", 0))[:2]
        transport = WebSocketTransport(socket, self._framing, str(Address(host, port)))
        try:
            self._waiting.put_nowait(transport)
        except asyncio.QueueFull:
            await transport.close()
            return
        await socket.wait_closed()

    async def accept(self) -> WebSocketTransport:
        """Whoever connected first of those who wait; may be cancelled."""
        return await self._waiting.get()

    async def close(self) -> None:
        """Nobody can connect any more, and all who have are sent away."""
        if self._server is not None:
            self._server.close(close_connections=True)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSING + 1):
                    await self._server.wait_closed()


def _quiet() -> Any:
    """A log that nobody sees: what strangers send is no news."""
    import logging

    logger = logging.getLogger("tablemen.websockets")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    return logger


async def listen_websocket(address: Address, framing: Framing) -> WebSocketListener:
    """Listens at an address. Raises `OSError` where that cannot be done."""
    listener = WebSocketListener(framing)
    await listener.start(address)
    return listener
