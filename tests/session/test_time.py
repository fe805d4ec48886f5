"""Sessions with a clock."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import Game, GameOverError, Outcome, Side, Termination
from tablemen.clock import GameClock, TimeControl
from tablemen.mancala import Position as Pits
from tablemen.search import Clock
from tests.fake_clock import Time
from tests.fake_players import First
from tests.session.sessions import left, make_session, timed_session


def test_the_clock_starts_with_resume(time: Time) -> None:
    session = timed_session(time)
    time.now += 10
    session.resume()
    time.now += 7
    session.resume()  # has no effect, since the clock runs
    time.now += 1
    assert (left(session), session.clock.running) == ([52, 60], Side.WHITE)
    session.move("32-28")
    time.now += 5
    assert (left(session), session.clock.running) == ([54, 55], Side.BLACK)
    session.pause()
    time.now += 100
    assert left(session) == [54, 55]
    session.move("19-23")
    time.now += 1
    assert (left(session), session.clock.running) == ([53, 55], Side.WHITE)


def test_the_clock_starts_with_the_first_move(time: Time) -> None:
    session = timed_session(time)
    time.now += 10
    session.move("32-28")
    time.now += 3
    assert left(session) == [60, 57]


def test_extra_turns_count_as_moves(time: Time) -> None:
    session = timed_session(time, start=Pits.start("kalah"))
    session.resume()
    time.now += 5
    session.move("3")
    assert (left(session), session.clock.running) == ([57, 60], Side.WHITE)


def test_used_time_remains_used(time: Time) -> None:
    session = timed_session(time)
    session.move("32-28")
    time.now += 10
    session.back()
    time.now += 5
    assert (left(session), session.clock.running) == ([55, 50], Side.WHITE)
    session.resign()
    time.now += 100
    assert (left(session), session.clock.running) == ([55, 50], None)
    session.back()
    assert session.clock.running is Side.WHITE


def test_taking_moves_back_gains_no_time(time: Time) -> None:
    session = timed_session(time, black=First())
    session.resume()
    for _ in range(20):
        session.move("32-28")
        session.think()
        session.back()
    assert left(session) == [60, 60]
    session.move("32-28")
    time.now += 4
    session.think()
    session.back()
    assert (left(session), session.clock.running) == ([60, 56], Side.WHITE)


def test_a_late_move_loses(time: Time) -> None:
    session = timed_session(time)
    session.resume()
    time.now += 59
    assert session.check_time() is None
    time.now += 1
    with pytest.raises(GameOverError) as caught:
        session.move("32-28")
    assert session.game.moves == ()
    assert caught.value.outcome == session.game.outcome() == Outcome(Side.BLACK, Termination.TIME)
    assert (session.check_time(), session.clock.running) == (None, None)


def test_a_fallen_flag_is_declared_once(time: Time) -> None:
    session = timed_session(time)
    session.move("32-28")
    time.now += 60
    assert session.check_time() == Outcome(Side.WHITE, Termination.TIME) == session.game.outcome()
    assert session.check_time() is None


def test_a_late_computer_loses(time: Time) -> None:
    class Slow(First):
        def choose(self, game: Game[Any, Any]) -> Any:
            time.now += 61
            return super().choose(game)

    session = timed_session(time, black=Slow())
    session.move("32-28")
    assert session.think() == Outcome(Side.WHITE, Termination.TIME)
    assert len(session.game.moves) == 1


def test_after_a_loss_on_time_is_taken_back_the_clock_is_off(time: Time) -> None:
    session = timed_session(time)
    session.move("32-28")
    time.now += 60
    session.check_time()
    assert session.back() == 1
    time.now += 1000
    session.move("31-27")
    assert (left(session), session.check_time()) == ([None, None], None)
    session.restart()
    assert left(session) == [60, 60]


def test_players_get_their_clock(time: Time) -> None:
    player = First()
    session = timed_session(time, black=player)
    session.move("32-28")
    time.now += 15
    session.think()
    assert player.clock == Clock(45.0, 2)
    untimed = make_session(black=player)
    untimed.move("32-28")
    untimed.think()
    assert player.clock is None


def test_a_control_can_be_for_a_number_of_moves(time: Time) -> None:
    """Check that the clock of the player has the moves to go, and that time is added after them."""
    player = First()
    session = timed_session(time, player)
    session.clock = GameClock(TimeControl(60, 0, 2), now=time)
    for text, seconds in (("32-28", 10), ("34-29", 20)):
        session.resume()
        time.now += seconds
        session.move(text)
        session.think()
        assert player.clock is not None
        assert player.clock.moves == 2 - (session.game.count_moves(Side.BLACK) - 1)
    assert left(session) == [60 + 60 - 30, 60 + 60]
    session.back()
    assert left(session) == [60 - 30, 60]
