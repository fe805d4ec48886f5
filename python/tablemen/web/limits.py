"""Limits for each client: open connections and requests in a period."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from tablemen.errors import ArgumentError

MAX_CLIENTS = 100_000  # clients whose rates are stored; the least recently seen are dropped first


def client_address(connection: HTTPConnection) -> str:
    """Return the client address of a request, as normalised by `SecurityMiddleware`."""
    return connection.client.host if connection.client else ""


def normalize_address(host: str) -> str:
    """Group IPv6 addresses by /64, since one client can use them all."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


def parse_networks(texts: Iterable[str]) -> list[str]:
    """Return the networks of trusted proxies, as uvicorn's `ProxyHeadersMiddleware` expects them.

    A socket that accepts both IPv4 and IPv6 reports IPv4 addresses as `::ffff:192.0.2.1`, so the result contains each
    IPv4 network in this form too. Raises `ArgumentError` if a text is neither an address nor a network.
    """
    networks = []
    for text in texts:
        try:
            network = ipaddress.ip_network(text)
        except ValueError as error:
            expected = "an IP address, or a network such as 10.0.0.0/8 or fd00::/8"
            raise ArgumentError("trusted_proxies", text, expected) from error
        networks.append(str(network))
        if isinstance(network, ipaddress.IPv4Network):
            networks.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return networks


class TooManyError(Exception):
    """A client has reached a limit; it may try again after `seconds`."""

    def __init__(self, reason: str, seconds: int = 60) -> None:
        super().__init__(reason)
        self.seconds = seconds


class ConnectionLimit:
    """A limit on concurrent connections, in total and per client."""

    def __init__(self, *, total: int, per_client: int) -> None:
        self._total, self._per_client = total, per_client
        self._open: Counter[str] = Counter()

    @contextmanager
    def acquire(self, client: str) -> Iterator[None]:
        """Count a connection until the end of the block; raise `TooManyError` if there are too many."""
        if self._open.total() >= self._total:
            raise TooManyError("this server has too many connections; try again later")
        if self._open[client] >= self._per_client:
            raise TooManyError("too many open connections from your address")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class RateLimit:
    """A rate limit per client, counted in fixed time windows. `label` names the requests in messages."""

    def __init__(
        self, limit: int, *, seconds: float, label: str = "requests", now: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit, self._seconds, self._label, self._now = limit, seconds, label, now
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()  # start of the window, requests in it
        self.refused = 0  # requests so far

    def acquire(self, client: str) -> None:
        """Count a request; raise `TooManyError` if the client has used up this window."""
        now = self._now()
        started, count = self._windows.get(client, (now, 0))
        if now - started >= self._seconds:
            started, count = now, 0
        if count >= self._limit:
            self.refused += 1
            retry_after = int(started + self._seconds - now) + 1
            raise TooManyError(f"too many {self._label} from your address; try again later", retry_after)
        self._windows[client] = started, count + 1
        self._windows.move_to_end(client)
        while len(self._windows) > MAX_CLIENTS:
            self._windows.popitem(last=False)
