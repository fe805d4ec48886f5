"""Mid-game positions, the same ones in every run: met in random games of our own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from benchmarks.workers.harness import Sample, SampledGame
from benchmarks.workers.ours_kalah import RULES
from tablemen import draughts, mancala

PLIES = (10, 16, 22, 28)  # where a game is stopped at, if it is still going on
SEED = 20

Write: TypeAlias = Callable[[Any, Any], tuple[list[int], str]]


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
    if variant == "kalah":
        return play_game(mancala.Position.start(RULES), random, most, write_kalah)
    return play_game(draughts.Position.start(variant), random, most, write_draughts)


def play_game(position: Any, random: Random, most: int, write: Write) -> SampledGame:
    """A random game from a position of either family."""
    moves: list[list[int]] = []
    samples: list[Sample] = []
    for ply in range(1, max(PLIES) + 1):
        move = random.choice(position.legal_moves())
        position = position.play(move)
        numbers, text = write(move, position)
        moves.append(numbers)
        if not position.legal_moves():
            break
        if ply in PLIES and len(samples) < most:
            samples.append({"ply": ply, "fen": text})
    return {"moves": moves, "samples": samples}


def write_draughts(move: draughts.Move, position: draughts.Position) -> tuple[list[int], str]:
    """The squares of a move, and the FEN after it."""
    return [int(square) for square in move.path], position.fen()


def write_kalah(move: mancala.Move, position: mancala.Position) -> tuple[list[int], str]:
    """The house of a move, and the text of the position after it."""
    return [move.house], position.text()
