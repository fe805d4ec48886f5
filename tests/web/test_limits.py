"""Limits for each client, and the normalisation of addresses."""

from __future__ import annotations

import pytest

from tablemen.web.limits import ConnectionLimit, RateLimit, TooManyError, normalize_address
from tests.fake_clock import Time


def test_connections_are_limited_in_total_and_per_client() -> None:
    limit = ConnectionLimit(total=3, per_client=2)
    with limit.acquire("a"), limit.acquire("b"):
        with limit.acquire("a"), pytest.raises(TooManyError), limit.acquire("c"):
            pass
        with limit.acquire("b"), pytest.raises(TooManyError), limit.acquire("b"):
            pass
    with limit.acquire("a"), limit.acquire("a"):
        with pytest.raises(TooManyError), limit.acquire("a"):
            pass
        with limit.acquire("b"):
            pass


def test_requests_are_limited_per_time_window() -> None:
    time = Time(0)
    limit = RateLimit(2, seconds=60, now=time)
    limit.acquire("a")
    time.now = 59
    limit.acquire("a")
    limit.acquire("b")
    with pytest.raises(TooManyError) as caught:
        limit.acquire("a")
    assert caught.value.seconds == 2
    time.now = 60
    limit.acquire("a")


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_client_are_grouped(host: str, client: str) -> None:
    assert normalize_address(host) == client
