"""The Kalah solver, compared with plain minimax on small boards."""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import ArgumentError, UnsolvableError, _core, draughts
from tablemen.mancala import KALAH, NORTH, SOUTH, Capture, End, Position, Progress, Rest, Swap, solve, solve_all
from tests.mancala.oracle import to_reference
from tests.mancala.strategies import small_positions
from tests.processes import interrupt
from tests.reference.kalah_solution import move_values, value

SMALL = replace(KALAH, name="small", houses=3, seeds=2)


def check(position: Position, **options: Any) -> None:
    """Check the value of the position and of each move against plain minimax."""
    solution, reference = solve(position, cache=False, **options), to_reference(position)
    expected = move_values(reference)  # type: ignore[arg-type]
    assert solution.value == value(reference)  # type: ignore[arg-type]
    assert {move.house: each for move, each in solution.values.items()} == {
        move.house: each for move, each in expected.items()
    }
    assert tuple(solution.values) == position.legal_moves()
    assert {move.house for move in solution.best} == {
        move.house for move, each in expected.items() if each == solution.value
    }


@settings(max_examples=150)
@given(position=small_positions(st.integers(1, 3)))
def test_small_boards(position: Position) -> None:
    check(position)


@settings(max_examples=30)
@given(position=small_positions(st.integers(4, 9)))
def test_larger_boards_with_few_seeds(position: Position) -> None:
    check(position)


@given(position=small_positions(st.integers(2, 4)))
def test_the_value_without_the_values_of_moves(position: Position) -> None:
    only_value, full = solve(position, each_move=False, cache=False), solve(position, cache=False)
    assert only_value.value == full.value
    assert only_value.values == {}
    assert len(only_value.best) == bool(full.best)
    assert set(only_value.best) <= set(full.best)


@given(positions=st.lists(small_positions(st.integers(1, 4)), max_size=8), threads=st.integers(1, 3))
def test_a_batch_has_the_solutions_of_its_positions(positions: list[Position], threads: int) -> None:
    solutions = solve_all(positions, cache=False, threads=threads)
    expected = [solve(position, cache=False) for position in positions]
    assert [(each.value, each.best, each.values) for each in solutions] == [
        (each.value, each.best, each.values) for each in expected
    ]
    values = solve_all(positions, cache=False, each_move=False)
    assert [each.value for each in values] == [each.value for each in expected]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_solution_does_not_depend_on_threads(threads: int) -> None:
    check(Position.start(SMALL), threads=threads)
    start = Position.start(replace(KALAH, houses=4, seeds=3))
    assert list(solve(start, cache=False, threads=threads).values.values()) == [-6, 6, 2, -2]


@pytest.mark.parametrize("end", End)
@pytest.mark.parametrize("rest", Rest)
def test_the_pie_rule_removes_the_advantage_of_the_first_player(end: End, rest: Rest) -> None:
    position = Position.start(replace(SMALL, houses=2, seeds=3, end=end, rest=rest, swap=Swap.PIE))
    check(position)
    assert solve(position, cache=False).value <= 0
    after = position.play(position.parse_move("2"))
    assert after.turn is NORTH
    check(after)
    assert solve(after, cache=False).value >= 0


@pytest.mark.parametrize("capture", Capture)
@pytest.mark.parametrize("end", [End.MOVER_EMPTY, End.EITHER_EMPTY])
@pytest.mark.parametrize("rest", Rest)
def test_a_search_without_tables_finds_the_same_values(capture: Capture, end: End, rest: Rest) -> None:
    rules = replace(KALAH, name="other", houses=5, seeds=2, capture=capture, end=end, rest=rest)
    start = Position.start(rules)
    with_tables = solve(start, cache=False)
    options: dict[str, Any] = {"threads": 1, "table_mb": 8, "each_move": True, "on_progress": None}
    found, moves, _ = _core.solve_mancala(start, tables=None, **options)
    assert (found, dict(moves)) == (
        with_tables.value,
        {move.house: value for move, value in with_tables.values.items()},
    )


