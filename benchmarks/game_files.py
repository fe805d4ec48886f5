"""A file of games, the same one in every run."""

from __future__ import annotations

from random import Random

from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import PdnGame, format_pdn

SEED = 20
LONGEST = 90  # plies of a game, about as many as people play


def sample_file(games: int) -> str:
    """A file of random games of international draughts."""
    random = Random(SEED)
    return "\n".join(format_pdn(sample_game(random, number)) for number in range(1, games + 1))


def sample_game(random: Random, number: int) -> PdnGame:
    """A random game with the usual tags."""
    position = Position.start("international")
    moves: list[Move] = []
    while len(moves) < LONGEST and (legal := position.legal_moves()):
        moves.append(random.choice(legal))
        position = position.play_unchecked(moves[-1])
    tags = {"Event": "Benchmark", "Round": str(number), "White": "Ann", "Black": "Bob", "Result": "*"}
    return PdnGame.from_moves(Position.start("international"), moves, tags)
