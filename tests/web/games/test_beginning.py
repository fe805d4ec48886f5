"""How games begin: who gets which key, what cannot be, and what follows as a rematch."""

from __future__ import annotations

import pytest

from tablemen import Side, TablemenError
from tablemen.web.games.actions import act
from tablemen.web.games.beginning import new_table, next_game
from tablemen.web.games.keys import hash_key, is_key
from tablemen.web.games.table import Table
from tablemen.web.models import NewGame
from tests.web.tables import BLACK, BOTH, NONE, NONE_OF_THEM, WHITE, action, again, computer, moves_of, play


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
    act(first, action("resign"), WHITE)
    act(first, action("rematch"), WHITE)
    act(first, action("rematch"), BLACK)
    kept = next_game(first)
    second = Table(kept, computer(), NONE_OF_THEM)
    assert kept.facts.id == first.next != created.id
    assert second.sides_of(created.keys["south"]) == BLACK
    assert second.sides_of(created.keys["north"]) == WHITE
    assert second.game.start == first.game.start
    assert moves_of(second) == ["1", "2"]
    assert (second.game.outcome(), second.revision, second.next, second.offers) == (None, 0, None, {})
    clock = second.session.clock
    assert (str(clock.control), clock.used(Side.WHITE), clock.running) == ("5+3", 0, None)
    for field in ("variant", "houses", "seeds", "position", "opening", "opponent", "level"):
        assert getattr(second.facts, field) == getattr(first.facts, field)