def test_a_small_transposition_table_finds_the_same_values() -> None:
    start = Position.start(replace(KALAH, houses=4, seeds=4))
    assert solve(start, cache=False, table_mb=1).values == solve(start, cache=False).values


def test_the_value_of_a_finished_game_is_its_margin() -> None:
    position = Position.from_text("<6,20,22,0,0,0,0,0,0,1,0,2,0,0,3> south", "kalah")
    solution = solve(position)
    assert (solution.value, solution.best, solution.values) == (-8, (), {})


def test_stores_of_more_than_255_seeds() -> None:
    rules = replace(KALAH, name="rich", houses=2, seeds=1)
    position = Position(rules, SOUTH, houses={SOUTH: [1, 2], NORTH: [0, 3]}, stores={SOUTH: 300, NORTH: 900})
    check(position)
    assert solve(position).value < -500


def test_oware_cannot_be_solved() -> None:
    with pytest.raises(UnsolvableError) as caught:
        solve(Position.start("oware"))
    assert caught.value.rules is Position.start("oware").variant
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.reason, str(copy)) == (caught.value.reason, str(caught.value))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"threads": 0}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"table_mb": 0}, "table_mb"),
        ({"table_mb": 1 << 40}, "table_mb"),
        ({"layers_mb": 0}, "layers_mb"),
        ({"layers_mb": 1.5}, "layers_mb"),
    ],
)
def test_invalid_arguments(options: dict[str, Any], name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        solve(Position.start(SMALL), **options)
    assert caught.value.name == name


def test_positions_of_draughts_are_rejected() -> None:
    foreign: Any = draughts.Position.start("english")
    for call, name in ((lambda: solve(foreign), "position"), (lambda: solve_all([foreign]), "positions[0]")):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.name == name


def test_progress_reports_tables_first_and_correct_bounds() -> None:
    reports: list[Progress] = []
    position = Position.start(replace(KALAH, houses=6, seeds=2))
    solution = solve(position, cache=False, on_progress=reports.append)
    tables = [each for each in reports if each.layer is not None]
    assert [each.layer for each in tables] == list(range(tables[0].layers))
    assert reports[: len(tables)] == tables
    times = [each.time for each in reports]
    assert times == sorted(times)
    for each in reports[len(tables) :]:
        found = solution.value if each.move is None else solution.values[each.move]
        assert each.minimum is not None
        assert each.maximum is not None
        assert each.minimum <= found <= each.maximum


class StopError(Exception):
    """The error that `on_progress` raises."""


@pytest.mark.parametrize("phase", ["tables", "search"])
def test_an_error_of_on_progress_ends_the_search(phase: str) -> None:
    def stop(progress: Progress) -> None:
        if (progress.layer is None) == (phase == "search"):
            raise StopError

    with pytest.raises(StopError):
        solve(Position.start("kalah" if phase == "tables" else "kgp"), cache=False, on_progress=stop)


# Solving this board would take days.
ENDLESS = """
from dataclasses import replace
from tablemen.mancala import KALAH, Position, solve, solve_all

print("solving", flush=True)
start = Position.start(replace(KALAH, houses=7, seeds=12))
{call}, cache=False, threads={threads})
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("call", ["solve(start", "solve_all([start] * 3"])
def test_an_interrupt_ends_the_search(call: str, threads: int) -> None:
    assert interrupt(ENDLESS.format(call=call, threads=threads), "solving", after=0.3)[-1] == "KeyboardInterrupt"


def test_other_threads_run_during_a_search() -> None:
    ticks: list[None] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(None)

    other = threading.Thread(target=tick, daemon=True)
    other.start()
    solve(Position.start(replace(KALAH, houses=6, seeds=2)), cache=False)
    done.set()
    other.join()
    assert ticks
