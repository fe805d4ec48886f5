"""Sample mid-game positions from random games, the same in every run."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from benchmarks.workers.harness import Sample, SampledGame
from benchmarks.workers.ours_kalah import RULES
from tablemen import draughts, mancala

PLIES = (10, 16, 22, 28)  # plies after which a position is sampled, if the game has not ended
SEED = 20

FormatPly: TypeAlias = Callable[[Any, Any], tuple[list[int], str]]


def sample_games(variant: str, positions: int = 100) -> list[SampledGame]:
    """Return random games that contain this number of sampled positions, each with a legal move."""
    random = Random(SEED)
    games: list[SampledGame] = []
    missing = positions
    while missing:
        game = sample_game(variant, random, missing)
        missing -= len(game["samples"])
        games.append(game)
    return games


def sample_game(variant: str, random: Random, maximum: int) -> SampledGame:
    """Play a random game of a variant and sample positions after `PLIES`."""
    if variant == "kalah":
        return play_game(mancala.Position.start(RULES), random, maximum, format_kalah_ply)
    return play_game(draughts.Position.start(variant), random, maximum, format_draughts_ply)


def play_game(position: Any, random: Random, maximum: int, format_ply: FormatPly) -> SampledGame:
    """Play a random game from a position of either family."""
    moves: list[list[int]] = []
    samples: list[Sample] = []
    for ply in range(1, max(PLIES) + 1):
        move = random.choice(position.legal_moves())
        position = position.play(move)
        numbers, text = format_ply(move, position)
        moves.append(numbers)
        if not position.legal_moves():
            break
        if ply in PLIES and len(samples) < maximum:
            samples.append({"ply": ply, "fen": text})
    return {"moves": moves, "samples": samples}


def format_draughts_ply(move: draughts.Move, position: draughts.Position) -> tuple[list[int], str]:
    """Return the squares of a move, and the FEN after it."""
    return [int(square) for square in move.path], position.fen()


def format_kalah_ply(move: mancala.Move, position: mancala.Position) -> tuple[list[int], str]:
    """Return the house of a move, and the text of the position after it."""
    return [move.house], position.text()
