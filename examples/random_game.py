"""Play one game at random and say how it ended: `python examples/random_game.py english 7`."""

from __future__ import annotations

import random
import sys

from tablemen import TablemenError
from tablemen.draughts import Position

LONGEST = 1000  # kings can chase each other for ever, and a position knows nothing of its past


def main(variant: str = "international", seed: str = "1") -> None:
    """Write the moves of a random game, its last position and its outcome."""
    chooser = random.Random(seed)
    position = Position.start(variant)
    moves: list[str] = []
    while not (outcome := position.outcome()) and len(moves) < LONGEST:
        move = chooser.choice(position.legal_moves())
        moves.append(str(move))
        position = position.play(move)
    print(" ".join(moves))
    print(position)
    if outcome is None:
        print(f"nobody had won after {LONGEST} moves")
    else:
        print(f"{outcome.winner or 'nobody'} wins: {outcome.termination}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except TablemenError as error:
        sys.exit(str(error))
