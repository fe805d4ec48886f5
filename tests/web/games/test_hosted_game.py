"""Hosted games: what each player may do, the clock, and how changes are undone."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.web.games.hosted_game import HostedGame, Sides
from tests.fake_clock import Time
from tests.web.games.fixtures import BLACK, BOTH, NONE, WHITE, action, host, move, moves_of, play, reload

# A king each. After two rounds of the moves, the third repetition can be claimed in English draughts.
KINGS: dict[str, Any] = {"variant": "english", "position": "B:WK32:BK1"}
SHUFFLE = ("1-6", "32-28", "6-1", "28-32")


@pytest.mark.parametrize(
    ("asked", "first", "second"),
    [({}, "32-28", "19-23"), ({"variant": "kalah", "houses": 4, "seeds": 2, "side": "south"}, "1", "1")],
)
def test_moves_of_both_families(asked: dict[str, Any], first: str, second: str) -> None:
    made = host(**asked)
    assert made.act(move(first, 0), WHITE)
    assert made.act(move(second, 1), BLACK)
    assert moves_of(made) == [first, second]
    assert moves_of(reload(made)) == [first, second]


def test_a_move_is_played_once() -> None:
    made = host()
    assert made.act(move("32-28", 0), WHITE)
    assert not made.act(move("32-28", 0), WHITE)  # the same request again
    with pytest.raises(GameError, match="moves played by now: 1, not 0"):
        made.act(move("33-28", 0), WHITE)
    with pytest.raises(GameError, match="moves played by now: 1, not 2"):
        made.act(move("19-23", 2), BLACK)
    with pytest.raises(GameError, match="not 0"):
        made.act(move("32-28", 0), BLACK)  # Black did not play it
    with pytest.raises(GameError, match="not 0"):
        made.act(move("nonsense", 0), WHITE)
    assert moves_of(made) == ["32-28"]


def test_moves_are_refused_with_a_reason() -> None:
    made = host()
    with pytest.raises(GameError, match="it is White's turn"):
        made.act(move("19-23"), BLACK)
    with pytest.raises(TablemenError, match="33 to 27 is not a diagonal step"):
        made.act(move("33-27"), WHITE)
    with pytest.raises(TablemenError, match="Black's"):
        made.act(move("19-23"), WHITE)
    assert moves_of(made) == []


def test_the_length_of_a_game_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.hosted_game.MAX_MOVES", 2)
    made = host()
    play(made, "32-28", "19-23")
    with pytest.raises(GameError, match="2 moves at most"):
        made.act(move("28x19"), WHITE)


@pytest.mark.parametrize(
    ("opponent", "sides", "before", "after"),
    [
        ("link", WHITE, ["move", "draw", "resign"], ["takeback", "draw", "resign"]),
        ("link", BLACK, ["draw", "resign"], ["move", "draw", "resign"]),
        ("link", NONE, [], []),
        ("screen", BOTH, ["move", "hint", "draw", "resign"], ["move", "hint", "takeback", "draw", "resign"]),
        ("computer", WHITE, ["move", "hint", "resign"], ["takeback", "resign"]),
    ],
)
def test_allowed_actions(opponent: str, sides: Sides, before: list[str], after: list[str]) -> None:
    made = host(opponent=opponent)
    assert made.actions(sides) == before
    made.act(move("32-28"), WHITE)
    assert made.actions(sides) == after


@pytest.mark.parametrize(
    ("opponent", "sides", "loser"),
    [("link", BLACK, Side.BLACK), ("screen", BOTH, Side.WHITE), ("computer", WHITE, Side.WHITE)],
)
def test_resigning(opponent: str, sides: Sides, loser: Side) -> None:
    made = host(opponent=opponent)
    made.act(action("resign"), sides)
    assert made.game.outcome() == Outcome(loser.opponent, Termination.RESIGNATION)
    assert reload(made).game.outcome() == made.game.outcome()
    for name in ("resign", "draw", "decline"):
        with pytest.raises(GameOverError):
            made.act(action(name), sides)
    with pytest.raises(GameOverError):
        made.act(move("32-28"), BOTH)
    if opponent == "link":
        assert made.actions(sides) == ["rematch"]
        with pytest.raises(GameOverError):
            made.act(action("takeback"), sides)
    else:
        assert made.actions(sides) == ["takeback"]
        made.act(action("takeback"), sides)
        assert made.game.outcome() is None


def test_a_draw_is_offered_and_accepted() -> None:
    made = host()
    made.act(action("draw"), WHITE)
    assert made.offers == {"draw": Side.WHITE}
    assert reload(made).offers == made.offers
    assert "draw" not in made.actions(WHITE)
    assert {"draw", "decline"} <= set(made.actions(BLACK))
    with pytest.raises(GameError, match="already"):
        made.act(action("draw"), WHITE)
    made.act(action("draw"), BLACK)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    assert made.offers == {}


def test_an_offer_is_declined() -> None:
    made = host()
    made.act(action("draw"), BLACK)
    with pytest.raises(GameError, match="nothing is offered to you"):
        made.act(action("decline"), BLACK)
    made.act(action("decline"), WHITE)
    assert made.offers == {}
    with pytest.raises(GameError, match="nothing is offered"):
        made.act(action("decline"), WHITE)
    made.act(action("draw"), BLACK)
    made.act(move("32-28"), WHITE)  # which declines it
    assert made.offers == {}
    made.act(action("draw"), BLACK)
    made.act(move("19-23"), BLACK)  # its own offer stays open
    assert made.offers == {"draw": Side.BLACK}


def test_a_draw_on_one_screen_and_against_the_computer() -> None:
    made = host(opponent="screen")
    made.act(action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    made = host(opponent="computer")
    with pytest.raises(GameError, match="the computer accepts no offers"):
        made.act(action("draw"), WHITE)


@pytest.mark.parametrize("opponent", ["link", "screen", "computer"])
def test_a_draw_is_claimed(opponent: str) -> None:
    made = host(**KINGS, opponent=opponent, side="black", moves=list(SHUFFLE * 2))
    sides = BOTH if opponent == "screen" else BLACK
    assert made.game.claims()
    assert "draw" in made.actions(sides)
    made.act(action("draw"), sides)
    assert made.game.outcome() == Outcome(None, Termination.REPETITION)
    assert reload(made).game.outcome() == made.game.outcome()


def test_a_takeback_needs_the_consent_of_the_opponent() -> None:
    made = host()
    with pytest.raises(GameError, match="no move of yours"):
        made.act(action("takeback"), WHITE)
    play(made, "32-28", "19-23")
    made.act(action("takeback"), WHITE)
    assert made.offers == {"takeback": Side.WHITE}
    assert moves_of(made) == ["32-28", "19-23"]
    with pytest.raises(GameError, match="asked already"):
        made.act(action("takeback"), WHITE)
    made = reload(made)
    made.act(action("takeback"), BLACK)
    assert moves_of(made) == []
    assert made.offers == {}


def test_a_takeback_returns_the_turn_to_the_side_that_asked() -> None:
    made = host()
    play(made, "32-28", "19-23", "28x19")
    made.act(action("takeback"), WHITE)
    made.act(action("takeback"), BLACK)
    assert moves_of(made) == ["32-28", "19-23"]
    made.act(action("takeback"), BLACK)
    made.act(move("28x19"), WHITE)  # instead of an answer
    assert made.offers == {}
    made.act(action("takeback"), BLACK)
    made.act(action("decline"), WHITE)
    assert (moves_of(made), made.offers) == (["32-28", "19-23", "28x19"], {})


@pytest.mark.parametrize(("opponent", "sides"), [("link", WHITE), ("screen", BOTH), ("computer", WHITE)])
def test_moves_of_the_opening_are_not_taken_back(opponent: str, sides: Sides) -> None:
    made = host(opponent=opponent, moves=["32-28", "19-23"])
    assert "takeback" not in made.actions(sides)
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        made.act(action("takeback"), sides)
    play(made, "28x19")
    made.act(action("takeback"), sides)
    if opponent == "link":
        made.act(action("takeback"), BLACK)
    assert moves_of(made) == ["32-28", "19-23"]


def test_a_loss_on_time_without_a_move_is_withdrawn() -> None:
    time = Time(0)
    made = host(time, clock="1", opponent="screen", moves=["32-28"])
    play(made, "19-23")
    made.act(action("takeback"), BOTH)
    time.now = 100
    assert made.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert "takeback" in made.actions(BOTH)
    made.act(action("takeback"), BOTH)
    assert (moves_of(made), made.game.outcome(), made.clock.control) == (["32-28"], None, None)


def over(**asked: Any) -> HostedGame:
    """Return a game by link that Black has resigned."""
    made = host(**asked)
    made.act(action("resign"), BLACK)
    return made


def test_a_rematch_is_asked_for_and_accepted() -> None:
    made = over()
    assert made.actions(WHITE) == made.actions(BLACK) == ["rematch"]
    assert made.act(action("rematch"), BLACK)
    assert (made.offers, made.next) == ({"rematch": Side.BLACK}, None)
    assert made.check_time() is None
    made = reload(made)
    assert made.offers == {"rematch": Side.BLACK}
    assert made.actions(BLACK) == []
    assert made.actions(WHITE) == ["rematch", "decline"]
    with pytest.raises(GameError, match="asked already"):
        made.act(action("rematch"), BLACK)
    assert made.act(action("rematch"), WHITE)
    name = made.next
    assert name is not None
    for each in (made, reload(made)):
        assert (each.next, each.offers) == (name, {})
        assert each.actions(WHITE) == each.actions(BLACK) == []
        for sides in (WHITE, BLACK):
            assert not each.act(action("rematch"), sides)  # there is one already
        assert each.next == name


def test_a_rematch_is_declined() -> None:
    made = over()
    with pytest.raises(GameOverError):
        made.act(action("decline"), WHITE)
    made.act(action("rematch"), WHITE)
    with pytest.raises(GameError, match="nothing is offered to you"):
        made.act(action("decline"), WHITE)
    made.act(action("decline"), BLACK)
    assert (made.offers, made.next) == ({}, None)
    made.act(action("rematch"), BLACK)
    made.act(action("rematch"), WHITE)
    assert made.next is not None


def test_a_rematch_needs_a_finished_game_by_link() -> None:
    with pytest.raises(GameError, match="the game is not over"):
        host().act(action("rematch"), WHITE)
    for opponent, sides in (("screen", BOTH), ("computer", WHITE)):
        made = host(opponent=opponent)
        made.act(action("resign"), sides)
        with pytest.raises(GameError, match="create a new game"):
            made.act(action("rematch"), sides)
        assert "rematch" not in made.actions(sides)


def test_extra_turns_are_taken_back_one_by_one() -> None:
    made = host(variant="kalah", side="south")
    play(made, "3", "2", "1")
    made.act(action("takeback"), WHITE)
    made.act(action("takeback"), BLACK)
    assert moves_of(made) == ["3"]


def test_a_takeback_without_an_opponent_elsewhere_is_immediate() -> None:
    made = host(opponent="screen")
    play(made, "32-28", "19-23")
    made.act(action("takeback"), BOTH)
    assert moves_of(made) == ["32-28"]
    made = host(opponent="computer")
    play(made, "32-28", "19-23")
    made.act(action("takeback"), WHITE)
    assert moves_of(made) == []


def test_a_declared_result_is_withdrawn_before_any_move() -> None:
    made = host(opponent="screen")
    made.act(move("32-28"), BOTH)
    made.act(action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    made.act(action("takeback"), BOTH)
    assert made.game.outcome() is None
    assert len(made.game.moves) == 1
    made.act(action("takeback"), BOTH)
    assert not made.game.moves


def test_the_stage_of_a_game() -> None:
    made = host(moves=["32-28", "19-23"])
    assert made.status().stage == "new"  # the opening does not count
    play(made, "28x19")
    assert reload(made).status().stage == "played"
    made.act(action("resign"), WHITE)
    assert reload(made).status().stage == "over"
    made = host(opponent="computer", side="black", level=1)
    made.play_choice(made.choose())
    assert made.status().stage == "new"  # only the computer has moved


def test_a_rematch_can_be_undone() -> None:
    made = host()
    made.act(action("resign"), BLACK)
    made.act(action("rematch"), WHITE)
    before = made.snapshot()
    made.act(action("rematch"), BLACK)
    made.restore(before)
    assert (made.offers, made.next) == ({"rematch": Side.WHITE}, None)


def test_the_clock_runs_from_the_first_move_on() -> None:
    time = Time(0)
    made = host(time, clock="1+2", moves=["32-28"])
    time.now = 30
    assert made.clock.left(Side.BLACK) == 60
    play(made, "19-23")
    time.now = 40
    assert made.clock.left(Side.WHITE) == 50
    play(made, "28x19")
    assert made.clock.left(Side.WHITE) == 52
    time.now = 45
    later = reload(made, time)
    time.now = 50  # the reloaded clock runs from the stored times
    assert later.clock.left(Side.BLACK) == 50
    assert later.clock.left(Side.WHITE) == 52
    assert reload(made, time, away=20).clock.left(Side.BLACK) == 30


def test_a_flag_falls() -> None:
    time = Time(0)
    made = host(time, clock="1")
    play(made, "32-28")
    made.act(action("draw"), WHITE)
    time.now = 59
    assert made.check_time() is None
    time.now = 60
    assert made.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert made.offers == {}
    assert reload(made, time).game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    made = host(time, clock="1", opponent="screen")
    play(made, "32-28")
    time.now = 200
    with pytest.raises(GameOverError):
        made.act(move("19-23"), BOTH)
    assert made.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    made.act(action("takeback"), BOTH)
    assert reload(made, time).clock.control is None  # the game continues without a clock


def test_a_snapshot_is_restored() -> None:
    time = Time(0)
    made = host(time, clock="1+5")
    play(made, "32-28")
    made.act(action("draw"), WHITE)
    before, standing = made.snapshot(), made.status()
    time.now = 10
    made.act(move("19-23"), BLACK)
    made.revision += 1
    made.restore(before)
    assert moves_of(made) == ["32-28"]
    assert made.status() == type(standing)(**{**vars(standing), "black_used": 10.0})
    made.act(move("19-23"), BLACK)
    assert made.clock.left(Side.BLACK) == 55


def test_a_time_control_by_moves_survives_a_reload() -> None:
    time = Time(0)
    made = host(time, clock="2/1")
    play(made, "32-28", "19-23")
    time.now = 10
    made = reload(made, time)
    assert str(made.clock.control) == "2/1+0"
    play(made, "28x19", "14x23")
    assert [made.clock.left(side) for side in Side] == [110, 120]
