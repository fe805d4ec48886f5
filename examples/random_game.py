"""Play a random game and print its outcome: `python examples/random_game.py english 7`."""

from __future__ import annotations

import random
import sys

from tablemen import Game, TablemenError
from tablemen.draughts import Position


def main(variant: str = "international", seed: str = "1") -> None:
    """Print the moves of a random game, its last position and its outcome."""
    rng = random.Random(seed)
    game = Game(Position.start(variant))
    while not game.outcome():
        game.push(rng.choice(game.legal_moves()))
        if game.claims():
            game.claim_draw()
    print(*game.moves)
    print(game.position)
    print(game.outcome())


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except TablemenError as error:
        sys.exit(str(error))
