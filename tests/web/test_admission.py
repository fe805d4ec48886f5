"""How much comes in from one address, and whom an address counts for."""

from __future__ import annotations

import pytest

from tablemen.web.admission import Admission, Allowance, TooManyError, client_of
from tests.time_for_tests import Time


def test_as_many_as_may_be() -> None:
    doors = Admission(most=3, most_of_one=2)
    with doors.admitted("a"), doors.admitted("b"):
        with doors.admitted("a"), pytest.raises(TooManyError, match="this server has too many"), doors.admitted("c"):
            pass
        with doors.admitted("b"), pytest.raises(TooManyError), doors.admitted("b"):
            pass
    with doors.admitted("a"), doors.admitted("a"):
        with pytest.raises(TooManyError, match="from your address"), doors.admitted("a"):
            pass
        with doors.admitted("b"):
            pass


def test_so_many_a_minute() -> None:
    time = Time(0)
    allowance = Allowance(2, seconds=60, now=time)
    allowance.take("a")
    time.now = 59
    allowance.take("a")
    allowance.take("b")
    with pytest.raises(TooManyError) as caught:
        allowance.take("a")
    assert caught.value.seconds == 2
    time.now = 60
    allowance.take("a")


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
def test_whom_an_address_counts_for(host: str, client: str) -> None:
    assert client_of(host) == client
