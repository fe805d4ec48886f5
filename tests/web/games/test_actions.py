"""Who may do what in a game on the server, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.web.games import actions
from tablemen.web.games.actions import act, actions_for
from tablemen.web.games.table import Sides, Table
from tests.time_for_tests import Time
from tests.web.tables import BLACK, BOTH, NONE, WHITE, action, again, move, moves_of, play, table

# A king each: after this the third time that the position is there can be claimed in English draughts.
KINGS: dict[str, Any] = {"variant": "english", "position": "B:WK32:BK1"}
SHUFFLE = ("1-6", "32-28", "6-1", "28-32")


@pytest.mark.parametrize(
    ("asked", "first", "second"),
    [({}, "32-28", "19-23"), ({"variant": "kalah", "houses": 4, "seeds": 2, "side": "south"}, "1", "1")],
)
def test_moves_of_both_families(asked: dict[str, Any], first: str, second: str) -> None:
    made = table(**asked)
    assert act(made, move(first, 0), WHITE)
    assert act(made, move(second, 1), BLACK)
    assert moves_of(made) == [first, second]
    assert moves_of(again(made)) == [first, second]


def test_a_move_is_played_once() -> None:
    made = table()
    assert act(made, move("32-28", 0), WHITE)
    assert not act(made, move("32-28", 0), WHITE)  # it was sent again
    with pytest.raises(GameError, match="moves played by now: 1, not 0"):
        act(made, move("33-28", 0), WHITE)
    with pytest.raises(GameError, match="moves played by now: 1, not 2"):
        act(made, move("19-23", 2), BLACK)
    with pytest.raises(GameError, match="not 0"):
        act(made, move("32-28", 0), BLACK)  # who did not play it
    with pytest.raises(GameError, match="not 0"):
        act(made, move("nonsense", 0), WHITE)
    assert moves_of(made) == ["32-28"]


def test_moves_are_refused_with_a_reason() -> None:
    made = table()
    with pytest.raises(GameError, match="it is White's turn"):
        act(made, move("19-23"), BLACK)
    with pytest.raises(TablemenError, match="33 to 27 is not a diagonal step"):
        act(made, move("33-27"), WHITE)
    with pytest.raises(TablemenError, match="Black's"):
        act(made, move("19-23"), WHITE)
    assert moves_of(made) == []


def test_a_game_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "LONGEST_GAME", 2)
    made = table()
    play(made, "32-28", "19-23")
    with pytest.raises(GameError, match="2 moves at most"):
        act(made, move("28x19"), WHITE)


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
def test_what_can_be_done(opponent: str, sides: Sides, before: list[str], after: list[str]) -> None:
    made = table(opponent=opponent)
    assert actions_for(made, sides) == before
    act(made, move("32-28"), WHITE)
    assert actions_for(made, sides) == after


@pytest.mark.parametrize(
    ("opponent", "sides", "loser"),
    [("link", BLACK, Side.BLACK), ("screen", BOTH, Side.WHITE), ("computer", WHITE, Side.WHITE)],
)
def test_resigning(opponent: str, sides: Sides, loser: Side) -> None:
    made = table(opponent=opponent)
    act(made, action("resign"), sides)
    assert made.game.outcome() == Outcome(loser.opponent, Termination.RESIGNATION)
    assert again(made).game.outcome() == made.game.outcome()
    for name in ("resign", "draw", "decline"):
        with pytest.raises(GameOverError):
            act(made, action(name), sides)
    with pytest.raises(GameOverError):
        act(made, move("32-28"), BOTH)
    if opponent == "link":
        assert actions_for(made, sides) == ["rematch"]
        with pytest.raises(GameOverError):
            act(made, action("takeback"), sides)
    else:
        assert actions_for(made, sides) == ["takeback"]
        act(made, action("takeback"), sides)
        assert made.game.outcome() is None


def test_a_draw_is_offered_and_accepted() -> None:
    made = table()
    act(made, action("draw"), WHITE)
    assert made.offers == {"draw": Side.WHITE}
    assert again(made).offers == made.offers
    assert "draw" not in actions_for(made, WHITE)
    assert {"draw", "decline"} <= set(actions_for(made, BLACK))
    with pytest.raises(GameError, match="already"):
        act(made, action("draw"), WHITE)
    act(made, action("draw"), BLACK)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    assert made.offers == {}


def test_what_is_offered_is_turned_down() -> None:
    made = table()
    act(made, action("draw"), BLACK)
    with pytest.raises(GameError, match="nothing is offered to you"):
        act(made, action("decline"), BLACK)
    act(made, action("decline"), WHITE)
    assert made.offers == {}
    with pytest.raises(GameError, match="nothing is offered"):
        act(made, action("decline"), WHITE)
    act(made, action("draw"), BLACK)
    act(made, move("32-28"), WHITE)  # who does not accept
    assert made.offers == {}
    act(made, action("draw"), BLACK)
    act(made, move("19-23"), BLACK)  # its own offer stands
    assert made.offers == {"draw": Side.BLACK}


def test_a_draw_on_one_screen_and_against_the_computer() -> None:
    made = table(opponent="screen")
    act(made, action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    made = table(opponent="computer")
    with pytest.raises(GameError, match="the computer agrees to none"):
        act(made, action("draw"), WHITE)


@pytest.mark.parametrize("opponent", ["link", "screen", "computer"])
def test_a_draw_that_is_due_is_claimed(opponent: str) -> None:
    made = table(**KINGS, opponent=opponent, side="black", moves=list(SHUFFLE * 2))
    sides = BOTH if opponent == "screen" else BLACK
    assert made.game.claims()
    assert "draw" in actions_for(made, sides)
    act(made, action("draw"), sides)
    assert made.game.outcome() == Outcome(None, Termination.REPETITION)
    assert again(made).game.outcome() == made.game.outcome()


def test_taking_back_is_asked_for() -> None:
    made = table()
    with pytest.raises(GameError, match="no move of yours"):
        act(made, action("takeback"), WHITE)
    play(made, "32-28", "19-23")
    act(made, action("takeback"), WHITE)
    assert made.offers == {"takeback": Side.WHITE}
    assert moves_of(made) == ["32-28", "19-23"]
    with pytest.raises(GameError, match="asked already"):
        act(made, action("takeback"), WHITE)
    made = again(made)
    act(made, action("takeback"), BLACK)
    assert moves_of(made) == []
    assert made.offers == {}


def test_taking_back_leads_to_the_turn_of_who_asked() -> None:
    made = table()
    play(made, "32-28", "19-23", "28x19")
    act(made, action("takeback"), WHITE)
    act(made, action("takeback"), BLACK)
    assert moves_of(made) == ["32-28", "19-23"]
    act(made, action("takeback"), BLACK)
    act(made, move("28x19"), WHITE)  # instead of an answer
    assert made.offers == {}
    act(made, action("takeback"), BLACK)
    act(made, action("decline"), WHITE)
    assert (moves_of(made), made.offers) == (["32-28", "19-23", "28x19"], {})


@pytest.mark.parametrize(("opponent", "sides"), [("link", WHITE), ("screen", BOTH), ("computer", WHITE)])
def test_moves_that_a_game_began_with_are_nobodys_to_take_back(opponent: str, sides: Sides) -> None:
    made = table(opponent=opponent, moves=["32-28", "19-23"])
    assert "takeback" not in actions_for(made, sides)
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        act(made, action("takeback"), sides)
    play(made, "28x19")
    act(made, action("takeback"), sides)
    if opponent == "link":
        act(made, action("takeback"), BLACK)
    assert moves_of(made) == ["32-28", "19-23"]


def test_a_loss_on_time_is_taken_back_alone_where_nobody_has_moved() -> None:
    time = Time(0)
    made = table(time, clock="1", opponent="screen", moves=["32-28"])
    play(made, "19-23")
    act(made, action("takeback"), BOTH)
    time.now = 100
    assert made.check_time() == Outcome(Side.WHITE, Termination.TIME)
    assert "takeback" in actions_for(made, BOTH)
    act(made, action("takeback"), BOTH)
    assert (moves_of(made), made.game.outcome(), made.session.clock.control) == (["32-28"], None, None)


def over(**asked: Any) -> Table:
    """A game with a link that Black has given up."""
    made = table(**asked)
    act(made, action("resign"), BLACK)
    return made


def test_a_rematch_is_asked_for_and_accepted() -> None:
    made = over()
    assert actions_for(made, WHITE) == actions_for(made, BLACK) == ["rematch"]
    assert act(made, action("rematch"), BLACK)
    assert (made.offers, made.next) == ({"rematch": Side.BLACK}, None)
    assert made.check_time() is None
    made = again(made)
    assert made.offers == {"rematch": Side.BLACK}
    assert actions_for(made, BLACK) == []
    assert actions_for(made, WHITE) == ["rematch", "decline"]
    with pytest.raises(GameError, match="asked already"):
        act(made, action("rematch"), BLACK)
    assert act(made, action("rematch"), WHITE)
    name = made.next
    assert name is not None
    for each in (made, again(made)):
        assert (each.next, each.offers) == (name, {})
        assert actions_for(each, WHITE) == actions_for(each, BLACK) == []
        for sides in (WHITE, BLACK):
            assert not act(each, action("rematch"), sides)  # there is one, and one is enough
        assert each.next == name


def test_a_rematch_is_turned_down() -> None:
    made = over()
    with pytest.raises(GameOverError):
        act(made, action("decline"), WHITE)
    act(made, action("rematch"), WHITE)
    with pytest.raises(GameError, match="nothing is offered to you"):
        act(made, action("decline"), WHITE)
    act(made, action("decline"), BLACK)
    assert (made.offers, made.next) == ({}, None)
    act(made, action("rematch"), BLACK)
    act(made, action("rematch"), WHITE)
    assert made.next is not None


def test_there_is_no_rematch_before_the_end_nor_without_a_link() -> None:
    with pytest.raises(GameError, match="the game is not over"):
        act(table(), action("rematch"), WHITE)
    for opponent, sides in (("screen", BOTH), ("computer", WHITE)):
        made = table(opponent=opponent)
        act(made, action("resign"), sides)
        with pytest.raises(GameError, match="begin a new game"):
            act(made, action("rematch"), sides)
        assert "rematch" not in actions_for(made, sides)


def test_extra_turns_are_taken_back_one_by_one() -> None:
    made = table(variant="kalah", side="south")
    play(made, "3", "2", "1")
    act(made, action("takeback"), WHITE)
    act(made, action("takeback"), BLACK)
    assert moves_of(made) == ["3"]


def test_taking_back_at_once() -> None:
    made = table(opponent="screen")
    play(made, "32-28", "19-23")
    act(made, action("takeback"), BOTH)
    assert moves_of(made) == ["32-28"]
    made = table(opponent="computer")
    play(made, "32-28", "19-23")
    act(made, action("takeback"), WHITE)
    assert moves_of(made) == []


def test_a_result_that_was_declared_is_taken_back_alone() -> None:
    made = table(opponent="screen")
    act(made, move("32-28"), BOTH)
    act(made, action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    act(made, action("takeback"), BOTH)
    assert made.game.outcome() is None
    assert len(made.game.moves) == 1
    act(made, action("takeback"), BOTH)
    assert not made.game.moves
