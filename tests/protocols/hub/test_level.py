"""Limits and findings, as `level` and `info` say them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.draughts import Position
from tablemen.errors import NotationError
from tablemen.protocols.hub.info import format_info, men_of, read_info, read_line
from tablemen.protocols.hub.level import combine, format_level, parse_level
from tablemen.protocols.hub.message import parse_message
from tablemen.search import Clock, Info, Limit, Score, Searcher

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
    assert combine(Limit(depth=3), Limit(clock=Clock(60))) == Limit(depth=3, clock=Clock(60))
    assert combine(Limit(depth=3, nodes=9), Limit(depth=4)) == Limit(depth=4, nodes=9)


@pytest.mark.parametrize(
    ("score", "men"),
    [
        (Score(-1.25), -1.25),
        (Score(0.0, exact=True), 0.0),
        (Score(math.inf, exact=True, plies=1), 99.99),
        (Score(-math.inf, exact=True, plies=21), -99.79),
        (Score(math.inf, exact=True, plies=5000), 99.0),
        (Score(-math.inf, exact=True), -100.0),
    ],
)
def test_scores_are_finite(score: Score, men: float) -> None:
    assert men_of(score) == men


def test_what_a_search_found_is_told_and_understood() -> None:
    position = Position.start("international")
    info = Searcher(table_mb=1).choose(position, Limit(depth=3)).lines[0]
    line = str(format_info(info))
    told = {name: str(value) for name, value in parse_message(line).arguments}
    assert list(told) == ["depth", "score", "nodes", "time", "nps", "pv"]
    again = read_info(told, position)
    assert again is not None
    assert (again.depth, again.nodes, again.line) == (info.depth, info.nodes, info.line)
    assert again.score.value == pytest.approx(info.score.value, abs=0.005)


def test_nothing_is_no_minus() -> None:
    assert "score=0.00" in str(format_info(Info(1, Score(-0.001), 1, 0.1, ())))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, None),
        ({"depth": "3"}, None),
        ({"score": "nan"}, None),
        ({"score": "1e999"}, None),
        ({"score": "0.5", "depth": "x", "nodes": "-3", "time": "-1", "pv": "1-50"}, Info(0, Score(0.5), 0, 0.0, ())),
    ],
)
def test_any_part_may_be_missing_or_wrong(told: dict[str, str], expected: object) -> None:
    assert read_info(told, Position.start("international")) == expected


def test_a_line_ends_before_the_first_move_that_is_not_legal() -> None:
    position = Position.start("international")
    assert [str(move) for move in read_line("32-28 19-23 28x19x23 1-50 14x23x19", position)] == [
        "32-28",
        "19-23",
        "28x19",
    ]
    assert len(read_line("32-28 " * 5000, position)) == 1
