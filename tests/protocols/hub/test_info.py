"""Findings, as `info` says them."""

from __future__ import annotations

import math

import pytest

from tablemen.draughts import Position
from tablemen.protocols.hub.messages import format_info, parse_info, parse_line, parse_message, score_in_men
from tablemen.search import Info, Limit, Score, Searcher


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
    assert score_in_men(score) == men


def test_what_a_search_found_is_told_and_understood() -> None:
    position = Position.start("international")
    info = Searcher(table_mb=1).choose(position, Limit(depth=3)).lines[0]
    line = str(format_info(info))
    told = {name: str(value) for name, value in parse_message(line).arguments}
    assert list(told) == ["depth", "score", "nodes", "time", "nps", "pv"]
    again = parse_info(told, position)
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
    assert parse_info(told, Position.start("international")) == expected


def test_a_line_ends_before_the_first_move_that_is_not_legal() -> None:
    position = Position.start("international")
    assert [str(move) for move in parse_line("32-28 19-23 28x19x23 1-50 14x23x19", position)] == [
        "32-28",
        "19-23",
        "28x19",
    ]
    assert len(parse_line("32-28 " * 5000, position)) == 1
