"""Who asks, and how much comes in from one address."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

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

    def __init__(self, most: int, *, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
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
