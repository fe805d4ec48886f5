"""Limits, as `level` says them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.errors import NotationError
from tablemen.protocols.hub.messages import format_level, parse_level, parse_message
from tablemen.search import Clock, Limit

LEVELS = {
    "level depth=8": Limit(depth=8),
    "level nodes=100000": Limit(nodes=100_000),
    "level move-time=1": Limit(time=1),
    "level time=60": Limit(clock=Clock(60)),
    "level moves=9 time=291.587": Limit(clock=Clock(291.587, moves=9)),
    "level time=60 inc=0.5": Limit(clock=Clock(60, 0.5)),
    "level depth=3 nodes=5 move-time=0.5 time=60 inc=2": Limit(depth=3, nodes=5, time=0.5, clock=Clock(60, 2)),
    "level infinite": Limit(),
}


@pytest.mark.parametrize("line", LEVELS)
def test_levels_there_and_back(line: str) -> None:
    assert parse_level(parse_message(line)) == LEVELS[line]
    assert str(format_level(LEVELS[line])) == line


MILLISECONDS = st.integers(1, 10**9).map(lambda number: number / 1000)

CLOCKS = st.builds(Clock, MILLISECONDS, st.just(0.0) | MILLISECONDS, st.none() | st.integers(1, 999))


@given(
    limit=st.builds(
        Limit,
        depth=st.none() | st.integers(1, 1000),
        nodes=st.none() | st.integers(1, 10**18),
        time=st.none() | MILLISECONDS,
        clock=st.none() | CLOCKS,
    )
)
def test_limits_come_back_from_their_lines(limit: Limit) -> None:
    assert parse_level(parse_message(str(format_level(limit)))) == limit


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("level time=-3 inc=-1 moves=0", Limit(clock=Clock(0))),
        ("level depth=0 nodes=-5", Limit(depth=1, nodes=1)),
        (f"level depth={10**19} nodes={10**19}", Limit(depth=1000, nodes=10**18)),
        ("level ponder colour=red depth=4", Limit(depth=4)),
    ],
)
def test_what_is_odd_is_taken_as_it_is_meant(line: str, limit: Limit) -> None:
    assert parse_level(parse_message(line)) == limit


@pytest.mark.parametrize(
    "line", ["level depth", "level depth=x", "level time=nan", "level move-time=1e999", "level inc=3", "level moves=4"]
)
def test_what_is_no_limit_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        parse_level(parse_message(line))


def test_several_levels_add_up() -> None:
    assert parse_level(parse_message("level time=60"), Limit(depth=3)) == Limit(depth=3, clock=Clock(60))
    assert parse_level(parse_message("level depth=4"), Limit(depth=3, nodes=9)) == Limit(depth=4, nodes=9)
