"""TCP: connecting to somebody, and being connected to."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import re
from typing import NamedTuple

from tablemen.errors import ArgumentError, PeerGoneError, PeerTimeoutError
from tablemen.protocols.transport.framing import Framing
from tablemen.protocols.transport.stream import StreamTransport, limit_of

CONNECTING = 10.0  # seconds
LOOPBACK = "127.0.0.1"
WAITING = 16  # connections that nobody has taken yet

_ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^\s:/\[\]]*)):(?P<port>[0-9]{1,5})", re.ASCII)


class Address(NamedTuple):
    """Where somebody listens.

    >>> print(Address("::1", 2671), Address("localhost", 27531))
    [::1]:2671 localhost:27531
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str, *, port: int | None = None) -> Address:
    """The address that a text gives, `host:port`; with a usual `port`, the host may stand alone.

    >>> parse_address("localhost:2671"), parse_address(":27531"), parse_address("example.org", port=2671)[1]
    (Address(host='localhost', port=2671), Address(host='127.0.0.1', port=27531), 2671)

    Raises `ArgumentError`.
    """
    written = text.strip()
    if port is not None and not _ADDRESS.fullmatch(written):
        written = f"{written}:{port}"
    found = _ADDRESS.fullmatch(written)
    if found is None or int(found["port"]) > 65535:
        raise ArgumentError("address", text, "a host and a port, such as localhost:27531,")
    return Address(found["six"] or found["host"] or LOOPBACK, int(found["port"]))


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the host.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host.lower() == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_name(host: str) -> None:
    """Raises `OSError` where a text can be no name of a host: whoever looks it up would fail with another error."""
    try:
        host.encode("idna")
    except UnicodeError as error:
        raise OSError(errno.EINVAL, "it is no name of a host") from error


async def connect(address: Address, framing: Framing, *, seconds: float = CONNECTING) -> StreamTransport:
    """Connects to somebody who listens. Raises `PeerGoneError` where nobody does, `PeerTimeoutError`."""
    peer = str(address)
    try:
        check_name(address.host)
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=limit_of(framing))
    except TimeoutError as error:
        raise PeerTimeoutError(peer, "did not answer", seconds) from error
    except OSError as error:
        raise PeerGoneError(peer, f"cannot be reached: {error.strerror or error}") from error
    return StreamTransport(reader, writer, framing, peer)


class Listener:
    """A place where others connect: `accept` gives whoever is next. Who comes when too many wait is sent away."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._waiting: asyncio.Queue[StreamTransport] = asyncio.Queue(WAITING)
        self._server: asyncio.Server | None = None

    async def start(self, address: Address) -> None:
        """Begin to listen. Raises `OSError` where that cannot be done."""
        check_name(address.host)
        self._server = await asyncio.start_server(self._take, address.host, address.port, limit=limit_of(self._framing))

    @property
    def address(self) -> Address:
        """Where it listens; the port is a real one, also where 0 was asked for."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        return Address(host, port)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = (writer.get_extra_info("peername") or ("nobody", 0))[:2]
        transport = StreamTransport(reader, writer, self._framing, str(Address(host, port)))
        try:
            self._waiting.put_nowait(transport)
        except asyncio.QueueFull:
            await transport.close()

    async def accept(self) -> StreamTransport:
        """Whoever connected first of those who wait; may be cancelled."""
        return await self._waiting.get()

    async def close(self) -> None:
        """Nobody can connect any more, and who waits is sent away."""
        if self._server is not None:
            self._server.close()
        while not self._waiting.empty():
            await self._waiting.get_nowait().close()
        if self._server is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._server.wait_closed()


async def listen(address: Address, framing: Framing) -> Listener:
    """Listens at an address. Raises `OSError` where that cannot be done."""
    listener = Listener(framing)
    await listener.start(address)
    return listener
