"""Draw counters in the search: a win that a draw precedes is not a win, even if the table contains it."""

from __future__ import annotations

from random import Random

import pytest

from tablemen import Game, Termination
from tablemen.draughts import VARIANTS
from tablemen.draughts.draws import MoveCount, ZeroingMove
from tablemen.search import Limit, Searcher
from tests.reference.minimax import AnyGame
from tests.reference.proof import shortest_win
from tests.reference.retrograde import all_positions, tiny

SOON = MoveCount(6, termination=Termination.KING_MOVES, resets=ZeroingMove.CAPTURE | ZeroingMove.MAN_MOVE)
DEPTH = 9


def games(name: str, count: int) -> list[AnyGame]:
    """Return small games with draw counters above zero."""
    chance = Random(1)
    positions = list(all_positions(tiny(VARIANTS[name], 6, (SOON,)), 3))
    found: list[AnyGame] = []
    while len(found) < count:
        game: AnyGame = Game(chance.choice(positions))
        for _ in range(chance.randrange(5)):
            quiet = [move for move in game.legal_moves() if not move.is_capture and not move.crowns]
            if quiet:
                game.push(chance.choice(quiet))
        if game.outcome() is None:
            found.append(game)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english", "international", "antidraughts"])
def test_draw_counters_are_part_of_the_search(name: str) -> None:
    """Search all games with one searcher, so that positions recur with other counters."""
    searcher = Searcher(table_mb=4)
    wins = 0
    for game in games(name, 1000):
        score = searcher.choose(game, Limit(depth=DEPTH)).score
        if score.is_win and score.plies is not None and score.plies <= DEPTH:
            wins += 1
            shortest = shortest_win(game, score.plies)
            assert shortest is not None, f"{game.start.fen()} {' '.join(map(str, game.moves))}: {score}"
    assert wins > 100
