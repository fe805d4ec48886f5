"""Known values of Kalah: margins, first moves, and the boards of FairKalah."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tablemen.mancala import KALAH, VARIANTS, Capture, End, Position, solve
from tablemen.mancala.fairkalah import BOARDS, fair_start

CAPTURES = (Capture.OPPOSITE_NOT_EMPTY, Capture.EVEN_IF_OPPOSITE_EMPTY)
ENDS = (End.MOVER_EMPTY, End.EITHER_EMPTY)
SAMPLE = 1  # the board of FairKalah that the slow tests solve; each board takes long


class KnownValue(NamedTuple):
    """A board and its known margin."""

    capture: int
    end: int
    houses: int
    seeds: int
    margin: int

    @property
    def start(self) -> Position:
        rules = replace(KALAH, name="known", houses=self.houses, seeds=self.seeds)
        return Position.start(replace(rules, capture=CAPTURES[self.capture], end=ENDS[self.end]))

    @property
    def is_small(self) -> bool:
        return self.houses * self.seeds < 20 or (self.houses, self.seeds) == (4, 5)

    @property
    def is_deep(self) -> bool:
        is_default = (self.capture, self.end) == (0, 0)
        return self.houses * self.seeds > 24 or ((self.houses, self.seeds) == (6, 4) and not is_default)


def read_values() -> list[KnownValue]:
    lines = (Path(__file__).with_name("kalah_values.csv")).read_text(encoding="utf-8").splitlines()
    return [KnownValue(*map(int, line.split(","))) for line in lines if not line.startswith("#")]


VALUES = read_values()
LARGE = [
    pytest.param(known, marks=pytest.mark.deep if known.is_deep else pytest.mark.slow)
    for known in VALUES
    if not known.is_small
]


def test_every_board_occurs_once() -> None:
    assert len(VALUES) == len({known[:4] for known in VALUES}) == 132


@pytest.mark.slow
def test_margins_of_small_boards() -> None:
    small = [known for known in VALUES if known.is_small]
    assert len(small) > 100
    wrong = [known for known in small if solve(known.start, each_move=False).value != known.margin]
    assert wrong == []


@pytest.mark.parametrize("known", LARGE, ids=lambda known: "-".join(map(str, known)))
def test_margins_of_large_boards(known: KnownValue) -> None:
    assert solve(known.start, each_move=False).value == known.margin


@pytest.mark.parametrize(
    ("houses", "seeds", "values"),
    [
        (4, 3, [-6, 6, 2, -2]),
        pytest.param(5, 4, [-8, 10, 0, 2, -4], marks=pytest.mark.slow),
        pytest.param(6, 3, [-14, -16, -10, -2, 2, 0], marks=pytest.mark.slow),
        pytest.param(6, 4, [-14, -10, 8, -2, -8, 4], marks=pytest.mark.deep),
    ],
)
def test_values_of_first_moves(houses: int, seeds: int, values: list[int]) -> None:
    solution = solve(Position.start(replace(KALAH, houses=houses, seeds=seeds)))
    assert list(solution.values.values()) == values
    assert solution.value == max(values)
    assert [move.house for move in solution.best] == [values.index(max(values)) + 1]


@pytest.mark.parametrize(("name", "houses", "seeds"), [("kalah", 4, 4), ("irving", 5, 3), ("kgp", 3, 4)])
def test_the_best_moves_keep_the_value_to_the_end(name: str, houses: int, seeds: int) -> None:
    position = Position.start(replace(VARIANTS[name], houses=houses, seeds=seeds))
    value, turn = solve(position, each_move=False).value, position.turn
    while position.legal_moves():
        position = position.play(solve(position, each_move=False).best[0])
        assert solve(position, each_move=False).value == (value if position.turn is turn else -value)
    score = position.score()
    assert score[turn] - score[turn.opponent] == value


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.slow if number == SAMPLE else pytest.mark.deep)
        for number in range(1, BOARDS + 1)
    ],
)
def test_fair_boards_are_drawn(number: int) -> None:
    assert solve(fair_start(number), each_move=False).value == 0
