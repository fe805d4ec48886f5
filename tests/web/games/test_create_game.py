"""New games and rematches: their keys, and invalid requests."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import ArgumentError, GameOverError, NotationError, Side, TablemenError
from tablemen.web.games.hosted_game import HostedGame
from tablemen.web.games.rooms import create_game
from tablemen.web.models import CreatedGame, NewGame
from tablemen.web.serialize import NoSuchVariantError
from tests.web.games.fixtures import (
    BLACK,
    BOTH,
    NO_ENGINES,
    NONE,
    WHITE,
    action,
    computer,
    get_moves,
    play,
    reload,
    stored,
)


def create(**request: Any) -> tuple[HostedGame, CreatedGame]:
    game, created = create_game(NewGame(**request), NO_ENGINES)
    return HostedGame(game, computer(), NO_ENGINES), created


def test_keys_open_their_own_side() -> None:
    hosted, created = create(variant="kalah", opponent="link", side="north")
    assert created.side == "north"
    assert set(created.keys) == {"south", "north"}
    assert hosted.get_sides(created.keys["south"]) == WHITE
    assert hosted.get_sides(created.keys["north"]) == BLACK
    assert hosted.get_sides(created.keys["north"][:-1]) == NONE
    assert hosted.get_sides("") == NONE
    text = repr(stored(hosted))
    assert all(key not in text for key in created.keys.values())


def test_a_shared_screen_has_one_key_and_the_computer_none() -> None:
    hosted, created = create(variant="english", opponent="screen", side="white")
    assert created.side == "black"  # which moves first in English draughts
    assert len(set(created.keys.values())) == 1
    assert hosted.get_sides(created.keys["white"]) == BOTH
    hosted, created = create(variant="english", opponent="computer", level=3, side="white")
    assert set(created.keys) == {"white"}
    assert hosted.get_sides(created.keys["white"]) == WHITE
    assert hosted.people == WHITE
    assert hosted.is_computer_turn
    assert hosted.info.level == 3


def test_ids_and_keys_are_long_and_random() -> None:
    hosted = [create(variant="kalah", opponent="link")[1] for _ in range(20)]
    assert len({each.id for each in hosted}) == 20
    assert len({key for each in hosted for key in each.keys.values()}) == 40
    assert min(len(each.id) for each in hosted) >= 12
    assert min(len(key) for each in hosted for key in each.keys.values()) >= 22
    assert {each.side for each in hosted} == {"south", "north"}  # at random


@pytest.mark.parametrize(
    ("settings", "kind", "fact"),
    [
        ({"variant": "nothing"}, NoSuchVariantError, "nothing"),
        ({"variant": "english", "houses": 3}, TablemenError, "houses"),
        ({"variant": "english", "side": "north"}, ArgumentError, "north"),
        ({"variant": "english", "position": "nonsense"}, NotationError, "line 1"),
        ({"variant": "english", "moves": ["1-32"]}, TablemenError, "1-32"),
        ({"variant": "english", "position": "W:W1:B"}, GameOverError, ""),
        ({"variant": "english", "clock": "soon"}, ArgumentError, "soon"),
    ],
)
def test_an_invalid_request_is_refused(settings: dict[str, object], kind: type[Exception], fact: str) -> None:
    with pytest.raises(kind) as caught:
        create_game(NewGame.model_validate(settings), NO_ENGINES)
    assert caught.type is kind
    assert fact in str(caught.value)


def test_a_rematch_exchanges_the_sides() -> None:
    hosted, created = create(
        variant="kalah",
        houses=5,
        seeds=3,
        position="<5,1,0,3,3,3,3,2,3,3,3,3,3> south",
        moves=["1", "2"],
        opponent="link",
        side="south",
        clock="5+3",
    )
    first = reload(hosted)
    play(first, "2")
    first.act(action("resign"), WHITE)
    first.act(action("rematch"), WHITE)
    first.act(action("rematch"), BLACK)
    rematch = first.create_rematch()
    second = HostedGame(rematch, computer(), NO_ENGINES)
    assert rematch.info.id == first.next != created.id
    assert second.get_sides(created.keys["south"]) == BLACK
    assert second.get_sides(created.keys["north"]) == WHITE
    assert second.game.start == first.game.start
    assert get_moves(second) == ["1", "2"]
    assert (second.game.outcome(), second.revision, second.next, second.offers) == (None, 0, None, {})
    clock = second.clock
    assert (str(clock.control), clock.used(Side.WHITE), clock.running) == ("5+3", 0, None)
    for field in ("variant", "houses", "seeds", "position", "opening", "opponent", "level"):
        assert getattr(second.info, field) == getattr(first.info, field)
