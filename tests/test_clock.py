"""Time controls as text, and game clocks with a fake time source."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Side
from tablemen.clock import GameClock, TimeControl, format_time, parse_time_control
from tests.fake_clock import Time

WHITE, BLACK = Side


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.mark.parametrize(
    ("text", "seconds", "increment"),
    [
        ("5+3", 300, 3),
        ("5", 300, 0),
        (" 5 + 3 ", 300, 3),
        ("0.5+0.5", 30, 0.5),
        ("90s", 90, 0),
        ("90 s + 2 s", 90, 2),
        ("6000", 360_000, 0),
    ],
)
def test_time_controls_are_parsed(text: str, seconds: float, increment: float) -> None:
    assert parse_time_control(text) == TimeControl(seconds, increment)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("40/5", TimeControl(300, 0, 40)),
        ("40/5+3", TimeControl(300, 3, 40)),
        (" 1 / 90 s + 0.5 ", TimeControl(90, 0.5, 1)),
    ],
)
def test_time_controls_for_a_number_of_moves_are_parsed(text: str, control: TimeControl) -> None:
    assert parse_time_control(text) == control


@pytest.mark.parametrize(
    "text",
    [
        *("", "5+", "+3", "five", "-5", "5+-3", "5:00", "1e3", "5+3+1", "٥+٣", "0", "0+5", "6001", "1+360001", None, 5),
        *("0/5", "1000/5", "/5", "40/", "4.5/5", "-1/5", "40//5", "40/5/5", "٤/5"),
    ],
)
def test_invalid_time_controls_are_refused(text: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_time_control(text)
    assert caught.value.name in {"time control", "seconds", "increment", "moves"}


@given(
    seconds=st.integers(1, 360_000) | st.floats(1e-30, 360_000),
    increment=st.integers(0, 60) | st.floats(0, 60),
    moves=st.none() | st.integers(1, 999),
)
def test_a_time_control_makes_a_round_trip(seconds: float, increment: float, moves: int | None) -> None:
    control = TimeControl(seconds, increment, moves)
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf"), 10**400, 360_001, True, "5"])
def test_invalid_seconds_are_refused(wrong: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        TimeControl(wrong)
    assert (caught.value.name, caught.value.value) == ("seconds", pytest.approx(wrong, nan_ok=True))
    if wrong != 0:
        with pytest.raises(ArgumentError) as caught:
            TimeControl(60, wrong)
        assert caught.value.name == "increment"


@pytest.mark.parametrize("wrong", [0, -1, 1000, 2.0, True, "5"])
def test_invalid_numbers_of_moves_are_refused(wrong: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        TimeControl(60, 0, wrong)
    assert (caught.value.name, caught.value.value) == ("moves", wrong)


def test_a_new_period_adds_the_time_again(time: Time) -> None:
    clock = GameClock(TimeControl(60, 1, 2), now=time)
    clock.run(WHITE)
    for made in (1, 2, 3):
        time.now += 10
        clock.press(WHITE, made=made)
    assert clock.left(WHITE) == 60 + 60 + 3 - 30
    clock.take_back(WHITE, made=3)
    assert clock.left(WHITE) == 60 + 60 + 2 - 30
    clock.take_back(WHITE, made=2)
    assert clock.left(WHITE) == 60 + 1 - 30
    assert [clock.control.moves_to_go(made) for made in range(4) if clock.control] == [2, 1, 2, 1]
    assert TimeControl(60).moves_to_go(7) is None


def test_a_margin_delays_the_fall_of_the_flag(time: Time) -> None:
    clock = GameClock(TimeControl(10, 5), margin=0.5, now=time)
    clock.run(WHITE)
    time.now += 10.25
    assert clock.flagged() is None
    clock.press(BLACK)
    assert clock.left(WHITE) == 5  # the increment
    time.now += 10.5
    assert clock.flagged() is clock.copy().flagged() is BLACK
    with pytest.raises(ArgumentError) as caught:
        GameClock(margin=-1)
    assert (caught.value.name, caught.value.value) == ("margin", -1)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (0.01, "0:01"), (59.5, "1:00"), (3600, "1:00:00"), (-3, "0:00")]
)
def test_times_are_formatted_like_on_a_clock(seconds: float, shown: str) -> None:
    assert format_time(seconds) == shown


def test_no_time_runs_before_the_start(time: Time) -> None:
    clock = GameClock(TimeControl(60), now=time)
    time.now += 10
    assert clock.running is None
    assert [clock.left(side) for side in Side] == [60, 60]


def test_one_side_runs_at_a_time(time: Time) -> None:
    clock = GameClock(TimeControl(60), now=time)
    clock.run(WHITE)
    time.now += 7
    assert (clock.running, clock.used(WHITE), clock.left(WHITE), clock.left(BLACK)) == (WHITE, 7, 53, 60)
    clock.run(BLACK)
    time.now += 5
    assert (clock.running, clock.used(WHITE), clock.used(BLACK)) == (BLACK, 7, 5)
    clock.pause()
    time.now += 100
    assert (clock.running, clock.used(WHITE), clock.used(BLACK)) == (None, 7, 5)


def test_starting_a_running_side_again_loses_no_time(time: Time) -> None:
    clock = GameClock(now=time)
    clock.run(WHITE)
    time.now += 3
    clock.run(WHITE)
    time.now += 4
    assert clock.used(WHITE) == 7


def test_a_move_adds_the_increment_to_the_mover(time: Time) -> None:
    clock = GameClock(TimeControl(60, 5), now=time)
    clock.run(WHITE)
    time.now += 8
    clock.press(BLACK)
    assert (clock.left(WHITE), clock.left(BLACK), clock.running) == (57, 60, BLACK)
    time.now += 1
    clock.press(BLACK)  # an extra turn
    time.now += 1
    assert (clock.left(WHITE), clock.left(BLACK), clock.running) == (57, 63, BLACK)
    assert (clock.added(WHITE), clock.added(BLACK)) == (5, 5)


def test_a_move_on_a_stopped_clock_adds_nothing(time: Time) -> None:
    clock = GameClock(TimeControl(60, 5), now=time)
    clock.press(BLACK)
    assert (clock.left(WHITE), clock.running) == (60, BLACK)


def test_taking_back_a_move_subtracts_its_increment(time: Time) -> None:
    clock = GameClock(TimeControl(60, 5), now=time)
    clock.run(WHITE)
    for side in (BLACK, WHITE, BLACK):
        time.now += 8
        clock.press(side)
    assert [clock.left(side) for side in Side] == [54, 57]
    for side, left in ((WHITE, [49, 57]), (BLACK, [49, 52]), (WHITE, [44, 52]), (WHITE, [44, 52])):
        clock.take_back(side)
        assert [clock.left(side) for side in Side] == left
    untimed = GameClock(now=time)
    untimed.take_back(WHITE)
    assert untimed.added(WHITE) == 0


def test_taking_back_moves_makes_no_flag_fall(time: Time) -> None:
    clock = GameClock(TimeControl(10, 5), now=time)
    for _ in range(3):
        clock.run(WHITE)
        time.now += 6
        clock.press(BLACK)
    clock.pause()
    assert clock.left(WHITE) == 7
    for left in (2, 1, 1):
        clock.take_back(WHITE)
        assert (clock.left(WHITE), clock.flagged()) == (left, None)


def test_a_flag_falls_and_stays_down(time: Time) -> None:
    clock = GameClock(TimeControl(60, 5), now=time)
    clock.run(BLACK)
    time.now += 59.75
    assert clock.flagged() is None
    time.now += 0.25
    assert clock.flagged() is BLACK
    clock.press(WHITE)
    assert (clock.flagged(), clock.left(BLACK), clock.added(BLACK)) == (BLACK, 0, 0)


def test_without_a_control_only_used_time_is_measured(time: Time) -> None:
    clock = GameClock(now=time)
    clock.run(WHITE)
    time.now += 1e6
    clock.press(BLACK)
    assert (clock.used(WHITE), clock.left(WHITE), clock.flagged()) == (1e6, None, None)


def test_a_clock_continues_another(time: Time) -> None:
    first = GameClock(TimeControl(60, 5), now=time)
    first.run(WHITE)
    time.now += 8
    first.press(BLACK)
    time.now += 2
    used = {side: first.used(side) for side in Side}
    other = GameClock(first.control, used=used, added={side: first.added(side) for side in Side}, now=time)
    assert [other.left(side) for side in Side] == [57, 58]
    assert other.running is None


@pytest.mark.parametrize("wrong", [{WHITE: -1}, {WHITE: float("nan")}, {WHITE: 10**400}, {WHITE: "1"}, {"white": 1}])
def test_invalid_used_times_are_refused(wrong: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        GameClock(used=wrong)
    assert caught.value.name in {"used[Side.WHITE]", "a key of used"}


def test_a_clock_needs_a_time_control() -> None:
    with pytest.raises(ArgumentError) as caught:
        GameClock("5+3")  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == ("control", "5+3")


def test_a_copy_is_independent() -> None:
    now = [0.0]
    clock = GameClock(TimeControl(60, 2), now=lambda: now[0])
    clock.run(Side.WHITE)
    now[0] = 10
    other = clock.copy()
    clock.press(Side.BLACK)
    now[0] = 15
    assert (clock.left(Side.WHITE), clock.left(Side.BLACK)) == (52, 55)
    assert (other.left(Side.WHITE), other.left(Side.BLACK), other.running) == (45, 60, Side.WHITE)
