"""Sample PDN files of random games, the same in every run."""

from __future__ import annotations

from random import Random

from tablemen import Game
from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import PdnGame, format_pdn

SEED = 20
MAX_PLIES = 90  # plies per game, similar to human games


def sample_file(games: int, skipped_plies: int = 0) -> str:
    """Return a PDN file of random games of international draughts; they have FEN tags if plies are skipped."""
    random = Random(SEED)
    return "\n".join(format_pdn(sample_game(random, number, skipped_plies)) for number in range(1, games + 1))


def sample_texts(games: int) -> list[list[str]]:
    """Return random games of international draughts, each as the text of its moves."""
    random = Random(SEED)
    texts = []
    for _ in range(games):
        game = Game(Position.start("international"))
        while len(game.moves) < MAX_PLIES and (legal := game.legal_moves()):
            game.push(random.choice(legal))
        texts.append([str(move) for move in game.moves])
    return texts


def sample_game(random: Random, number: int, skipped_plies: int = 0) -> PdnGame:
    """Return a random game with the usual PDN tags, without its first plies."""
    start = Position.start("international")
    for _ in range(skipped_plies):
        start = start.play_unchecked(random.choice(start.legal_moves()))
    position, moves = start, list[Move]()
    while len(moves) < MAX_PLIES and (legal := position.legal_moves()):
        moves.append(random.choice(legal))
        position = position.play_unchecked(moves[-1])
    tags = {"Event": "Benchmark", "Round": str(number), "White": "Ann", "Black": "Bob", "Result": "*"}
    return PdnGame.from_moves(start, moves, tags)
