"""A game on the server: how far it has got, its clock, and how it is undone."""

from __future__ import annotations

import pytest

from tablemen import GameOverError, Outcome, Side, Termination
from tablemen.web.games.actions import act
from tests.time_for_tests import Time
from tests.web.tables import BLACK, BOTH, WHITE, action, again, move, moves_of, play, table


def test_how_far_a_game_has_got() -> None:
    made = table(moves=["32-28", "19-23"])
    assert made.standing().stage == "new"  # these were nobody's
    play(made, "28x19")
    assert again(made).standing().stage == "played"
    act(made, action("resign"), WHITE)
    assert again(made).standing().stage == "over"
    made = table(opponent="computer", side="black", level=1)
    made.session.answer(made.choose())
    assert made.standing().stage == "new"  # only the computer has moved


def test_a_rematch_can_be_undone() -> None:
    made = table()
    act(made, action("resign"), BLACK)
    act(made, action("rematch"), WHITE)
    before = made.snapshot()
    act(made, action("rematch"), BLACK)
    made.restore(before)
    assert (made.offers, made.next) == ({"rematch": Side.WHITE}, None)


def test_the_clock_runs_from_the_first_move_on() -> None:
    time = Time(0)
    made = table(time, clock="1+2", moves=["32-28"])
    time.now = 30
    assert made.session.clock.left(Side.BLACK) == 60
    play(made, "19-23")
    time.now = 40
    assert made.session.clock.left(Side.WHITE) == 50
    play(made, "28x19")
    assert made.session.clock.left(Side.WHITE) == 52
    time.now = 45
    later = again(made, time)
    time.now = 50  # it goes on from what was kept
    assert later.session.clock.left(Side.BLACK) == 50
    assert later.session.clock.left(Side.WHITE) == 52
    assert again(made, time, away=20).session.clock.left(Side.BLACK) == 30


def test_a_flag_falls() -> None:
    time = Time(0)
    made = table(time, clock="1")
    play(made, "32-28")
    act(made, action("draw"), WHITE)
    time.now = 59
    assert made.check_time() is None
    time.now = 60
    assert made.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert made.offers == {}
    assert again(made, time).game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    made = table(time, clock="1", opponent="screen")
    play(made, "32-28")
    time.now = 200
    with pytest.raises(GameOverError):
        act(made, move("19-23"), BOTH)
    assert made.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    act(made, action("takeback"), BOTH)
    assert again(made, time).session.clock.control is None  # it goes on without a clock


def test_what_was_done_can_be_undone() -> None:
    time = Time(0)
    made = table(time, clock="1+5")
    play(made, "32-28")
    act(made, action("draw"), WHITE)
    before, standing = made.snapshot(), made.standing()
    time.now = 10
    act(made, move("19-23"), BLACK)
    made.revision += 1
    made.restore(before)
    assert moves_of(made) == ["32-28"]
    assert made.standing() == type(standing)(**{**vars(standing), "black_used": 10.0})
    act(made, move("19-23"), BLACK)
    assert made.session.clock.left(Side.BLACK) == 55


def test_time_for_a_number_of_moves_comes_again_after_a_restart() -> None:
    """The clock counts no moves: the game knows how many there were."""
    time = Time(0)
    made = table(time, clock="2/1")
    play(made, "32-28", "19-23")
    time.now = 10
    made = again(made, time)
    assert str(made.session.clock.control) == "2/1+0"
    play(made, "28x19", "14x23")
    assert [made.session.clock.left(side) for side in Side] == [110, 120]
