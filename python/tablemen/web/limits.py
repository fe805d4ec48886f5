"""Limits for each client: open connections and requests in a period."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

MAX_CLIENTS = 100_000  # whose rates are remembered; the least recent are forgotten first


def client_address(connection: HTTPConnection) -> str:
    """Return the address that a request counts for, as `SecurityMiddleware` has written it."""
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


class TooManyError(Exception):
    """A client asked for more than its share; `seconds` is when to try again."""

    def __init__(self, reason: str, seconds: int = 60) -> None:
        super().__init__(reason)
        self.seconds = seconds


class ConnectionLimit:
    """Limit the connections that are open at a time, in all and for each client."""

    def __init__(self, *, total: int, per_client: int) -> None:
        self._total, self._per_client = total, per_client
        self._open: Counter[str] = Counter()

    @contextmanager
    def acquire(self, client: str) -> Iterator[None]:
        """Count a connection until the end of the block; raise `TooManyError` if there are too many."""
        if self._open.total() >= self._total:
            raise TooManyError("this server has too many connections; try again later")
        if self._open[client] >= self._per_client:
            raise TooManyError("too many connections come from your address")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class RateLimit:
    """Limit the number of requests of each client in fixed windows of time."""

    def __init__(self, limit: int, *, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._seconds, self._now = limit, seconds, now
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()  # start of the window, requests in it

    def acquire(self, client: str) -> None:
        """Count a request; raise `TooManyError` if the client has no more in this window."""
        now = self._now()
        started, count = self._windows.get(client, (now, 0))
        if now - started >= self._seconds:
            started, count = now, 0
        if count >= self._limit:
            raise TooManyError("too many of these come from your address", int(started + self._seconds - now) + 1)
        self._windows[client] = started, count + 1
        self._windows.move_to_end(client)
        while len(self._windows) > MAX_CLIENTS:
            self._windows.popitem(last=False)
