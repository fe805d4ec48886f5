"""Who may do what in a game on the server."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import ArgumentError, GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.web.games import table as tables
from tablemen.web.games.beginning import new_table, next_game
from tablemen.web.games.keys import hash_key, is_key
from tablemen.web.games.table import Sides, Table
from tablemen.web.models import NewGame
from tablemen.web.routes.games import check_action
from tests.web.tables import BLACK, BOTH, NONE, NONE_OF_THEM, WHITE, Time, action, again, computer, move, play, table

# A king each: after this the third time that the position is there can be claimed in English draughts.
KINGS: dict[str, Any] = {"variant": "english", "position": "B:WK32:BK1"}
SHUFFLE = ("1-6", "32-28", "6-1", "28-32")


def moves(made: Table) -> list[str]:
    return [str(each) for each in made.game.moves]


def test_keys_open_their_own_side() -> None:
    made, created = new_table(NewGame(variant="kalah", opponent="link", side="north"), computer(), NONE_OF_THEM)
    assert created.side == "north"
    assert set(created.keys) == {"south", "north"}
    assert made.sides_of(created.keys["south"]) == WHITE
    assert made.sides_of(created.keys["north"]) == BLACK
    assert made.sides_of(created.keys["north"][:-1]) == NONE
    assert made.sides_of("") == NONE
    kept = repr(made.facts)
    assert all(key not in kept for key in created.keys.values())


def test_a_screen_has_one_key_and_the_computer_none() -> None:
    made, created = new_table(NewGame(variant="english", opponent="screen", side="white"), computer(), NONE_OF_THEM)
    assert created.side == "black"  # which moves first in English draughts
    assert len(set(created.keys.values())) == 1
    assert made.sides_of(created.keys["white"]) == BOTH
    made, created = new_table(
        NewGame(variant="english", opponent="computer", level=3, side="white"), computer(), NONE_OF_THEM
    )
    assert set(created.keys) == {"white"}
    assert made.people == WHITE
    assert made.is_for_the_computer
    assert made.facts.level == 3


def test_nobody_guesses_a_name_or_a_key() -> None:
    made = [new_table(NewGame(variant="kalah", opponent="link"), computer(), NONE_OF_THEM)[1] for _ in range(20)]
    assert len({each.id for each in made}) == 20
    assert len({key for each in made for key in each.keys.values()}) == 40
    assert min(len(each.id) for each in made) >= 12
    assert min(len(key) for each in made for key in each.keys.values()) >= 22
    assert {each.side for each in made} == {"south", "north"}  # chance decides
    assert is_key("a", hash_key("a"))
    assert not is_key("a", None)


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"variant": "nothing"}, "there is no game called 'nothing'"),
        ({"variant": "english", "houses": 3}, "has no houses"),
        ({"variant": "english", "side": "north"}, "white or black"),
        ({"variant": "english", "position": "nonsense"}, "line 1"),
        ({"variant": "english", "moves": ["1-32"]}, "1-32"),
        ({"variant": "english", "position": "W:W1:B"}, "the game is over"),
        ({"variant": "english", "clock": "soon"}, "time control"),
    ],
)
def test_a_game_that_cannot_be(asked: dict[str, object], problem: str) -> None:
    with pytest.raises(TablemenError, match=problem):
        new_table(NewGame.model_validate(asked), computer(), NONE_OF_THEM)


@pytest.mark.parametrize(
    ("asked", "first", "second"),
    [({}, "32-28", "19-23"), ({"variant": "kalah", "houses": 4, "seeds": 2, "side": "south"}, "1", "1")],
)
def test_moves_of_both_families(asked: dict[str, Any], first: str, second: str) -> None:
    made = table(**asked)
    assert made.act(move(first, 0), WHITE)
    assert made.act(move(second, 1), BLACK)
    assert moves(made) == [first, second]
    assert moves(again(made)) == [first, second]


def test_a_move_is_played_once() -> None:
    made = table()
    assert made.act(move("32-28", 0), WHITE)
    assert not made.act(move("32-28", 0), WHITE)  # it was sent again
    with pytest.raises(GameError, match="moves played by now: 1, not 0"):
        made.act(move("33-28", 0), WHITE)
    with pytest.raises(GameError, match="moves played by now: 1, not 2"):
        made.act(move("19-23", 2), BLACK)
    with pytest.raises(GameError, match="not 0"):
        made.act(move("32-28", 0), BLACK)  # who did not play it
    with pytest.raises(GameError, match="not 0"):
        made.act(move("nonsense", 0), WHITE)
    assert moves(made) == ["32-28"]


def test_moves_are_refused_with_a_reason() -> None:
    made = table()
    with pytest.raises(GameError, match="it is White's turn"):
        made.act(move("19-23"), BLACK)
    with pytest.raises(TablemenError, match="33 to 27 is not a diagonal step"):
        made.act(move("33-27"), WHITE)
    with pytest.raises(TablemenError, match="Black's"):
        made.act(move("19-23"), WHITE)
    assert moves(made) == []


def test_a_game_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LONGEST_GAME", 2)
    made = table()
    play(made, "32-28", "19-23")
    with pytest.raises(GameError, match="2 moves at most"):
        made.act(move("28x19"), WHITE)


def test_how_far_a_game_has_got() -> None:
    made = table(moves=["32-28", "19-23"])
    assert made.standing().stage == "new"  # these were nobody's
    play(made, "28x19")
    assert again(made).standing().stage == "played"
    made.act(action("resign"), WHITE)
    assert again(made).standing().stage == "over"
    made = table(opponent="computer", side="black", level=1)
    made.session.answer(made.choose())
    assert made.standing().stage == "new"  # only the computer has moved


def test_actions_that_make_no_sense() -> None:
    check_action(move("1-2"))
    check_action(action("resign"))
    with pytest.raises(ArgumentError, match="move is None"):
        check_action(action("move"))
    with pytest.raises(ArgumentError):
        check_action(move("1-2").model_copy(update={"action": "draw"}))


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
    assert made.actions_for(sides) == before
    made.act(move("32-28"), WHITE)
    assert made.actions_for(sides) == after


@pytest.mark.parametrize(
    ("opponent", "sides", "loser"),
    [("link", BLACK, Side.BLACK), ("screen", BOTH, Side.WHITE), ("computer", WHITE, Side.WHITE)],
)
def test_resigning(opponent: str, sides: Sides, loser: Side) -> None:
    made = table(opponent=opponent)
    made.act(action("resign"), sides)
    assert made.game.outcome() == Outcome(loser.opponent, Termination.RESIGNATION)
    assert again(made).game.outcome() == made.game.outcome()
    for name in ("resign", "draw", "decline"):
        with pytest.raises(GameOverError):
            made.act(action(name), sides)
    with pytest.raises(GameOverError):
        made.act(move("32-28"), BOTH)
    if opponent == "link":
        assert made.actions_for(sides) == ["rematch"]
        with pytest.raises(GameOverError):
            made.act(action("takeback"), sides)
    else:
        assert made.actions_for(sides) == ["takeback"]
        made.act(action("takeback"), sides)
        assert made.game.outcome() is None


def test_a_draw_is_offered_and_accepted() -> None:
    made = table()
    made.act(action("draw"), WHITE)
    assert made.offers == {"draw": Side.WHITE}
    assert again(made).offers == made.offers
    assert "draw" not in made.actions_for(WHITE)
    assert {"draw", "decline"} <= set(made.actions_for(BLACK))
    with pytest.raises(GameError, match="already"):
        made.act(action("draw"), WHITE)
    made.act(action("draw"), BLACK)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    assert made.offers == {}


def test_what_is_offered_is_turned_down() -> None:
    made = table()
    made.act(action("draw"), BLACK)
    with pytest.raises(GameError, match="nothing is offered to you"):
        made.act(action("decline"), BLACK)
    made.act(action("decline"), WHITE)
    assert made.offers == {}
    with pytest.raises(GameError, match="nothing is offered"):
        made.act(action("decline"), WHITE)
    made.act(action("draw"), BLACK)
    made.act(move("32-28"), WHITE)  # who does not accept
    assert made.offers == {}
    made.act(action("draw"), BLACK)
    made.act(move("19-23"), BLACK)  # its own offer stands
    assert made.offers == {"draw": Side.BLACK}


def test_a_draw_on_one_screen_and_against_the_computer() -> None:
    made = table(opponent="screen")
    made.act(action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    made = table(opponent="computer")
    with pytest.raises(GameError, match="the computer agrees to none"):
        made.act(action("draw"), WHITE)


@pytest.mark.parametrize("opponent", ["link", "screen", "computer"])
def test_a_draw_that_is_due_is_claimed(opponent: str) -> None:
    made = table(**KINGS, opponent=opponent, side="black", moves=list(SHUFFLE * 2))
    sides = BOTH if opponent == "screen" else BLACK
    assert made.game.claims()
    assert "draw" in made.actions_for(sides)
    made.act(action("draw"), sides)
    assert made.game.outcome() == Outcome(None, Termination.REPETITION)
    assert again(made).game.outcome() == made.game.outcome()


def test_taking_back_is_asked_for() -> None:
    made = table()
    with pytest.raises(GameError, match="no move of yours"):
        made.act(action("takeback"), WHITE)
    play(made, "32-28", "19-23")
    made.act(action("takeback"), WHITE)
    assert made.offers == {"takeback": Side.WHITE}
    assert moves(made) == ["32-28", "19-23"]
    with pytest.raises(GameError, match="asked already"):
        made.act(action("takeback"), WHITE)
    made = again(made)
    made.act(action("takeback"), BLACK)
    assert moves(made) == []
    assert made.offers == {}


def test_taking_back_leads_to_the_turn_of_who_asked() -> None:
    made = table()
    play(made, "32-28", "19-23", "28x19")
    made.act(action("takeback"), WHITE)
    made.act(action("takeback"), BLACK)
    assert moves(made) == ["32-28", "19-23"]
    made.act(action("takeback"), BLACK)
    made.act(move("28x19"), WHITE)  # instead of an answer
    assert made.offers == {}
    made.act(action("takeback"), BLACK)
    made.act(action("decline"), WHITE)
    assert (moves(made), made.offers) == (["32-28", "19-23", "28x19"], {})


def over(**asked: Any) -> Table:
    """A game with a link that Black has given up."""
    made = table(**asked)
    made.act(action("resign"), BLACK)
    return made


def test_a_rematch_is_asked_for_and_accepted() -> None:
    made = over()
    assert made.actions_for(WHITE) == made.actions_for(BLACK) == ["rematch"]
    assert made.act(action("rematch"), BLACK)
    assert (made.offers, made.next) == ({"rematch": Side.BLACK}, None)
    assert made.check_time() is None
    made = again(made)
    assert made.offers == {"rematch": Side.BLACK}
    assert made.actions_for(BLACK) == []
    assert made.actions_for(WHITE) == ["rematch", "decline"]
    with pytest.raises(GameError, match="asked already"):
        made.act(action("rematch"), BLACK)
    assert made.act(action("rematch"), WHITE)
    name = made.next
    assert name is not None
    for each in (made, again(made)):
        assert (each.next, each.offers) == (name, {})
        assert each.actions_for(WHITE) == each.actions_for(BLACK) == []
        for sides in (WHITE, BLACK):
            assert not each.act(action("rematch"), sides)  # there is one, and one is enough
        assert each.next == name


def test_a_rematch_is_turned_down() -> None:
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


def test_there_is_no_rematch_before_the_end_nor_without_a_link() -> None:
    with pytest.raises(GameError, match="the game is not over"):
        table().act(action("rematch"), WHITE)
    for opponent, sides in (("screen", BOTH), ("computer", WHITE)):
        made = table(opponent=opponent)
        made.act(action("resign"), sides)
        with pytest.raises(GameError, match="begin a new game"):
            made.act(action("rematch"), sides)
        assert "rematch" not in made.actions_for(sides)


def test_a_rematch_can_be_undone() -> None:
    made = over()
    made.act(action("rematch"), WHITE)
    before = made.snapshot()
    made.act(action("rematch"), BLACK)
    made.restore(before)
    assert (made.offers, made.next) == ({"rematch": Side.WHITE}, None)


def test_the_next_game_is_the_same_with_the_sides_changed() -> None:
    asked = NewGame(
        variant="kalah",
        houses=5,
        seeds=3,
        position="<5,1,0,3,3,3,3,2,3,3,3,3,3> south",
        moves=["1", "2"],
        opponent="link",
        side="south",
        clock="5+3",
    )
    made, created = new_table(asked, computer(), NONE_OF_THEM)
    first = again(made)
    play(first, "2")
    first.act(action("resign"), WHITE)
    first.act(action("rematch"), WHITE)
    first.act(action("rematch"), BLACK)
    kept = next_game(first)
    second = Table(kept, computer(), NONE_OF_THEM)
    assert kept.facts.id == first.next != created.id
    assert second.sides_of(created.keys["south"]) == BLACK
    assert second.sides_of(created.keys["north"]) == WHITE
    assert second.game.start == first.game.start
    assert moves(second) == ["1", "2"]
    assert (second.game.outcome(), second.revision, second.next, second.offers) == (None, 0, None, {})
    clock = second.session.clock
    assert (str(clock.control), clock.used(Side.WHITE), clock.running) == ("5+3", 0, None)
    for field in ("variant", "houses", "seeds", "position", "opening", "opponent", "level"):
        assert getattr(second.facts, field) == getattr(first.facts, field)


def test_extra_turns_are_taken_back_one_by_one() -> None:
    made = table(variant="kalah", side="south")
    play(made, "3", "2", "1")
    made.act(action("takeback"), WHITE)
    made.act(action("takeback"), BLACK)
    assert moves(made) == ["3"]


def test_taking_back_at_once() -> None:
    made = table(opponent="screen")
    play(made, "32-28", "19-23")
    made.act(action("takeback"), BOTH)
    assert moves(made) == ["32-28"]
    made = table(opponent="computer")
    play(made, "32-28", "19-23")
    made.act(action("takeback"), WHITE)
    assert moves(made) == []


def test_the_clock_runs_from_the_first_move_on() -> None:
    time = Time()
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
    time = Time()
    made = table(time, clock="1")
    play(made, "32-28")
    made.act(action("draw"), WHITE)
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
        made.act(move("19-23"), BOTH)
    assert made.game.outcome() == Outcome(Side.WHITE, Termination.TIME)
    made.act(action("takeback"), BOTH)
    assert again(made, time).session.clock.control is None  # it goes on without a clock


def test_what_was_done_can_be_undone() -> None:
    time = Time()
    made = table(time, clock="1+5")
    play(made, "32-28")
    made.act(action("draw"), WHITE)
    before, standing = made.snapshot(), made.standing()
    time.now = 10
    made.act(move("19-23"), BLACK)
    made.revision += 1
    made.restore(before)
    assert moves(made) == ["32-28"]
    assert made.standing() == type(standing)(**{**vars(standing), "black_used": 10.0})
    made.act(move("19-23"), BLACK)
    assert made.session.clock.left(Side.BLACK) == 55


def test_time_for_a_number_of_moves_comes_again_after_a_restart() -> None:
    """The clock counts no moves: the game knows how many there were."""
    time = Time()
    made = table(time, clock="2/1")
    play(made, "32-28", "19-23")
    time.now = 10
    made = again(made, time)
    assert str(made.session.clock.control) == "2/1+0"
    play(made, "28x19", "14x23")
    assert [made.session.clock.left(side) for side in Side] == [110, 120]


def test_a_result_that_was_declared_is_taken_back_alone() -> None:
    made = table(opponent="screen")
    made.act(move("32-28"), BOTH)
    made.act(action("draw"), BOTH)
    assert made.game.outcome() == Outcome(None, Termination.AGREEMENT)
    made.act(action("takeback"), BOTH)
    assert made.game.outcome() is None
    assert len(made.game.moves) == 1
    made.act(action("takeback"), BOTH)
    assert not made.game.moves
