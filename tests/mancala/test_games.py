"""Games: their endings on the board, and cycles, which depend on earlier positions."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tablemen import Game, GameOverError, Outcome, Side, Termination
from tablemen.draws import Repetition
from tablemen.mancala import NORTH, OWARE, SOUTH, MancalaRules, Move, Position
from tablemen.mancala.rules import Cycle


def start_cycle(rules: MancalaRules = OWARE, stores: str = "23,23") -> Game[Position, Move]:
    """Return a game with two seeds that never capture, so that positions repeat."""
    start = Position.from_text(f"<6,{stores},1,0,0,0,0,0,1,0,0,0,0,0> south", rules)
    return Game(start)


def play_first_moves(game: Game[Position, Move], plies: int = 200) -> int:
    """Play the first legal move until the game is over, and return the number of moves."""
    while game.outcome() is None and len(game.moves) < plies:
        game.push(game.legal_moves()[0])
    return len(game.moves)


def test_the_score_decides_a_game_of_kalah() -> None:
    game: Game[Position, Move] = Game(Position.start("kalah"))
    play_first_moves(game)
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
def test_a_third_repetition_ends_oware_with_a_winner(stores: str, winner: Side | None) -> None:
    game = start_cycle(stores=stores)
    plies = play_first_moves(game)
    assert game.outcome() == Outcome(winner, Termination.REPETITION)
    assert game.positions.count(game.position) == 3
    assert game.legal_moves() == ()
    game.pop()
    assert game.outcome() is None
    assert plies > 20


def test_seeds_in_houses_count_after_a_cycle() -> None:
    rules = replace(OWARE, name="two", draws=(Cycle(2),))
    game = start_cycle(rules, stores="23,22")
    play_first_moves(game)
    houses = {side: sum(game.position.houses(side)) for side in Side}
    total = {side: game.position.stores[side] + houses[side] for side in Side}
    outcome = game.outcome()
    assert outcome is not None
    assert game.position.score() == total
    assert outcome.winner == (None if total[SOUTH] == total[NORTH] else max(Side, key=lambda side: total[side]))


def test_an_ordinary_repetition_is_a_draw() -> None:
    game = start_cycle(replace(OWARE, name="drawn", draws=(Repetition(3),)), stores="24,22")
    play_first_moves(game)
    assert game.outcome() == Outcome(None, Termination.REPETITION)


def test_a_claimed_cycle_has_a_winner() -> None:
    game = start_cycle(replace(OWARE, name="claimed", draws=(Cycle(3, by_claim=True),)), stores="24,22")
    while not game.claims():
        game.push(game.legal_moves()[0])
    assert game.outcome() is None
    assert game.claim_draw() == Outcome(SOUTH, Termination.REPETITION) == game.outcome()
    assert pickle.loads(pickle.dumps(game)) == game
