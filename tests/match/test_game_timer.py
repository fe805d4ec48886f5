"""Games with time controls, with a fake clock."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tablemen import ArgumentError, Game, Outcome, Side, Termination
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.draughts.pdn import parse_pdn
from tablemen.family import get_family
from tablemen.mancala import Position as Pits
from tablemen.match import PlayedGame, play_game
from tablemen.players import Player
from tablemen.search import Clock
from tests.fake_clock import Time
from tests.fake_players import First

WHITE, BLACK = Side


class Slow(First):
    """A player that takes a number of seconds for each move, and records its clock."""

    name = "slow"

    def __init__(self, time: Time, *seconds: float) -> None:
        self.time = time
        self.seconds = list(seconds)
        self.clocks: list[Clock | None] = []

    def choose(self, game: Game[Any, Any]) -> Any:
        self.clocks.append(self.clock)
        self.time.now += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        return super().choose(game)


def play(time: Time, white: Player, black: Player, *, longest: int = 10, **options: Any) -> PlayedGame:
    game: Game[Any, Any] = Game(Position.start("international"))
    return play_game(game, {WHITE: white, BLACK: black}, longest=longest, now=time, **options)


def both(control: TimeControl) -> dict[Side, TimeControl]:
    return dict.fromkeys(Side, control)


def test_players_get_their_clock() -> None:
    time = Time()
    white, black = Slow(time, 10), Slow(time, 1, 2)
    played = play(time, white, black, controls=both(TimeControl(60, 2)), longest=6)
    assert played.outcome.termination is Termination.ADJUDICATION
    assert white.clocks == [Clock(60, 2), Clock(52, 2), Clock(44, 2)]
    assert black.clocks == [Clock(60, 2), Clock(61, 2), Clock(61, 2)]


def test_the_late_move_is_not_played() -> None:
    time = Time()
    played = play(time, Slow(time, 4), Slow(time, 4, 7), controls=both(TimeControl(10)))
    assert played.outcome == played.game.outcome() == Outcome(WHITE, Termination.TIME)
    assert len(played.game.moves) == 3
    assert "1.00 s" in played.note


def test_a_move_within_the_margin_is_in_time() -> None:
    time = Time()
    white = Slow(time, 10.25, 1, 1.5)
    played = play(time, white, Slow(time, 0), controls=both(TimeControl(10, 1)), margin=0.3)
    assert [round(clock.left, 2) for clock in white.clocks if clock] == [10, 1, 1]
    assert played.outcome == Outcome(BLACK, Termination.TIME)
    assert "0.50 s" in played.note


def test_the_margin_applies_to_each_move() -> None:
    time = Time()
    white = Slow(time, 10, 0.2)
    played = play(time, white, Slow(time, 0), controls=both(TimeControl(10)), margin=0.3)
    assert [round(clock.left, 9) for clock in white.clocks if clock] == [10, 0, 0, 0, 0]
    assert played.outcome.termination is Termination.ADJUDICATION


def test_time_is_added_after_the_moves_of_a_control() -> None:
    time = Time()
    white = Slow(time, 4)
    play(time, white, Slow(time, 0), controls=both(TimeControl(10, moves=2)), longest=9)
    assert [clock.left for clock in white.clocks if clock] == [10, 6, 12, 8, 14]
    assert [clock.moves for clock in white.clocks if clock] == [2, 1, 2, 1, 2]


def test_sides_may_have_different_time_controls_or_none() -> None:
    time = Time()
    white, black = Slow(time, 1), Slow(time, 1)
    played = play(time, white, black, controls={BLACK: TimeControl(1.5)})
    assert (white.clocks[0], black.clocks[0]) == (None, Clock(1.5))
    assert played.outcome == Outcome(WHITE, Termination.TIME)
    time = Time()
    played = play(time, Slow(time, 1), Slow(time, 1), controls={WHITE: TimeControl(2), BLACK: TimeControl(9)})
    assert played.outcome == Outcome(BLACK, Termination.TIME)
    assert "0.00 s" in played.note


def test_an_extra_turn_of_an_opening_does_not_count_as_a_move() -> None:
    time = Time()
    south = Slow(time, 1)
    game: Game[Any, Any] = Game(Pits.start("kalah"), ["3"])  # South moves again
    play_game(game, {WHITE: south, BLACK: First()}, controls=both(TimeControl(60, moves=40)), longest=2, now=time)
    assert south.clocks == [Clock(60, moves=40)]


def test_a_player_is_stopped_when_its_time_is_up() -> None:
    class WaitingPlayer(First):
        name = "waiting"

        def __init__(self) -> None:
            self.stopped = threading.Event()

        def choose(self, game: Game[Any, Any]) -> Any:
            assert self.stopped.wait(60)
            return super().choose(game)

        def stop(self) -> None:
            self.stopped.set()

    game: Game[Any, Any] = Game(Position.start("english"))
    played = play_game(game, {WHITE: First(), BLACK: WaitingPlayer()}, controls={BLACK: TimeControl(0.02)})
    assert played.outcome == Outcome(WHITE, Termination.TIME)


def test_a_late_player_that_fails_loses_by_forfeit() -> None:
    time = Time()

    class SlowAndFailing(Slow):
        name = "slow-and-failing"

        def choose(self, game: Game[Any, Any]) -> Any:
            super().choose(game)
            raise RuntimeError("failed")

    played = play(time, SlowAndFailing(time, 99), First(), controls=both(TimeControl(1)))
    assert played.outcome == Outcome(BLACK, Termination.FORFEIT)


def test_the_clock_does_not_run_during_begin_game() -> None:
    time = Time()

    class SlowStarter(Slow):
        def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - the same in every game
            self.time.now += 100

    played = play(time, SlowStarter(time, 1), First(), controls=both(TimeControl(60)))
    assert (len(played.game.moves), played.outcome.termination) == (10, Termination.ADJUDICATION)


@pytest.mark.parametrize(
    ("controls", "tags"),
    [
        (both(TimeControl(300, 3)), {"TimeControl": "300+3"}),
        (both(TimeControl(300, moves=40)), {"TimeControl": "40/300"}),
        (
            {WHITE: TimeControl(90), BLACK: TimeControl(30, 0.5)},
            {"TimeControlWhite": "90", "TimeControlBlack": "30+0.5"},
        ),
        ({WHITE: TimeControl(90)}, {"TimeControlWhite": "90"}),
        ({}, {}),
    ],
)
def test_game_files_have_the_time_controls(controls: dict[Side, TimeControl], tags: dict[str, str]) -> None:
    played = play(Time(), First(), First(), controls=controls, longest=2)
    written = parse_pdn(get_family(played.game.start).format_game(played.sheet()))
    assert {name: value for name, value in written.tags.items() if name.startswith("TimeControl")} == tags


def test_a_late_player_of_mancala_loses() -> None:
    time = Time()
    game: Game[Any, Any] = Game(Pits.start("kalah"))
    played = play_game(game, {WHITE: Slow(time, 7), BLACK: First()}, controls=both(TimeControl(5)), now=time)
    assert played.outcome == Outcome(BLACK, Termination.TIME)
    assert "2.00 s" in played.note
    assert "South" in played.note


def test_mancala_game_files_have_the_time_controls() -> None:
    game: Game[Any, Any] = Game(Pits.start("kalah"))
    played = play_game(game, {WHITE: First(), BLACK: First()}, controls={BLACK: TimeControl(90, 1)}, longest=2)
    assert "TimeControlNorth: 90+1\n" in get_family(game.start).format_game(played.sheet())


def test_an_invalid_margin() -> None:
    with pytest.raises(ArgumentError) as caught:
        play(Time(), First(), First(), controls=both(TimeControl(60)), margin=-1)
    assert (caught.value.name, caught.value.value) == ("margin", -1)
