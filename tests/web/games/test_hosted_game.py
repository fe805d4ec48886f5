"""Hosted games: allowed actions, the clock, and undoing changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.web.games.hosted_game import HostedGame, Sides
from tests.fake_clock import Time
from tests.web.games.fixtures import BLACK, BOTH, NONE, WHITE, action, get_moves, host, move, play, reload

# One king on each side. After the moves are played twice, a draw by repetition can be claimed in English draughts.
KINGS: dict[str, Any] = {"variant": "english", "position": "B:WK32:BK1"}
SHUFFLE = ("1-6", "32-28", "6-1", "28-32")


@pytest.mark.parametrize(
    ("options", "first", "second"),
    [({}, "32-28", "19-23"), ({"variant": "kalah", "houses": 4, "seeds": 2, "side": "south"}, "1", "1")],
)
def test_moves_are_played_and_stored(options: dict[str, Any], first: str, second: str) -> None:
    hosted = host(**options)
    assert hosted.act(move(first, 0), WHITE)
    assert hosted.act(move(second, 1), BLACK)
    assert get_moves(hosted) == [first, second]
    assert get_moves(reload(hosted)) == [first, second]


def test_a_move_is_played_once() -> None:
    hosted = host()
    assert hosted.act(move("32-28", 0), WHITE)
    assert not hosted.act(move("32-28", 0), WHITE)  # the same request again
    with pytest.raises(GameError):
        hosted.act(move("33-28", 0), WHITE)
    with pytest.raises(GameError):
        hosted.act(move("19-23", 2), BLACK)
    with pytest.raises(GameError):
        hosted.act(move("32-28", 0), BLACK)  # Black did not play it
    with pytest.raises(GameError):
        hosted.act(move("nonsense", 0), WHITE)
    assert get_moves(hosted) == ["32-28"]


def test_illegal_moves_are_explained() -> None:
    hosted = host()
    with pytest.raises(GameError, match="White"):
        hosted.act(move("19-23"), BLACK)
    for text in ("33-27", "19-23"):
        with pytest.raises(TablemenError) as caught:
            hosted.act(move(text), WHITE)
        assert str(caught.value) == hosted.family.explain_illegal(text, hosted.game.position)
    assert get_moves(hosted) == []


def test_the_length_of_a_game_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.games.hosted_game.MAX_MOVES", 2)
    hosted = host()
    play(hosted, "32-28", "19-23")
    with pytest.raises(GameError, match="2"):
        hosted.act(move("28x19"), WHITE)


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
def test_actions_depend_on_the_opponent_and_the_turn(
    opponent: str, sides: Sides, before: list[str], after: list[str]
) -> None:
    hosted = host(opponent=opponent)
    assert hosted.actions(sides) == before
    hosted.act(move("32-28"), WHITE)
    assert hosted.actions(sides) == after


@pytest.mark.parametrize(
    ("opponent", "sides", "loser"),
    [("link", BLACK, Side.BLACK), ("screen", BOTH, Side.WHITE), ("computer", WHITE, Side.WHITE)],
)
def test_a_resignation_ends_the_game(opponent: str, sides: Sides, loser: Side) -> None:
    hosted = host(opponent=opponent)
    hosted.act(action("resign"), sides)
    assert hosted.game.outcome() == Outcome(loser.opponent, Termination.RESIGNATION)
    assert reload(hosted).game.outcome() == hosted.game.outcome()
    for name in ("resign", "draw", "decline"):
        with pytest.raises(GameOverError):
            hosted.act(action(name), sides)
    with pytest.raises(GameOverError):
        hosted.act(move("32-28"), BOTH)
    if opponent == "link":
        assert hosted.actions(sides) == ["rematch"]
        with pytest.raises(GameOverError):
            hosted.act(action("takeback"), sides)
    else:
        assert hosted.actions(sides) == ["takeback"]
        hosted.act(action("takeback"), sides)
        assert hosted.game.outcome() is None


def test_a_draw_is_offered_and_accepted() -> None:
    hosted = host()
    hosted.act(action("draw"), WHITE)
    assert hosted.offers == {"draw": Side.WHITE}
    assert reload(hosted).offers == hosted.offers
    assert "draw" not in hosted.actions(WHITE)
    assert {"draw", "decline"} <= set(hosted.actions(BLACK))
    with pytest.raises(GameError):
        hosted.act(action("draw"), WHITE)
    hosted.act(action("draw"), BLACK)
    assert hosted.game.outcome() == Outcome(None, Termination.AGREEMENT)
    assert hosted.offers == {}


def test_an_offer_is_declined() -> None:
    hosted = host()
    hosted.act(action("draw"), BLACK)
    with pytest.raises(GameError):
        hosted.act(action("decline"), BLACK)
    hosted.act(action("decline"), WHITE)
    assert hosted.offers == {}
    with pytest.raises(GameError):
        hosted.act(action("decline"), WHITE)
    hosted.act(action("draw"), BLACK)
    hosted.act(move("32-28"), WHITE)  # declines the offer
    assert hosted.offers == {}
    hosted.act(action("draw"), BLACK)
    hosted.act(move("19-23"), BLACK)  # does not withdraw Black's own offer
    assert hosted.offers == {"draw": Side.BLACK}


def test_a_draw_is_agreed_on_a_shared_screen_but_not_by_the_computer() -> None:
    hosted = host(opponent="screen")
    hosted.act(action("draw"), BOTH)
    assert hosted.game.outcome() == Outcome(None, Termination.AGREEMENT)
    hosted = host(opponent="computer")
    with pytest.raises(GameError):
        hosted.act(action("draw"), WHITE)
    assert hosted.game.outcome() is None


@pytest.mark.parametrize(
    ("variant", "position", "opponent", "is_possible"),
    [
        ("english", "W:WK10:BK27", "computer", True),
        ("english", "W:WK10,K11,K12,K13:BK27,K28,K29", "computer", True),  # files may have it
        ("english", "W:WK10,K11,K12,K13:BK27,K28,K29,K30", "computer", False),
        ("english", "W:WK10:BK27", "link", False),  # an offer
        ("frisian", "W:WK10,K5:BK27", "computer", False),  # the rules have no tablebases
        ("kalah", "<6,0,0,0,0,0,0,0,1,0,0,0,1,0,1> south", "computer", False),
    ],
)
def test_a_tablebase_may_prove_a_draw_of_few_pieces_against_the_computer(
    *, variant: str, position: str, opponent: str, is_possible: bool
) -> None:
    hosted = host(variant=variant, position=position, opponent=opponent, side=None)
    assert hosted.needs_proof == is_possible
    assert ("draw" in hosted.actions(hosted.people)) == (is_possible or opponent == "link")


@pytest.mark.parametrize("opponent", ["link", "screen", "computer"])
def test_a_draw_is_claimed(opponent: str) -> None:
    hosted = host(**KINGS, opponent=opponent, side="black", moves=list(SHUFFLE * 2))
    sides = BOTH if opponent == "screen" else BLACK
    assert hosted.game.claims()
    assert "draw" in hosted.actions(sides)
    hosted.act(action("draw"), sides)
    assert hosted.game.outcome() == Outcome(None, Termination.REPETITION)
    assert reload(hosted).game.outcome() == hosted.game.outcome()


def test_a_takeback_needs_the_consent_of_the_opponent() -> None:
    hosted = host()
    with pytest.raises(GameError):
        hosted.act(action("takeback"), WHITE)
    play(hosted, "32-28", "19-23")
    hosted.act(action("takeback"), WHITE)
    assert hosted.offers == {"takeback": Side.WHITE}
    assert get_moves(hosted) == ["32-28", "19-23"]
    with pytest.raises(GameError):
        hosted.act(action("takeback"), WHITE)
    hosted = reload(hosted)
    hosted.act(action("takeback"), BLACK)
    assert get_moves(hosted) == []
    assert hosted.offers == {}


def test_a_takeback_returns_the_turn_to_the_side_that_asked() -> None:
    hosted = host()
    play(hosted, "32-28", "19-23", "28x19")
    hosted.act(action("takeback"), WHITE)
    hosted.act(action("takeback"), BLACK)
    assert get_moves(hosted) == ["32-28", "19-23"]
    hosted.act(action("takeback"), BLACK)
    hosted.act(move("28x19"), WHITE)  # withdraws the request
    assert hosted.offers == {}
    hosted.act(action("takeback"), BLACK)
    hosted.act(action("decline"), WHITE)
    assert (get_moves(hosted), hosted.offers) == (["32-28", "19-23", "28x19"], {})


@pytest.mark.parametrize(("opponent", "sides"), [("link", WHITE), ("screen", BOTH), ("computer", WHITE)])
def test_moves_of_the_opening_are_not_taken_back(opponent: str, sides: Sides) -> None:
    hosted = host(opponent=opponent, moves=["32-28", "19-23"])
    assert "takeback" not in hosted.actions(sides)
    with pytest.raises(GameError):
        hosted.act(action("takeback"), sides)
    play(hosted, "28x19")
    hosted.act(action("takeback"), sides)
    if opponent == "link":
        hosted.act(action("takeback"), BLACK)
    assert get_moves(hosted) == ["32-28", "19-23"]


def test_a_loss_on_time_without_a_move_is_withdrawn() -> None:
    time = Time(0)
    hosted = host(time, clock="1", opponent="screen", moves=["32-28"])
    play(hosted, "19-23")
    hosted.act(action("takeback"), BOTH)
    time.now = 100
    assert hosted.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert "takeback" in hosted.actions(BOTH)
    hosted.act(action("takeback"), BOTH)
    assert (get_moves(hosted), hosted.game.outcome(), hosted.clock.control) == (["32-28"], None, None)


def over(**options: Any) -> HostedGame:
    """Return a game by link that Black has resigned."""
    hosted = host(**options)
    hosted.act(action("resign"), BLACK)
    return hosted


def test_a_rematch_is_asked_for_and_accepted() -> None:
    hosted = over()
    assert hosted.actions(WHITE) == hosted.actions(BLACK) == ["rematch"]
    assert hosted.act(action("rematch"), BLACK)
    assert (hosted.offers, hosted.next) == ({"rematch": Side.BLACK}, None)
    assert hosted.check_time() is None
    hosted = reload(hosted)
    assert hosted.offers == {"rematch": Side.BLACK}
    assert hosted.actions(BLACK) == []
    assert hosted.actions(WHITE) == ["rematch", "decline"]
    with pytest.raises(GameError):
        hosted.act(action("rematch"), BLACK)
    assert hosted.act(action("rematch"), WHITE)
    name = hosted.next
    assert name is not None
    for each in (hosted, reload(hosted)):
        assert (each.next, each.offers) == (name, {})
        assert each.actions(WHITE) == each.actions(BLACK) == []
        for sides in (WHITE, BLACK):
            assert not each.act(action("rematch"), sides)  # the rematch exists already
        assert each.next == name


def test_a_rematch_is_declined() -> None:
    hosted = over()
    with pytest.raises(GameOverError):
        hosted.act(action("decline"), WHITE)
    hosted.act(action("rematch"), WHITE)
    with pytest.raises(GameError):
        hosted.act(action("decline"), WHITE)
    hosted.act(action("decline"), BLACK)
    assert (hosted.offers, hosted.next) == ({}, None)
    hosted.act(action("rematch"), BLACK)
    hosted.act(action("rematch"), WHITE)
    assert hosted.next is not None


def test_a_rematch_needs_a_finished_game_by_link() -> None:
    with pytest.raises(GameError):
        host().act(action("rematch"), WHITE)
    for opponent, sides in (("screen", BOTH), ("computer", WHITE)):
        hosted = host(opponent=opponent)
        hosted.act(action("resign"), sides)
        with pytest.raises(GameError):
            hosted.act(action("rematch"), sides)
        assert "rematch" not in hosted.actions(sides)


def test_extra_turns_are_taken_back_one_by_one() -> None:
    hosted = host(variant="kalah", side="south")
    play(hosted, "3", "2", "1")
    hosted.act(action("takeback"), WHITE)
    hosted.act(action("takeback"), BLACK)
    assert get_moves(hosted) == ["3"]


def test_a_takeback_on_a_shared_screen_or_against_the_computer_is_immediate() -> None:
    hosted = host(opponent="screen")
    play(hosted, "32-28", "19-23")
    hosted.act(action("takeback"), BOTH)
    assert get_moves(hosted) == ["32-28"]
    hosted = host(opponent="computer")
    play(hosted, "32-28", "19-23")
    hosted.act(action("takeback"), WHITE)
    assert get_moves(hosted) == []


def test_a_declared_result_is_withdrawn_before_any_move() -> None:
    hosted = host(opponent="screen")
    hosted.act(move("32-28"), BOTH)
    hosted.act(action("draw"), BOTH)
    assert hosted.game.outcome() == Outcome(None, Termination.AGREEMENT)
    hosted.act(action("takeback"), BOTH)
    assert hosted.game.outcome() is None
    assert len(hosted.game.moves) == 1
    hosted.act(action("takeback"), BOTH)
    assert not hosted.game.moves


def test_the_stage_changes_with_the_first_move_of_a_person() -> None:
    hosted = host(moves=["32-28", "19-23"])
    assert hosted.status().stage == "new"  # the opening does not count
    play(hosted, "28x19")
    assert reload(hosted).status().stage == "played"
    hosted.act(action("resign"), WHITE)
    assert reload(hosted).status().stage == "over"
    hosted = host(opponent="computer", side="black", level=1)
    hosted.play_choice(hosted.choose())
    assert hosted.status().stage == "new"  # only the computer has moved


def test_a_rematch_can_be_undone() -> None:
    hosted = host()
    hosted.act(action("resign"), BLACK)
    hosted.act(action("rematch"), WHITE)
    before = hosted.snapshot()
    hosted.act(action("rematch"), BLACK)
    hosted.restore(before)
    assert (hosted.offers, hosted.next) == ({"rematch": Side.WHITE}, None)


def test_the_clock_runs_from_the_first_move_on() -> None:
    time = Time(0)
    hosted = host(time, clock="1+2", moves=["32-28"])
    time.now = 30
    assert hosted.clock.left(Side.BLACK) == 60
    play(hosted, "19-23")
    time.now = 40
    assert hosted.clock.left(Side.WHITE) == 50
    play(hosted, "28x19")
    assert hosted.clock.left(Side.WHITE) == 52
    time.now = 45
    later = reload(hosted, time)
    time.now = 50  # the reloaded clock runs from the stored times
    assert later.clock.left(Side.BLACK) == 50
    assert later.clock.left(Side.WHITE) == 52
    assert reload(hosted, time, away=20).clock.left(Side.BLACK) == 30


def test_a_fallen_flag_loses_the_game() -> None:
    time = Time(0)
    hosted = host(time, clock="1")
    play(hosted, "32-28")
    hosted.act(action("draw"), WHITE)
    time.now = 59
    assert hosted.check_time() is None
    time.now = 60
    assert hosted.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert hosted.offers == {}
    assert reload(hosted, time).game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    hosted = host(time, clock="1", opponent="screen")
    play(hosted, "32-28")
    time.now = 200
    with pytest.raises(GameOverError):
        hosted.act(move("19-23"), BOTH)
    assert hosted.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    hosted.act(action("takeback"), BOTH)
    assert reload(hosted, time).clock.control is None  # the game continues without a clock


def test_a_snapshot_is_restored_but_not_the_used_time() -> None:
    time = Time(0)
    hosted = host(time, clock="1+5")
    play(hosted, "32-28")
    hosted.act(action("draw"), WHITE)
    before, status = hosted.snapshot(), hosted.status()
    time.now = 10
    hosted.act(move("19-23"), BLACK)
    hosted.revision += 1
    hosted.restore(before)
    assert get_moves(hosted) == ["32-28"]
    assert hosted.status() == replace(status, black_used=10.0)
    hosted.act(move("19-23"), BLACK)
    assert hosted.clock.left(Side.BLACK) == 55


def test_a_time_control_by_moves_survives_a_reload() -> None:
    time = Time(0)
    hosted = host(time, clock="2/1")
    play(hosted, "32-28", "19-23")
    time.now = 10
    hosted = reload(hosted, time)
    assert str(hosted.clock.control) == "2/1+0"
    play(hosted, "28x19", "14x23")
    assert [hosted.clock.left(side) for side in Side] == [110, 120]
