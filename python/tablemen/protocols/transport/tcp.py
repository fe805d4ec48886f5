"""TCP: addresses, connections and listeners."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import re
import socket
from typing import Any, Generic, NamedTuple, TypeVar

from tablemen.errors import ArgumentError, PeerGoneError
from tablemen.protocols.transport.stream import Framing, StreamTransport, Transport, time_limit

CONNECT_TIMEOUT = 10.0  # seconds
LOOPBACK = "127.0.0.1"
MAX_PENDING = 16  # connections that wait for `accept`
KEEPALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 20,
    "TCP_KEEPCNT": 3,
}  # a peer that has lost power is gone in 2 minutes

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s:/\[\]]*)):(?P<port>[0-9]{1,5})", re.ASCII)

T = TypeVar("T", bound=Transport)


class Address(NamedTuple):
    """A host and a port.

    >>> print(Address("::1", 2671), Address("localhost", 27531))
    [::1]:2671 localhost:27531
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str, *, port: int | None = None) -> Address:
    """Parse an address, `host:port`; if there is a default `port`, the text may be a host alone.

    >>> parse_address("localhost:2671"), parse_address(":27531"), parse_address("example.org", port=2671)[1]
    (Address(host='localhost', port=2671), Address(host='127.0.0.1', port=27531), 2671)

    Raises `ArgumentError`.
    """
    written = text.strip()
    if port is not None and not _ADDRESS.fullmatch(written):
        written = f"{written}:{port}"
    found = _ADDRESS.fullmatch(written)
    if found is None or int(found["port"]) > 65535:
        raise ArgumentError("address", text, "a host and a port, such as localhost:27531")
    return Address(found["six"] or found["host"] or LOOPBACK, int(found["port"]))


def is_loopback(host: str) -> bool:
    """Return whether the host is reachable from this machine only.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_name(host: str) -> None:
    """Raise `OSError` if a text cannot be a host name; resolving it would raise `UnicodeError`."""
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise OSError(errno.EINVAL, "not a valid host name") from error


async def connect(address: Address, framing: Framing, *, seconds: float = CONNECT_TIMEOUT) -> StreamTransport:
    """Connect to an address. Raises `PeerGoneError` if it cannot be reached, `PeerTimeoutError`."""
    peer = str(address)
    try:
        check_name(address.host)
        async with time_limit(seconds, peer, "did not answer"):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=framing.read_limit)
    except OSError as error:
        raise PeerGoneError(peer, f"cannot be reached: {error.strerror or error}") from error
    _keep_alive(writer)
    return StreamTransport(reader, writer, framing, peer)


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Let the system detect a peer that is gone without closing the connection, such as in a game without a clock."""
    connected = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):  # the peer has already disconnected
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):  # not on every platform
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def name_peer(address: tuple[Any, ...] | None) -> str:
    """Return the name of a peer in messages; asyncio gives no address if the peer has already disconnected.

    >>> name_peer(("127.0.0.1", 2671)), name_peer(None)
    ('127.0.0.1:2671', 'an unknown peer')
    """
    return str(Address(*address[:2])) if address else "an unknown peer"


class PendingConnections(Generic[T]):
    """Base of the listeners for TCP and WebSockets: a bounded queue of accepted connections."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._pending: asyncio.Queue[T] = asyncio.Queue(MAX_PENDING)
        self._server: Any = None

    @property
    def address(self) -> Address:
        """The address of the listener, with the assigned port if port 0 was requested."""
        host, port = next(iter(self._server.sockets)).getsockname()[:2]
        return Address(host, port)

    async def accept(self) -> T:
        """Return the next connection. May be cancelled."""
        return await self._pending.get()

    async def _add(self, transport: T) -> bool:
        """Queue a connection and return True, or close it if the queue is full."""
        try:
            self._pending.put_nowait(transport)
        except asyncio.QueueFull:
            await transport.close()
            return False
        return True


class Listener(PendingConnections[StreamTransport]):
    """A TCP listener. It closes new connections at once while too many are pending."""

    async def start(self, address: Address) -> None:
        """Start to listen. Raises `OSError` if that fails."""
        check_name(address.host)
        self._server = await asyncio.start_server(
            self._connected, address.host, address.port, limit=self._framing.read_limit, start_serving=False
        )  # does not await after it has bound the socket, so that cancelling cannot leak the socket
        await self._server.start_serving()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _keep_alive(writer)
        await self._add(StreamTransport(reader, writer, self._framing, name_peer(writer.get_extra_info("peername"))))

    async def close(self) -> None:
        """Stop listening and close the pending connections."""
        if self._server is not None:
            self._server.close()
        while not self._pending.empty():
            await self._pending.get_nowait().close()
        if self._server is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._server.wait_closed()


async def listen(address: Address, framing: Framing) -> Listener:
    """Listen at an address. Raises `OSError` if that fails."""
    listener = Listener(framing)
    try:
        await listener.start(address)
    except BaseException:
        await listener.close()
        raise
    return listener
