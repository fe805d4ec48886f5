"""Move input place by place: all legal moves, and only those, in steps or by their end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Game
from tablemen.draughts import Position
from tablemen.family import families, get_family
from tablemen.mancala import KALAH, Swap
from tablemen.mancala import Position as Pits
from tablemen.move_input import MoveInput
from tablemen.players import RandomPlayer

ALL = [rules for family in families() for rules in family.variants.values()]


def input_for(fen: str, variant: str = "international") -> MoveInput:
    return MoveInput.for_game(Game(Position.from_fen(fen, variant)))


@given(rules=st.sampled_from(ALL), seed=st.integers(0, 1000), plies=st.integers(0, 60))
def test_every_move_can_be_entered_step_by_step(rules: Any, seed: int, plies: int) -> None:
    game: Game[Any, Any] = Game(get_family(rules).start(rules))
    chance = RandomPlayer(seed=seed)
    while len(game.moves) < plies and not game.outcome():
        game.push(chance.choose(game))
    empty = MoveInput.for_game(game)
    assert {move for _, move in empty.paths} == set(game.legal_moves())
    for places, move in empty.paths:
        entered = empty
        for place in places:
            assert entered.move is None
            assert place in (entered.targets if entered.touched else entered.starts)
            entered = entered.touch(place)
        assert entered.move == move


def test_a_capture_can_be_entered_by_its_end() -> None:
    entered = input_for("W:W32:B28,19,18").touch("32")
    assert entered.targets == {"23"}
    assert entered.ends == {"14", "12"}
    assert str(entered.touch("14").move) == "32x14"
    assert entered.touch("14").touched == ("32", "14")


def test_captures_with_the_same_end_need_their_steps() -> None:
    entered = input_for("W:WK10:B14,17,27,31").touch("10")
    ended = entered.touch("3")
    assert (ended.move, ended.is_ambiguous, ended.touched) == (None, True, ("10",))
    assert str(entered.touch("32").touch("3").move) == "10x32x21x3"


def test_a_capture_may_end_on_its_start() -> None:
    entered = input_for("W:W14:B8,9,18,19").touch("14")
    assert entered.touch("14").touched == ()
    for place in ("23", "12", "3"):
        entered = entered.touch(place)
    assert str(entered.touch("14").move) == "14x23x12x3x14"


def test_a_place_without_a_move_clears_the_input() -> None:
    entered = MoveInput.for_game(Game(Position.start("international")))
    assert (entered.targets, entered.ends) == (frozenset(), frozenset())
    assert entered.touch("28").touched == ()
    assert entered.touch("32").touch("33").touched == ("33",)
    assert entered.touch("32").touch("32").touched == ()
    assert entered.touch("32").touch("22").touched == ()


def test_one_touch_is_a_move_in_mancala() -> None:
    entered = MoveInput.for_game(Game(Pits.start("kalah")))
    assert entered.starts == set("123456")
    assert str(entered.touch("3").move) == "3"


def test_a_swap_is_a_place() -> None:
    game = Game(Pits.start(replace(KALAH, swap=Swap.PIE)), ["1"])
    assert "swap" in MoveInput.for_game(game).starts


@pytest.mark.parametrize("end", ["W:W:B1", "W:W28:B23"])
def test_a_finished_game_accepts_no_input(end: str) -> None:
    game = Game(Position.from_fen(end, "international"))
    if not game.outcome():
        game.resign(game.position.turn)
    assert MoveInput.for_game(game).starts == frozenset()
