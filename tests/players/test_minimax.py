"""The minimax player."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tablemen import Game
from tablemen.draughts import Position
from tablemen.family import find_variant, get_family
from tablemen.mancala import Position as Pits
from tablemen.players import MinimaxPlayer, RandomPlayer, parse_player
from tablemen.search import Clock


@pytest.mark.parametrize(
    ("position", "depth", "moves"),
    [
        (Position.from_fen("W:W24,26,31:B12,32,40", "international"), 3, "31-27"),
        (Position.from_fen("W:W28:B16,33", "antidraughts"), 1, "28x39"),
        (Position.from_fen("W:W7,41:B20", "breakthrough"), 1, "7-1 7-2"),
        (Pits.from_text("<6,10,10,1,0,0,0,0,1,5,5,5,5,5,1> south", "kalah"), 1, "1"),
        (Pits.from_text("<6,10,10,1,0,2,0,0,0,5,5,5,5,5,5> south", "kalah"), 1, "1 3"),
    ],
)
def test_minimax_finds_the_best_moves(position: Any, depth: int, moves: str) -> None:
    game = Game(position)
    chosen = {str(MinimaxPlayer(depth=depth, seed=seed).choose(game)) for seed in range(12)}
    assert chosen == set(moves.split()) == {str(move) for move in find_best_moves(game, depth)}


def find_best_moves(game: Game[Any, Any], depth: int) -> set[Any]:
    """Return the best moves, computed from the point of view of the side to move at the root."""
    side = game.position.turn

    def value(game: Game[Any, Any], rest: int) -> float:
        outcome = game.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else (1e6 + rest) * (1 if outcome.winner is side else -1)
        own = game.position.turn is side
        if rest == 0:
            return get_family(game.position).balance(game.position) * (1 if own else -1)
        below = [value(Game(game.start, [*game.moves, move]), rest - 1) for move in game.legal_moves()]
        return max(below) if own else min(below)

    values = {move: value(Game(game.start, [*game.moves, move]), depth - 1) for move in game.legal_moves()}
    return {move for move, each in values.items() if each == max(values.values())}


@pytest.mark.parametrize("name", ["international", "english", "kalah", "oware"])
def test_minimax_agrees_with_another_implementation(name: str) -> None:
    rules = find_variant(name)
    game, random, player = Game(get_family(rules).start(rules)), RandomPlayer(seed=5), MinimaxPlayer(depth=2)
    for _ in range(12):
        for _ in range(3):
            if game.outcome() is None:
                game.push(random.choose(game))
        if game.outcome() is None:
            assert player.choose(game) in find_best_moves(game, 2)


def test_minimax_prefers_a_draw_by_repetition_when_behind() -> None:
    shuffle = ["a3-b2", "d8-c7", "b2-c1", "c7-d8", "c1-b2", "d8-c7", "b2-c1", "c7-d8"]
    game = Game(Position.from_fen("W:WKa3:BKd8,Kh4", "russian"), shuffle)
    assert {str(MinimaxPlayer(depth=1, seed=seed).choose(game)) for seed in range(8)} == {"c1-b2"}
    assert len({MinimaxPlayer(depth=1, seed=seed).choose(Game(game.position)) for seed in range(8)}) > 1


def test_minimax_chooses_randomly_between_equal_moves() -> None:
    game = Game(Position.start("international"))
    counts = Counter(str(MinimaxPlayer(depth=1, seed=seed).choose(game)) for seed in range(60))
    assert len(counts) == len(game.legal_moves())


@pytest.mark.parametrize("clock", [Clock(0), Clock(0.3), Clock(0.02, 10), Clock(0.02, moves=1)])
def test_minimax_moves_before_its_time_is_up(clock: Clock) -> None:
    player = parse_player("minimax:depth=99")  # would take years
    player.clock = clock
    game: Game[Any, Any] = Game(Position.start("international"))
    assert player.choose(game) in game.legal_moves()


def test_minimax_with_enough_time_searches_all_moves() -> None:
    game: Game[Any, Any] = Game(Position.from_fen("W:W24,26,31:B12,32,40", "international"))
    player = parse_player("minimax:depth=3")
    player.clock = Clock(1_000_000)
    assert str(player.choose(game)) == "31-27"


def test_an_unfinished_search_has_no_score() -> None:
    player = parse_player("minimax:depth=99")
    player.clock = Clock(0)
    player.choose(Game(Position.start("international")))
    assert player.score is None
