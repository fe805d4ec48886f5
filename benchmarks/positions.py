"""Mid-game positions, the same ones in every run: met in random games of our own."""

from __future__ import annotations

from random import Random

from benchmarks.workers.harness import Sample, SampledGame
from tablemen.draughts import Position

PLIES = (10, 16, 22, 28)  # where a game is stopped at, if it is still going on
SEED = 20


def sample_games(variant: str, positions: int = 100) -> list[SampledGame]:
    """Random games with as many positions, each with at least one move, as are asked for."""
    random = Random(SEED)
    games: list[SampledGame] = []
    wanted = positions
    while wanted:
        game = sample_game(variant, random, wanted)
        wanted -= len(game["samples"])
        games.append(game)
    return games


def sample_game(variant: str, random: Random, most: int) -> SampledGame:
    """A random game, and the positions met at `PLIES`."""
    position = Position.start(variant)
    moves: list[list[int]] = []
    samples: list[Sample] = []
    for ply in range(1, max(PLIES) + 1):
        move = random.choice(position.legal_moves())
        position = position.play(move)
        moves.append([int(square) for square in move.path])
        if not position.legal_moves():
            break
        if ply in PLIES and len(samples) < most:
            samples.append({"ply": ply, "fen": position.fen()})
    return {"moves": moves, "samples": samples}
