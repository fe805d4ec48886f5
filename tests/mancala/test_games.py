"""Whole games: moves as text, ends that show in the position, and cycles, which need the past."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tablemen import Game, GameOverError, Outcome, Side, Termination
from tablemen.draws import Repetition
from tablemen.mancala import NORTH, OWARE, SOUTH, MancalaRules, Move, Position
from tablemen.mancala.rules import Cycle


def cycling(rules: MancalaRules = OWARE, stores: str = "23,23") -> Game[Position, Move]:
    """A game of two seeds that chase each other."""
    start = Position.from_text(f"<6,{stores},1,0,0,0,0,0,1,0,0,0,0,0> south", rules)
    return Game(start)


def play_on(game: Game[Position, Move], plies: int = 200) -> int:
    """Plays the first legal move until the game is over; gives the number of moves."""
    while game.outcome() is None and len(game.moves) < plies:
        game.push(game.legal_moves()[0])
    return len(game.moves)


def test_a_game_of_kalah_ends_with_its_score() -> None:
    game: Game[Position, Move] = Game(Position.start("kalah"))
    play_on(game)
    outcome = game.outcome()
    assert outcome is not None
    score = game.position.score()
    assert sum(score.values()) == 48
    assert outcome.winner == (None if score[SOUTH] == score[NORTH] else max(score, key=lambda side: score[side]))
    assert outcome.termination is Termination.NO_SEEDS
    with pytest.raises(GameOverError):
        game.push("1")
    game.pop()
    assert game.outcome() is None


@pytest.mark.parametrize(
    ("stores", "winner"), [("23,23", None), ("24,22", SOUTH), ("22,24", NORTH), ("20,20", None), ("0,1", NORTH)]
)
def test_a_cycle_ends_oware_and_each_side_keeps_its_own(stores: str, winner: Side | None) -> None:
    game = cycling(stores=stores)
    plies = play_on(game)
    assert game.outcome() == Outcome(winner, Termination.REPETITION)
    assert game.positions.count(game.position) == 3
    assert game.legal_moves() == ()
    game.pop()
    assert game.outcome() is None
    assert plies > 20


def test_seeds_in_houses_count_in_a_cycle() -> None:
    rules = replace(OWARE, name="two", draws=(Cycle(2),))
    game = cycling(rules, stores="23,22")
    play_on(game)
    houses = {side: sum(game.position.houses(side)) for side in Side}
    total = {side: game.position.stores[side] + houses[side] for side in Side}
    outcome = game.outcome()
    assert outcome is not None
    assert game.position.score() == total
    assert outcome.winner == (None if total[SOUTH] == total[NORTH] else max(Side, key=lambda side: total[side]))


def test_an_ordinary_repetition_stays_a_draw() -> None:
    game = cycling(replace(OWARE, name="drawn", draws=(Repetition(3),)), stores="24,22")
    play_on(game)
    assert game.outcome() == Outcome(None, Termination.REPETITION)


def test_a_cycle_can_be_claimed_with_its_winner() -> None:
    game = cycling(replace(OWARE, name="claimed", draws=(Cycle(3, by_claim=True),)), stores="24,22")
    while not game.claims():
        game.push(game.legal_moves()[0])
    assert game.outcome() is None
    assert game.claim_draw() == Outcome(SOUTH, Termination.REPETITION) == game.outcome()
    assert pickle.loads(pickle.dumps(game)) == game
