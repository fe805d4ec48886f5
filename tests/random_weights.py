"""Random evaluation weights for tests."""

from __future__ import annotations

import struct
from random import Random

from tablemen.draughts import DraughtsRules
from tablemen.draughts.weights import FEATURES, Pattern, Weights, relative_squares


def random_weights(rules: DraughtsRules, seed: int) -> Weights:
    """Return random weights without any symmetry, with patterns if the board supports them."""
    chance = Random(seed)

    def pair() -> tuple[int, int]:
        return chance.randint(-999, 999), chance.randint(-999, 999)

    squares = relative_squares(rules)
    numbers = [int(square) for square in rules.mover.squares]
    regions = [] if len(squares) != len(numbers) else [chance.sample(numbers, 4), chance.sample(numbers, 5)]
    return Weights(
        full=chance.randint(1, 40),
        counts={name: pair() for name in FEATURES},
        men=tuple(pair() for _ in squares),
        kings=tuple(pair() for _ in squares),
        patterns=tuple(
            Pattern(tuple(region), b"".join(struct.pack("<hh", *pair()) for _ in range(3 ** len(region))))
            for region in regions
        ),
    )
